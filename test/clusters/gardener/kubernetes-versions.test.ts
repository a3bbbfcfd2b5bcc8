import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type GardenerConfig, type GardenerProvider, gardenerProviders } from '../../../src/domain/gardener-config.ts';
import { newOperationId } from '../../../src/domain/ids.ts';
import { readPath } from '../../../src/domain/json.ts';
import { type GardenerWorld, openGardenerWorld } from '../../contract/gardener-world.ts';
import { configs, newOrder } from './orders.ts';

const namespace = 'garden-dev';
const signal = AbortSignal.timeout(60_000);
const shoots = { apiVersion: 'core.gardener.cloud/v1beta1', plural: 'shoots', namespaced: true };

/** What is asked for, and what Gardener makes of it. */
const versions = {
  '1.36.0': '1.36.0',
  '1.35': '1.35.1',
  '1.35.0': '1.35.0',
  '1.34': '1.34.3',
  '1.33': '1.33.6',
  '1.32': '1.32.10',
} as const;

/** Everything that a caller can ask for at once; a field that Gardener removed shows in one version at least. */
const options: Partial<GardenerConfig> = {
  purpose: 'production',
  licenceType: 'TestDevelopment',
  controlPlaneFailureTolerance: 'zone',
  euAccess: true,
  allowPrivilegedContainers: false,
  shootNetworkingFilterDisabled: false,
  enableKubernetesVersionAutoUpdate: true,
  oidcConfig: {
    clientID: 'kyma',
    groupsClaim: 'groups',
    issuerURL: 'https://issuer.example.com',
    signingAlgs: ['RS256'],
    usernameClaim: 'sub',
    usernamePrefix: '-',
  },
  dnsConfig: {
    domain: 'demo.example.com',
    providers: [{ type: 'aws-route53', primary: true, secretName: 'dns-credentials', domainsInclude: [] }],
  },
};

let world: GardenerWorld;
before(async () => {
  world = await openGardenerWorld();
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'dns-credentials', namespace } };
  await world.client.create({ apiVersion: 'v1', plural: 'secrets', namespaced: true }, secret);
});
after(() => world[Symbol.asyncDispose]());

describe('Gardener accepts our Shoots, bare and with everything, at every version of Kubernetes', () => {
  for (const provider of gardenerProviders) {
    for (const [asked, made] of Object.entries(versions)) {
      test(`${provider} ${asked}`, async () => {
        assert.equal(await versionOf(provider, { kubernetesVersion: asked }), made);
        assert.equal(await versionOf(provider, { ...options, kubernetesVersion: asked }), made);
      });
    }
    test(`${provider} at no version in particular gets the latest supported one, which is no preview`, async () => {
      assert.equal(await versionOf(provider, { kubernetesVersion: undefined }), '1.35.1');
    });
  }
});

async function versionOf(provider: GardenerProvider, changes: Partial<GardenerConfig>): Promise<unknown> {
  const order = newOrder({ ...configs[provider], ...changes });
  assert.deepEqual(await world.driver.check(order), []);
  await world.driver.create(order, newOperationId(), signal);
  const shoot = await world.client.get({ ...shoots, namespace, name: order.cluster.name });
  return readPath(shoot, 'spec', 'kubernetes', 'version');
}
