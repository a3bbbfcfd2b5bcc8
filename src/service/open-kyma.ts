import type { Config } from '../config-shape.ts';
import type { Database } from '../db/database.ts';
import {
  findKymaArtifact,
  findKymaCatalogue,
  hasKymaArtifact,
  keepKymaArtifact,
  keepKymaCatalogue,
} from '../db/queries/kyma-files.ts';
import type { Logger } from '../domain/logger.ts';
import { Artifacts } from '../kyma/artifacts.ts';
import { kymaCatalogue } from '../kyma/catalogue.ts';
import { CatalogueAddress } from '../kyma/catalogue-address.ts';
import { artifactsOf, CatalogueFile, type CatalogueSource, trustedHostsOf } from '../kyma/catalogue-file.ts';
import { Downloads } from '../kyma/downloads.ts';
import { installerCr } from '../kyma/installer-cr/installer-cr.ts';
import type { KymaCatalogue, KymaInstallers } from '../kyma/kyma-installer.ts';
import { modulesInstaller } from '../kyma/modules/modules-installer.ts';
import { repeat } from './repeat.ts';

/** The installers, and the operator's catalogue; without one, Runtimes get no Kyma. */
export function openKyma({
  config,
  database,
  fieldManager,
  resources,
  log,
}: {
  config: Config['kyma'];
  database: Database;
  /** The name under which this service applies objects. */
  fieldManager: string;
  resources: AsyncDisposableStack;
  log: Logger;
}): { catalogue: KymaCatalogue | undefined; installers: KymaInstallers } {
  const { mirror, privateAddresses } = config;
  const address = catalogueAddress({ config, database, resources, log });
  const { cataloguePath: path } = config;
  const source: CatalogueSource | undefined = address ?? (path === undefined ? path : new CatalogueFile({ path, log }));
  const nowhere = { artifacts: new Set<string>(), redirects: new Set<string>() };
  const artifacts = new Artifacts({
    ...{ mirror, privateAddresses, log },
    trustedHosts: async () => (source ? trustedHostsOf(await source.contents()) : nowhere),
    store: {
      has: (sha256) => hasKymaArtifact({ database, sha256 }),
      read: (sha256) => findKymaArtifact({ database, sha256 }),
      write: (sha256, content) => keepKymaArtifact({ database, sha256, content }),
    },
  });
  resources.defer(() => artifacts.close());
  if (source && (address || config.prefetch)) {
    const refreshing = repeat({
      everyMilliseconds: config.refreshMilliseconds,
      async work(signal) {
        await address?.refresh();
        if (config.prefetch) await prefetch({ source, artifacts, signal, log });
      },
      onError: (error) => log.error({ err: error }, 'cannot refresh the Kyma releases; what is there stays in force'),
    });
    resources.defer(() => refreshing.stop());
  }
  return {
    catalogue: source && kymaCatalogue({ file: source, artifacts, dependencies: config.dependencies, log }),
    installers: {
      modules: modulesInstaller({ artifacts, fieldManager, warnings: config.warnings, log }),
      'installer-cr': installerCr({ artifacts, log }),
    },
  };
}

function catalogueAddress({
  config: { catalogueUrl: url, catalogueSha256: sha256 },
  database,
  resources,
  log,
}: {
  config: Config['kyma'];
  database: Database;
  resources: AsyncDisposableStack;
  log: Logger;
}): CatalogueAddress | undefined {
  if (url === undefined) return undefined;
  // Whoever configures the address of a catalogue knows where it is.
  const downloads = new Downloads({ privateAddresses: 'allowed' });
  resources.defer(() => downloads.close());
  const store = {
    read: (from: string) => findKymaCatalogue({ database, url: from }),
    write: (from: string, catalogue: { content: string; etag: string | undefined }) =>
      keepKymaCatalogue({ database, url: from, catalogue }),
  };
  return new CatalogueAddress({ url, sha256, downloads, store, log });
}

/** One after the other: nobody waits for it. What cannot be had now is tried again next time. */
async function prefetch({
  source,
  artifacts,
  signal,
  log,
}: {
  source: CatalogueSource;
  artifacts: Artifacts;
  signal: AbortSignal;
  log: Logger;
}): Promise<void> {
  let stored = 0;
  for (const reference of artifactsOf(await source.contents())) {
    signal.throwIfAborted();
    try {
      if (await artifacts.prefetch(reference)) stored += 1;
    } catch (error) {
      log.warn({ err: error, url: reference.url }, 'cannot fetch a Kyma artifact ahead of its use');
    }
  }
  if (stored > 0) log.info({ artifacts: stored }, 'fetched Kyma artifacts ahead of their use');
}
