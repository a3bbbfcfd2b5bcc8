import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Drift } from '../../../src/clusters/cluster-watch.ts';
import { providers } from '../../../src/clusters/gardener/providers/providers.ts';
import { findDrift } from '../../../src/clusters/gardener/shoot/find-drift.ts';
import { keptShoot } from '../../../src/clusters/gardener/shoot/kept-shoot.ts';
import { asShoot } from '../../../src/clusters/gardener/shoot/shoot.ts';
import { shootManifest } from '../../../src/clusters/gardener/shoot/shoot-manifest.ts';
import { type GardenerConfig, gardenerProviders } from '../../../src/domain/gardener-config.ts';
import { newOperationId } from '../../../src/domain/ids.ts';
import { configs, orderOf } from './orders.ts';

const settings = {
  namespace: 'garden-dev',
  autoUpdateKubernetesVersion: false,
  autoUpdateMachineImageVersion: false,
};

const whole: GardenerConfig = {
  ...configs.gcp,
  machineImage: 'gardenlinux',
  machineImageVersion: '1592.4.0',
  seed: 'gcp-eu1',
  exposureClassName: 'internet',
  controlPlaneFailureTolerance: 'zone',
  euAccess: true,
  enableKubernetesVersionAutoUpdate: true,
  enableMachineImageVersionAutoUpdate: false,
  shootNetworkingFilterDisabled: false,
  dnsConfig: { domain: 'demo.example.com', providers: [] },
  oidcConfig: {
    clientID: 'kyma',
    groupsClaim: 'groups',
    issuerURL: 'https://issuer.example.com',
    signingAlgs: ['RS256'],
    usernameClaim: 'sub',
    usernamePrefix: '-',
  },
};

// biome-ignore lint/suspicious/noExplicitAny: a Shoot as somebody else leaves it
type Live = any;

/** The Shoot that was made for a configuration, and what somebody has done to it since. */
function driftAfter(config: GardenerConfig, meddle: (spec: Live, worker: Live) => void): readonly Drift[] {
  const shoot: Live = structuredClone(
    JSON.parse(JSON.stringify(shootManifest({ order: orderOf(config), settings, operationId: newOperationId() }))),
  );
  meddle(shoot.spec, shoot.spec.provider.workers[0]);
  return findDrift({ config, provider: providers[config.provider], live: asShoot(keptShoot(shoot)) });
}

for (const provider of gardenerProviders) {
  test(`the Shoot that we make on ${provider} has not drifted, whatever Gardener fills in`, () => {
    const drift = driftAfter(configs[provider], (spec, worker) => {
      spec.kubernetes = { ...spec.kubernetes, kubeAPIServer: { requests: { maxNonMutatingInflight: 400 } } };
      spec.maintenance = { ...spec.maintenance, timeWindow: { begin: '220000+0100', end: '230000+0100' } };
      spec.exposureClassName ??= 'default';
      spec.provider.infrastructureConfig.networks.flowLogs = { enabled: true };
      spec.accessRestrictions = [{ name: 'eu-access-only', options: {} }];
      worker.cri = { name: 'containerd' };
      worker.machine.image ??= { name: 'gardenlinux', version: '1592.4.0' };
    });
    assert.deepEqual(drift, []);
  });
}

const cases: readonly (readonly [
  field: string,
  meddle: (spec: Live, worker: Live) => void,
  ours: string,
  theirs: string | undefined,
])[] = [
  [
    'machineType',
    (_, worker) => Object.assign(worker.machine, { type: 'n1-standard-4' }),
    'n2-standard-4',
    'n1-standard-4',
  ],
  ['machineImage', (_, worker) => Object.assign(worker.machine.image, { name: 'ubuntu' }), 'gardenlinux', 'ubuntu'],
  ['diskType', (_, worker) => Object.assign(worker.volume, { type: 'pd-ssd' }), 'pd-balanced', 'pd-ssd'],
  ['volumeSizeGB', (_, worker) => Object.assign(worker.volume, { size: '80Gi' }), '50', '80'],
  ['autoScalerMin', (_, worker) => Object.assign(worker, { minimum: 0 }), '2', '0'],
  ['autoScalerMax', (_, worker) => Object.assign(worker, { maximum: 40 }), '4', '40'],
  ['maxSurge', (_, worker) => Object.assign(worker, { maxSurge: 1 }), '4', '1'],
  ['maxUnavailable', (_, worker) => Object.assign(worker, { maxUnavailable: 0 }), '1', '0'],
  ['zones', (_, worker) => worker.zones.push('europe-west3-b'), 'europe-west3-a', 'europe-west3-a, europe-west3-b'],
  ['purpose', (spec) => Object.assign(spec, { purpose: 'production' }), 'evaluation', 'production'],
  ['seed', (spec) => Object.assign(spec, { seedName: 'gcp-eu2' }), 'gcp-eu1', 'gcp-eu2'],
  ['targetSecret', (spec) => Object.assign(spec, { credentialsBindingName: 'theirs' }), 'gcp-credentials', 'theirs'],
  [
    'workerCidr',
    (spec) => Object.assign(spec.networking, { nodes: '10.250.0.0/20' }),
    '10.250.0.0/22',
    '10.250.0.0/20',
  ],
  ['exposureClassName', (spec) => delete spec.exposureClassName, 'internet', undefined],
  ['controlPlaneFailureTolerance', (spec) => delete spec.controlPlane, 'zone', undefined],
  ['euAccess', (spec) => delete spec.accessRestrictions, 'true', 'false'],
  [
    'enableKubernetesVersionAutoUpdate',
    (spec) => Object.assign(spec.maintenance.autoUpdate, { kubernetesVersion: false }),
    'true',
    'false',
  ],
  [
    'enableMachineImageVersionAutoUpdate',
    (spec) => Object.assign(spec.maintenance.autoUpdate, { machineImageVersion: true }),
    'false',
    'true',
  ],
  ['shootNetworkingFilterDisabled', (spec) => delete spec.extensions, 'false', 'true'],
  [
    'shootNetworkingFilterDisabled',
    (spec) => Object.assign(spec.extensions[0], { type: 'shoot-networking-filter', disabled: true }),
    'false',
    'true',
  ],
  [
    'dnsConfig.domain',
    (spec) => Object.assign(spec.dns, { domain: 'other.example.com' }),
    'demo.example.com',
    'other.example.com',
  ],
  ['oidcConfig', (spec) => delete spec.kubernetes.kubeAPIServer, 'ConfigMap c-1a2b3c4', undefined],
  [
    'oidcConfig',
    ({ kubernetes }) => Object.assign(kubernetes.kubeAPIServer.structuredAuthentication, { configMapName: 'other' }),
    'ConfigMap c-1a2b3c4',
    'ConfigMap other',
  ],
  [
    'oidcConfig.clientID',
    ({ kubernetes }) => {
      kubernetes.kubeAPIServer = { oidcConfig: { ...whole.oidcConfig, clientID: 'other' } };
    },
    'kyma',
    'other',
  ],
  [
    'providerSpecificConfig.infrastructureConfig.networks.workers',
    (spec) => Object.assign(spec.provider.infrastructureConfig.networks, { workers: '10.250.0.0/20' }),
    '10.250.0.0/22',
    '10.250.0.0/20',
  ],
  ['kubernetesVersion', (spec) => Object.assign(spec.kubernetes, { version: '1.33.9' }), '1.34.2', '1.33.9'],
];

describe('what somebody else changes is found, alone', () => {
  for (const [field, meddle, ours, theirs] of cases) {
    test(field, () => {
      assert.deepEqual(driftAfter(whole, meddle), [{ field, ours, theirs, kind: 'changed' }]);
    });
  }
});

test('a worker that hands out what an older metadata service does is found', () => {
  const { awsConfig } = configs.aws.providerSpecificConfig;
  assert.ok(awsConfig);
  const hardened = { ...configs.aws, providerSpecificConfig: { awsConfig: { ...awsConfig, enableIMDSv2: true } } };
  assert.deepEqual(
    driftAfter(hardened, () => undefined),
    [],
  );
  assert.deepEqual(
    driftAfter(hardened, (_, worker) => delete worker.providerConfig),
    [{ field: 'providerSpecificConfig.enableIMDSv2', ours: 'true', theirs: 'false', kind: 'changed' }],
  );
});

test('a version that was raised is told as newer; a patch of the minor that was asked for is none', () => {
  const raise = (spec: Live, worker: Live) => {
    spec.kubernetes.version = '1.34.10';
    worker.machine.image.version = '1592.14.0';
  };
  assert.deepEqual(driftAfter(whole, raise), [
    { field: 'kubernetesVersion', ours: '1.34.2', theirs: '1.34.10', kind: 'newer' },
    { field: 'machineImageVersion', ours: '1592.4.0', theirs: '1592.14.0', kind: 'newer' },
  ]);
  assert.deepEqual(
    driftAfter({ ...whole, kubernetesVersion: '1.34' }, (spec) => {
      spec.kubernetes.version = '1.34.10';
    }),
    [],
  );
});

test('a pool that is not ours is told, and so is ours when it is gone', () => {
  const other = (spec: Live, worker: Live) => spec.provider.workers.push({ ...worker, name: 'gpu' });
  assert.deepEqual(driftAfter(whole, other), [{ field: 'workers', ours: undefined, theirs: 'gpu', kind: 'changed' }]);
  const rename = (_: Live, worker: Live) => Object.assign(worker, { name: 'gpu' });
  assert.deepEqual(driftAfter(whole, rename), [
    { field: 'workers', ours: 'cpu-worker-0', theirs: 'gpu', kind: 'changed' },
  ]);
});

test('a Shoot of an old Garden names the same things by other fields', () => {
  const drift = driftAfter(whole, (spec) => {
    spec.secretBindingName = spec.credentialsBindingName;
    delete spec.credentialsBindingName;
  });
  assert.deepEqual(drift, []);
});
