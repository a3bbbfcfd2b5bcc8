import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { GardenerConfig, GardenerProvider } from '../../../../src/domain/gardener-config.ts';
import { type GardenerWorld, openGardenerWorld } from '../../../contract/gardener-world.ts';
import { type LiveShoot, liveShoot, meddle } from './live-shoot.ts';

let world: GardenerWorld;
before(async () => {
  world = await openGardenerWorld();
});
after(() => world[Symbol.asyncDispose]());

interface Case {
  readonly asked: Partial<GardenerConfig>;
  /** Those of `asked` when not given. */
  readonly fields?: readonly string[];
  readonly different: Readonly<Record<string, unknown>>;
}

const pool = 'spec.provider.workers.cpu-worker-0';
const infrastructure = 'spec.provider.infrastructureConfig.networks';
const block = (provider: GardenerProvider, value: object, ...names: readonly string[]) => {
  const key = { gcp: 'gcpConfig', azure: 'azureConfig', aws: 'awsConfig', openstack: 'openStackConfig' }[provider];
  return {
    asked: { providerSpecificConfig: { [key]: value } },
    fields: names.map((name) => `providerSpecificConfig.${key}.${name}`),
  };
};

/** What every cloud lets a cluster change; each on top of those before it. */
const common: readonly Case[] = [
  { asked: { kubernetesVersion: '1.34.3' }, different: { 'spec.kubernetes.version': '1.34.3' } },
  { asked: { kubernetesVersion: '1.35' }, different: { 'spec.kubernetes.version': '1.35.1' } },
  {
    asked: { machineImage: 'ubuntu' },
    different: {
      [`${pool}.machine.image.name`]: 'ubuntu',
      [`${pool}.machine.image.version`]: '22.4.20251015',
    },
  },
  {
    asked: { machineImage: 'gardenlinux', machineImageVersion: '1877.8.0' },
    different: {
      [`${pool}.machine.image.name`]: 'gardenlinux',
      [`${pool}.machine.image.version`]: '1877.8.0',
    },
  },
  { asked: { machineImageVersion: '1877.9.0' }, different: { [`${pool}.machine.image.version`]: '1877.9.0' } },
  { asked: { autoScalerMin: 3, autoScalerMax: 7 }, different: { [`${pool}.minimum`]: 3, [`${pool}.maximum`]: 7 } },
  { asked: { maxSurge: 2, maxUnavailable: 0 }, different: { [`${pool}.maxSurge`]: 2, [`${pool}.maxUnavailable`]: 0 } },
  { asked: { purpose: 'production' }, different: { 'spec.purpose': 'production' } },
  {
    asked: { enableKubernetesVersionAutoUpdate: true },
    different: { 'spec.maintenance.autoUpdate.kubernetesVersion': true },
  },
  {
    asked: { enableMachineImageVersionAutoUpdate: true },
    different: { 'spec.maintenance.autoUpdate.machineImageVersion': true },
  },
  {
    asked: { shootNetworkingFilterDisabled: false },
    different: { 'spec.extensions.shoot-networking-filter.disabled': false },
  },
  {
    asked: { shootNetworkingFilterDisabled: true },
    different: { 'spec.extensions.shoot-networking-filter.disabled': true },
  },
];

const volume = (diskType: string): Case => ({
  asked: { diskType, volumeSizeGB: 80 },
  different: { [`${pool}.volume.type`]: diskType, [`${pool}.volume.size`]: '80Gi' },
});
const awsZone = (letter: string, third: number) => ({
  name: `eu-central-1${letter}`,
  workerCidr: `10.250.${third}.0/19`,
  publicCidr: `10.250.${third + 32}.0/20`,
  internalCidr: `10.250.${third + 48}.0/20`,
});
const twoZones = [awsZone('a', 0), awsZone('b', 64)];

/** What each cloud has beside that. */
const ofProvider: Readonly<Record<GardenerProvider, readonly Case[]>> = {
  gcp: [
    volume('pd-ssd'),
    { asked: { machineType: 'n2-standard-8' }, different: { [`${pool}.machine.type`]: 'n2-standard-8' } },
    {
      asked: { workerCidr: '10.250.0.0/20' },
      different: {
        [`${infrastructure}.workers`]: '10.250.0.0/20',
        'spec.networking.nodes': '10.250.0.0/20',
      },
    },
    {
      ...block('gcp', { zones: ['europe-west3-a', 'europe-west3-c'] }, 'zones'),
      different: {
        [`${pool}.zones`]: ['europe-west3-a', 'europe-west3-c'],
      },
    },
  ],
  azure: [
    volume('Standard_LRS'),
    { asked: { machineType: 'Standard_D8s_v5' }, different: { [`${pool}.machine.type`]: 'Standard_D8s_v5' } },
    { asked: { workerCidr: '10.250.0.0/21' }, different: { [`${infrastructure}.workers`]: '10.250.0.0/21' } },
    {
      ...block('azure', { vnetCidr: '10.248.0.0/14', zones: ['1', '2'] }, 'vnetCidr'),
      different: {
        [`${infrastructure}.vnet.cidr`]: '10.248.0.0/14',
        'spec.networking.nodes': '10.248.0.0/14',
      },
    },
    {
      ...block('azure', { vnetCidr: '10.248.0.0/14', zones: ['1', '2', '3'] }, 'zones'),
      different: {
        [`${pool}.zones`]: ['1', '2', '3'],
      },
    },
    {
      ...block(
        'azure',
        { vnetCidr: '10.248.0.0/14', zones: ['1', '2', '3'], enableNatGateway: true },
        'enableNatGateway',
      ),
      different: {
        [`${infrastructure}.natGateway`]: { enabled: true },
      },
    },
    {
      ...block(
        'azure',
        { vnetCidr: '10.248.0.0/14', zones: ['1', '2', '3'], enableNatGateway: true, idleConnectionTimeoutMinutes: 9 },
        'idleConnectionTimeoutMinutes',
      ),
      different: { [`${infrastructure}.natGateway.idleConnectionTimeoutMinutes`]: 9 },
    },
    {
      ...block(
        'azure',
        { vnetCidr: '10.248.0.0/14', zones: ['1', '2', '3'], enableNatGateway: false },
        'enableNatGateway',
      ),
      different: {
        [`${infrastructure}.natGateway`]: undefined,
      },
    },
  ],
  aws: [
    volume('gp2'),
    { asked: { machineType: 'm5.2xlarge' }, different: { [`${pool}.machine.type`]: 'm5.2xlarge' } },
    {
      ...block('aws', { vpcCidr: '10.250.0.0/16', awsZones: [...twoZones, awsZone('c', 128)] }, 'awsZones'),
      different: {
        [`${infrastructure}.zones.eu-central-1c`]: {
          name: 'eu-central-1c',
          workers: '10.250.128.0/19',
          public: '10.250.160.0/20',
          internal: '10.250.176.0/20',
        },
        [`${pool}.zones`]: ['eu-central-1a', 'eu-central-1b', 'eu-central-1c'],
      },
    },
    {
      ...block(
        'aws',
        { vpcCidr: '10.250.0.0/16', awsZones: [...twoZones, awsZone('c', 128)], enableIMDSv2: true },
        'enableIMDSv2',
      ),
      different: {
        [`${pool}.providerConfig`]: {
          apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
          kind: 'WorkerConfig',
          instanceMetadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 },
        },
      },
    },
    {
      ...block(
        'aws',
        { vpcCidr: '10.250.0.0/16', awsZones: [...twoZones, awsZone('c', 128)], enableIMDSv2: false },
        'enableIMDSv2',
      ),
      different: {
        [`${pool}.providerConfig.instanceMetadataOptions.httpTokens`]: 'optional',
      },
    },
  ],
  openstack: [
    { asked: { machineType: 'g_c8_m32' }, different: { [`${pool}.machine.type`]: 'g_c8_m32' } },
    {
      ...block('openstack', { zones: ['eu-de-1a', 'eu-de-1b', 'eu-de-1d'], loadBalancerProvider: 'f5' }, 'zones'),
      different: {
        [`${pool}.zones`]: ['eu-de-1a', 'eu-de-1b', 'eu-de-1d'],
      },
    },
  ],
};

for (const [provider, cases] of Object.entries(ofProvider) as [GardenerProvider, readonly Case[]][]) {
  describe(`a cluster on ${provider} that others have changed, too`, () => {
    let shoot: LiveShoot;
    before(async () => {
      // Chosen when a cluster is made, it is to outlive every change.
      shoot = await liveShoot(world, provider, { controlPlaneFailureTolerance: 'node' });
      await meddle(world, shoot);
    });
    for (const { asked, fields, different } of [...common, ...cases]) {
      const what = (fields ?? Object.keys(asked)).join(' and ');
      test(`gets ${what} ${Object.values(different)
        .map((value) => JSON.stringify(value))
        .join()} and nothing else`, async () => {
        assert.deepEqual(await shoot.give(asked, fields), { different, kept: [] });
        // The same once more changes nothing, and is answered from the state that there is.
        assert.deepEqual(await shoot.give(asked, fields), { different: {}, kept: [] });
      });
    }
  });
}
