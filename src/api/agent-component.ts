import type { Problem } from '../domain/failures.ts';
import type { KymaInstallation, KymaInstallerKind } from '../domain/kyma-config.ts';

/** The module or component that brings the Runtime Agent, by what installs it. */
const agentComponent: Readonly<Record<KymaInstallerKind, string>> = {
  modules: 'application-connector',
  'installer-cr': 'compass-runtime-agent',
};

/** A Runtime that is registered has to be able to connect. `path` is that of the Kyma configuration. */
export function missingAgent({ config, installer }: KymaInstallation, path: string): readonly Problem[] {
  const agent = agentComponent[installer];
  if (config.components.some(({ component }) => component === agent)) return [];
  const message =
    'error: Kyma components list does not contain Compass Runtime Agent; ' +
    `add ${agent}, which brings it, so that the registered Runtime can connect`;
  return [{ path: `${path}.components`, message, code: 'KYMA_COMPONENT_INVALID' }];
}
