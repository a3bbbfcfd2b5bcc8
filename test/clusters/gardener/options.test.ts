import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import type { GardenerOrder } from '../../../src/clusters/gardener/gardener-order.ts';
import { Failure } from '../../../src/domain/failures.ts';
import type { GardenerConfig, GardenerProvider, OidcConfig } from '../../../src/domain/gardener-config.ts';
import { newOperationId, newRuntimeId } from '../../../src/domain/ids.ts';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-client.ts';
import { type GardenerWorld, openGardenerWorld } from '../../contract/gardener-world.ts';
import { eventually } from '../../harness/eventually.ts';
import { configs, newOrder } from './orders.ts';

const namespace = 'garden-dev';
const signal = AbortSignal.timeout(120_000);
const shootKind = { apiVersion: 'core.gardener.cloud/v1beta1', plural: 'shoots', namespaced: true };
const coreKind = (plural: string) => ({ apiVersion: 'v1', plural, namespaced: true });
const registrationKind = {
  apiVersion: 'core.gardener.cloud/v1beta1',
  plural: 'controllerregistrations',
  namespaced: false,
};

let world: GardenerWorld;
before(async () => {
  world = await openGardenerWorld();
  const metadata = { name: 'dns-credentials', namespace };
  await world.client.create(coreKind('secrets'), { apiVersion: 'v1', kind: 'Secret', metadata });
});
after(() => world[Symbol.asyncDispose]());

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
async function shootOf({ cluster: { name } }: GardenerOrder): Promise<any> {
  return world.client.get({ ...shootKind, namespace, name });
}

async function configMapOf({ cluster: { name } }: GardenerOrder): Promise<KubernetesObject | undefined> {
  return world.client.get({ ...coreKind('configmaps'), namespace, name });
}

async function reach(order: GardenerOrder, state: 'ready' | 'absent'): Promise<void> {
  await eventually(`the Shoot is ${state}`, async () => (await world.driver.observe(order, signal)).state === state);
}

interface Option {
  readonly says: string;
  readonly provider?: GardenerProvider;
  readonly changes: Partial<GardenerConfig>;
  /** What the Shoot in the Garden has, as far as it matters. */
  readonly spec: object;
}

const vnetCidr = '10.250.0.0/16';
const azureZones = [
  { name: 1, cidr: '10.250.0.0/19' },
  { name: 3, cidr: '10.250.32.0/19' },
];
const aws = configs.aws.providerSpecificConfig.awsConfig;
assert.ok(aws);

const options: readonly Option[] = [
  {
    says: 'a domain of its own, with credentials as Gardener wants them from Kubernetes 1.35 on',
    changes: {
      kubernetesVersion: '1.35.1',
      dnsConfig: {
        domain: 'demo.example.com',
        providers: [
          { type: 'aws-route53', primary: true, secretName: 'dns-credentials', domainsInclude: ['demo.example.com'] },
          { type: 'google-clouddns', primary: false, secretName: 'dns-credentials', domainsInclude: ['other.example'] },
        ],
      },
    },
    spec: {
      dns: {
        domain: 'demo.example.com',
        providers: [
          {
            type: 'aws-route53',
            primary: true,
            credentialsRef: { apiVersion: 'v1', kind: 'Secret', name: 'dns-credentials' },
            domains: { include: ['demo.example.com'] },
          },
          {
            type: 'google-clouddns',
            primary: false,
            credentialsRef: { apiVersion: 'v1', kind: 'Secret', name: 'dns-credentials' },
            domains: { include: ['other.example'] },
          },
        ],
      },
    },
  },
  {
    says: 'an exposure class',
    changes: { exposureClassName: 'internet' },
    spec: { exposureClassName: 'internet' },
  },
  {
    says: 'the networking filter, on',
    changes: { shootNetworkingFilterDisabled: false },
    spec: { extensions: { 0: { type: 'shoot-networking-filter', disabled: false } } },
  },
  {
    says: 'a control plane that outlives a zone',
    changes: { controlPlaneFailureTolerance: 'zone' },
    spec: { controlPlane: { highAvailability: { failureTolerance: { type: 'zone' } } } },
  },
  {
    says: 'access from the EU only',
    changes: { euAccess: true },
    spec: {
      accessRestrictions: [
        {
          name: 'eu-access-only',
          options: {
            'support.gardener.cloud/eu-access-for-cluster-addons': 'true',
            'support.gardener.cloud/eu-access-for-cluster-nodes': 'true',
          },
        },
      ],
    },
  },
  {
    says: 'a Seed of the same region',
    provider: 'azure',
    changes: { shootAndSeedSameRegion: true },
    spec: { seedName: 'az-eu1', seedSelector: { matchLabels: { 'seed.gardener.cloud/region': 'westeurope' } } },
  },
  {
    says: 'a region whose Seeds must be tolerated',
    changes: {
      region: 'me-central2',
      shootAndSeedSameRegion: true,
      providerSpecificConfig: { gcpConfig: { zones: ['me-central2-a'] } },
    },
    spec: { seedName: 'gcp-ksa1', tolerations: [{ key: 'ksa-assured-workload' }] },
  },
  {
    says: 'no privileged containers',
    changes: { allowPrivilegedContainers: false },
    spec: {
      kubernetes: {
        kubeAPIServer: {
          admissionPlugins: { 0: { name: 'PodSecurity', config: { defaults: { enforce: 'baseline' } } } },
        },
      },
    },
  },
  {
    says: 'version 2 of the instance metadata service',
    provider: 'aws',
    changes: { providerSpecificConfig: { awsConfig: { ...aws, enableIMDSv2: true } } },
    spec: {
      provider: {
        workers: {
          0: {
            providerConfig: {
              apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
              kind: 'WorkerConfig',
              instanceMetadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 },
            },
          },
        },
      },
    },
  },
  {
    says: 'a NAT gateway for zones that share a subnet',
    provider: 'azure',
    changes: {
      providerSpecificConfig: {
        azureConfig: { vnetCidr, zones: ['1', '2'], enableNatGateway: true, idleConnectionTimeoutMinutes: 10 },
      },
    },
    spec: {
      provider: {
        infrastructureConfig: {
          zoned: true,
          networks: { workers: '10.250.0.0/22', natGateway: { enabled: true, idleConnectionTimeoutMinutes: 10 } },
        },
        workers: { 0: { zones: ['1', '2'] } },
      },
    },
  },
  {
    says: 'a subnet and a NAT gateway for each zone',
    provider: 'azure',
    changes: { providerSpecificConfig: { azureConfig: { vnetCidr, azureZones, enableNatGateway: true } } },
    spec: {
      provider: {
        infrastructureConfig: {
          zoned: true,
          networks: {
            workers: undefined,
            zones: azureZones.map((zone) => ({ ...zone, natGateway: { enabled: true } })),
          },
        },
        workers: { 0: { zones: ['1', '3'] } },
      },
    },
  },
  {
    says: 'another floating pool',
    provider: 'openstack',
    changes: {
      providerSpecificConfig: {
        openStackConfig: {
          zones: ['eu-de-1a'],
          loadBalancerProvider: 'f5',
          floatingPoolName: 'FloatingIP-external-monsoon3-02',
        },
      },
    },
    spec: {
      exposureClassName: 'converged-cloud-internet',
      provider: { infrastructureConfig: { floatingPoolName: 'FloatingIP-external-monsoon3-02' } },
    },
  },
];

describe('Gardener accepts each option, and the Shoot has it', () => {
  for (const { says, provider = 'gcp', changes, spec } of options) {
    test(`${provider}: ${says}`, async () => {
      const order = newOrder({ ...configs[provider], ...changes });
      assert.deepEqual(await world.driver.check(order), []);
      await world.driver.create(order, newOperationId(), signal);
      await reach(order, 'ready');
      assertPart((await shootOf(order)).spec, spec, 'spec');
    });
  }
});

const refusals: readonly (Omit<Option, 'says' | 'spec'> & { readonly path: string; readonly words: RegExp })[] = [
  {
    changes: { exposureClassName: 'moon' },
    path: '.exposureClassName',
    words: /exposureclass\.core\.gardener\.cloud "moon" not found/,
  },
  {
    changes: {
      region: 'us-central1',
      euAccess: true,
      providerSpecificConfig: { gcpConfig: { zones: ['us-central1-a'] } },
    },
    path: '.euAccess',
    words: /access restriction "eu-access-only" is not supported in region "us-central1"/,
  },
  {
    changes: {
      dnsConfig: {
        domain: 'demo.example.com',
        providers: [{ type: 'carrier-pigeon', primary: true, secretName: 'dns-credentials', domainsInclude: [] }],
      },
    },
    path: '.dnsConfig',
    words: /non-registered extension type: spec\.dns\.providers\[0\]\.type \("carrier-pigeon"\)/,
  },
  {
    provider: 'openstack',
    changes: { providerSpecificConfig: { openStackConfig: { zones: ['eu-de-1a'], loadBalancerProvider: 'f6' } } },
    path: '.providerSpecificConfig',
    words: /loadBalancerProvider: Unsupported value: "f6": supported values: "f5"/,
  },
];

describe("Gardener's own words reach the caller", () => {
  for (const { provider = 'gcp', changes, path, words } of refusals) {
    test(String(words), async () => {
      const [problem, ...others] = await world.driver.check(newOrder({ ...configs[provider], ...changes }));
      assert.deepEqual(others, []);
      assert.match(problem?.message ?? '', words);
      assert.equal(problem?.path, `config.clusterConfig.gardenerConfig${path}`);
    });
  }
});

describe('an OpenID Connect issuer', () => {
  const oidcConfig: OidcConfig = {
    clientID: 'kyma',
    groupsClaim: 'groups',
    issuerURL: 'https://issuer.example.com',
    signingAlgs: ['RS256'],
    usernameClaim: 'sub',
    usernamePrefix: '-',
  };
  const withIssuer = (name?: string) => newOrder({ ...configs.gcp, oidcConfig, ...(name && { name }) });

  test('is in a ConfigMap that the Shoot names and takes along when it goes', async () => {
    const order = withIssuer();
    assert.deepEqual(await world.driver.check(order), []);
    assert.equal(await configMapOf(order), undefined, 'checking makes nothing');
    await world.driver.create(order, newOperationId(), signal);
    const { spec, metadata } = await shootOf(order);
    const configMap = await configMapOf(order);
    assert.ok(configMap);
    assert.equal(spec.kubernetes.kubeAPIServer.structuredAuthentication.configMapName, configMap.metadata.name);
    assert.deepEqual(
      (configMap.metadata.ownerReferences as { uid: string }[]).map(({ uid }) => uid),
      [metadata.uid],
    );
    assert.deepEqual(parse((configMap.data as Record<string, string>)['config.yaml'] ?? ''), {
      apiVersion: 'apiserver.config.k8s.io/v1beta1',
      kind: 'AuthenticationConfiguration',
      jwt: [
        {
          issuer: { url: 'https://issuer.example.com', audiences: ['kyma'] },
          claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { claim: 'groups', prefix: '' } },
        },
      ],
    });
    await reach(order, 'ready');
    await world.driver.requestDeletion(order, signal);
    await reach(order, 'absent');
    await eventually('the ConfigMap is gone', async () => (await configMapOf(order)) === undefined);
  });

  test('belongs to the Shoot also when the answer to its creation was lost', async () => {
    const order = withIssuer();
    world.loseNextCreateReply();
    await assert.rejects(world.driver.create(order, newOperationId(), signal));
    await world.driver.create(order, newOperationId(), signal);
    const owners = (await configMapOf(order))?.metadata.ownerReferences as { uid: string }[];
    assert.deepEqual(
      owners.map(({ uid }) => uid),
      [(await shootOf(order)).metadata.uid],
    );
  });

  test('leaves nothing when Gardener refuses the Shoot', async () => {
    const order = newOrder({ ...configs.gcp, oidcConfig, machineType: 'abacus-1' });
    await assert.rejects(world.driver.create(order, newOperationId(), signal), Failure);
    assert.equal(await configMapOf(order), undefined);
  });

  test('leaves nothing when the creation was interrupted before the Shoot', async () => {
    const order = withIssuer();
    world.landscape.control.addFault({
      target: 'garden',
      method: 'POST',
      path: '/shoots',
      count: 1,
      action: { kind: 'status', status: 503, body: 'not now' },
    });
    await assert.rejects(world.driver.create(order, newOperationId(), signal));
    assert.ok(await configMapOf(order));
    await world.driver.requestDeletion(order, signal);
    assert.equal(await configMapOf(order), undefined);
  });

  test("never touches somebody else's ConfigMap", async () => {
    const theirs = withIssuer();
    await world.driver.create(theirs, newOperationId(), signal);
    const before = await configMapOf(theirs);
    const ours = { ...theirs, runtimeId: newRuntimeId() };
    await assert.rejects(
      world.driver.create(ours, newOperationId(), signal),
      (error) => error instanceof Failure && error.code === 'CLUSTER_NAME_TAKEN',
    );
    await world.driver.requestDeletion(ours, signal);
    assert.deepEqual(await configMapOf(theirs), before);
  });
});

test('extensions that the Garden does not have are left out, unless the caller insists', async () => {
  const bare = await openGardenerWorld();
  try {
    const { items } = await bare.client.list(registrationKind);
    for (const { metadata } of items) await bare.client.delete({ ...registrationKind, name: metadata.name ?? '' });
    const order = newOrder();
    await bare.driver.create(order, newOperationId(), signal);
    const shoot = await bare.client.get({ ...shootKind, namespace, name: order.cluster.name });
    assert.ok(shoot);
    assert.equal((shoot.spec as { extensions?: unknown }).extensions, undefined);
    const insisting = newOrder({ ...configs.gcp, shootNetworkingFilterDisabled: false });
    const [problem] = await bare.driver.check(insisting);
    assert.match(problem?.message ?? '', /non-registered extension type: .* \("shoot-networking-filter"\)/);
  } finally {
    await bare[Symbol.asyncDispose]();
  }
});

/** Compares what is expected, and nothing beside it; arrays are compared whole, or member by member when given as an object. */
function assertPart(actual: unknown, expected: unknown, path: string): void {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) {
    assert.deepEqual(actual, expected, path);
    return;
  }
  for (const [name, value] of Object.entries(expected)) {
    assertPart((actual as Record<string, unknown> | undefined)?.[name], value, `${path}.${name}`);
  }
}
