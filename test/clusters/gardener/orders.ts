import type { GardenerOrder } from '../../../src/clusters/gardener/gardener-order.ts';
import type { GardenerConfig, GardenerProvider } from '../../../src/domain/gardener-config.ts';
import { newRuntimeId, parseRuntimeId, parseTenant } from '../../../src/domain/ids.ts';

const common = {
  name: 'c-1a2b3c4',
  kubernetesVersion: '1.34.2',
  autoScalerMin: 2,
  autoScalerMax: 4,
  maxSurge: 4,
  maxUnavailable: 1,
  purpose: 'evaluation',
};

/** A valid input for each provider. */
export const configs: Readonly<Record<GardenerProvider, GardenerConfig>> = {
  gcp: {
    ...common,
    provider: 'gcp',
    region: 'europe-west3',
    targetSecret: 'gcp-credentials',
    machineType: 'n2-standard-4',
    diskType: 'pd-balanced',
    volumeSizeGB: 50,
    workerCidr: '10.250.0.0/22',
    providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a'] } },
  },
  azure: {
    ...common,
    provider: 'azure',
    region: 'westeurope',
    targetSecret: 'azure-credentials',
    machineType: 'Standard_D4s_v5',
    diskType: 'StandardSSD_LRS',
    volumeSizeGB: 50,
    workerCidr: '10.250.0.0/22',
    providerSpecificConfig: { azureConfig: { vnetCidr: '10.250.0.0/16', zones: ['1', '2'] } },
  },
  aws: {
    ...common,
    provider: 'aws',
    region: 'eu-central-1',
    targetSecret: 'aws-credentials',
    machineType: 'm6i.xlarge',
    diskType: 'gp3',
    volumeSizeGB: 50,
    workerCidr: '10.250.0.0/19',
    providerSpecificConfig: {
      awsConfig: {
        vpcCidr: '10.250.0.0/16',
        awsZones: [
          {
            name: 'eu-central-1a',
            workerCidr: '10.250.0.0/19',
            publicCidr: '10.250.32.0/20',
            internalCidr: '10.250.48.0/20',
          },
          {
            name: 'eu-central-1b',
            workerCidr: '10.250.64.0/19',
            publicCidr: '10.250.96.0/20',
            internalCidr: '10.250.112.0/20',
          },
        ],
      },
    },
  },
  openstack: {
    ...common,
    provider: 'openstack',
    region: 'eu-de-1',
    targetSecret: 'openstack-credentials',
    machineType: 'g_c4_m16',
    workerCidr: '10.250.0.0/22',
    providerSpecificConfig: {
      openStackConfig: { zones: ['eu-de-1a', 'eu-de-1b'], loadBalancerProvider: 'f5' },
    },
  },
};

/** Always the same Runtime, for golden files. */
export function orderOf(config: GardenerConfig): GardenerOrder {
  return {
    runtimeId: parseRuntimeId('309051b6-0bac-44c8-8bae-3fc59c12bb5c'),
    tenant: parseTenant('tenant-a'),
    subAccount: 'sub-1',
    cluster: { driver: 'gardener', name: config.name, config, domain: undefined, seed: undefined },
  };
}

let made = 0;

/** Another Runtime and another name with each call. */
export function newOrder(config: GardenerConfig = configs.gcp): GardenerOrder {
  made += 1;
  const name = `t-${made.toString(36)}${Math.random().toString(36).slice(2, 6)}`;
  return { ...orderOf({ ...config, name }), runtimeId: newRuntimeId() };
}
