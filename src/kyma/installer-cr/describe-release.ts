import type { KymaInstallation } from '../../domain/kyma-config.ts';
import type { DescribedPart } from '../kyma-installer.ts';
import { entriesOf, readInstallerPlan, withoutSecrets } from './installer-plan.ts';

/** The value of a confidential entry is left out. */
export function describeRelease(installation: KymaInstallation): readonly DescribedPart[] {
  const { config } = installation;
  const { release, installer, tiller, components } = readInstallerPlan(installation);
  const global = withoutSecrets(config.configuration);
  const settings = {
    ...(config.profile && { profile: config.profile }),
    ...(global.length > 0 && { configuration: global }),
  };
  return [
    ...(tiller ? [{ subject: `Tiller of Kyma ${release}`, manifest: { ...tiller } }] : []),
    { subject: `installer of Kyma ${release}`, manifest: { ...installer, ...settings } },
    ...components.map(({ name, ...component }) => {
      const configuration = withoutSecrets(entriesOf(config, name));
      const manifest = { ...component, ...(configuration.length > 0 && { configuration }) };
      return { subject: `component ${name} of Kyma ${release}`, manifest };
    }),
  ];
}
