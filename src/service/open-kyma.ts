import type { Logger } from '../domain/logger.ts';
import { Artifacts } from '../kyma/artifacts.ts';
import { kymaCatalogue } from '../kyma/catalogue.ts';
import { CatalogueFile } from '../kyma/catalogue-file.ts';
import type { KymaCatalogue, KymaInstallers } from '../kyma/kyma-installer.ts';
import { modulesInstaller } from '../kyma/modules/modules-installer.ts';

/** The installers, and the operator's catalogue; without one, Runtimes get no Kyma. */
export function openKyma({
  cataloguePath,
  resources,
  log,
}: {
  cataloguePath: string | undefined;
  resources: AsyncDisposableStack;
  log: Logger;
}): { catalogue: KymaCatalogue | undefined; installers: KymaInstallers } {
  const file = cataloguePath === undefined ? undefined : new CatalogueFile({ path: cataloguePath, log });
  const nowhere = { artifacts: new Set<string>(), redirects: new Set<string>() };
  const artifacts = new Artifacts({ trustedHosts: async () => file?.trustedHosts() ?? nowhere, log });
  resources.defer(() => artifacts.close());
  return {
    catalogue: file && kymaCatalogue({ file, artifacts, log }),
    installers: { modules: modulesInstaller({ artifacts, log }) },
  };
}
