import { after, before } from 'node:test';
import { helmReleases } from '../../landscape/runtime-cluster/kyma-installer-components.ts';
import { type KymaWorld, startKymaWorld } from '../kyma/kyma-world.ts';
import { kymaInstallerSuite } from './kyma-installer-suite.ts';

let world: KymaWorld;
before(async () => {
  world = await startKymaWorld();
});
after(() => world.stop());

kymaInstallerSuite('Kyma 1', async () => ({
  ...{ world, installer: world.installerCr },
  before: await world.resolve({ version: '1.23.0' }),
  after: await world.resolve({ version: '1.24.11' }),
  fingerprint: ({ api }) =>
    ['installations.installer.kyma-project.io', 'deployments', 'secrets'].flatMap((type) =>
      api.list(type).map(({ metadata }) => `${metadata.uid}/${metadata.resourceVersion}`),
    ),
  release: ({ api }) => helmReleases(api).find(({ name }) => name === 'istio')?.version,
  // Helm makes namespaces, and removes none.
  stays: /^Namespace \/(kyma|istio|compass)-system$/,
  releases: { before: '1.23.0', after: '1.24.11' },
}));
