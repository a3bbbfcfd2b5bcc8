import { after, before } from 'node:test';
import { type KymaWorld, startKymaWorld } from '../kyma/kyma-world.ts';
import { kymaInstallerSuite } from './kyma-installer-suite.ts';

let world: KymaWorld;
before(async () => {
  world = await startKymaWorld();
});
after(() => world.stop());

kymaInstallerSuite('modules', async () => ({
  ...{ world, installer: world.installer },
  before: await world.resolve({ version: '1.0.0' }),
  after: await world.resolve({ version: '1.1.0' }),
  fingerprint: ({ api }) =>
    ['istios.operator.kyma-project.io', 'deployments', 'configmaps'].flatMap((type) =>
      api.list(type).map(({ metadata }) => `${metadata.uid}/${metadata.resourceVersion}`),
    ),
  release: ({ api }) => api.read('configmaps', 'kyma-system', 'istio-controller-manager-config')?.data.version,
  stays: /^$/,
  releases: { before: '1.10.2', after: '1.11.0' },
}));
