import type { KymaInstallation } from '../../domain/kyma-config.ts';
import type { DescribedPart } from '../kyma-installer.ts';
import { readPlan } from './modules-plan.ts';

/** The value of a confidential entry is left out. */
export function describeModules(installation: KymaInstallation): readonly DescribedPart[] {
  const { components } = installation.config;
  return readPlan(installation).modules.map(({ requires, confidential: _, ...module }) => {
    const entries = components.find(({ component }) => component === module.name)?.configuration ?? [];
    const configuration = entries.map(({ key, value, secret }) => (secret === true ? { key, secret } : { key, value }));
    const subject = `module ${module.name} ${module.version}`;
    return { subject, manifest: { ...module, ...(configuration.length > 0 && { configuration }) } };
  });
}
