import type { GardenerConfigInput, KymaConfigInput, ProvisionRuntimeInput } from '../../src/api/generated/schema.ts';

/** What differs from the tutorial's order. */
export interface Changes {
  readonly runtimeInput?: Partial<ProvisionRuntimeInput['runtimeInput']>;
  readonly gardenerConfig?: Partial<GardenerConfigInput>;
  /** Null: no Kyma. */
  readonly kymaConfig?: KymaConfigInput | null;
  readonly administrators?: readonly string[];
}

/** Both modules of the tutorial. */
export const tutorialKyma: KymaConfigInput = {
  version: 'fast',
  components: [
    { component: 'istio', namespace: 'kyma-system' },
    { component: 'application-connector', namespace: 'kyma-system' },
  ],
};

const gcp: GardenerConfigInput = {
  kubernetesVersion: '1.34.2',
  provider: 'gcp',
  targetSecret: 'gcp-credentials',
  region: 'europe-west3',
  machineType: 'n2-standard-4',
  diskType: 'pd-balanced',
  volumeSizeGB: 50,
  workerCidr: '10.250.0.0/22',
  autoScalerMin: 2,
  autoScalerMax: 4,
  maxSurge: 4,
  maxUnavailable: 1,
  purpose: 'evaluation',
  providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a'] } },
};

export const azure: Partial<GardenerConfigInput> = {
  provider: 'azure',
  targetSecret: 'azure-credentials',
  region: 'westeurope',
  machineType: 'Standard_D4s_v5',
  diskType: 'StandardSSD_LRS',
  providerSpecificConfig: { azureConfig: { vnetCidr: '10.250.0.0/16', zones: ['1', '2'] } },
};

export const aws: Partial<GardenerConfigInput> = {
  provider: 'aws',
  targetSecret: 'aws-credentials',
  region: 'eu-central-1',
  machineType: 'm5.xlarge',
  diskType: 'gp3',
  providerSpecificConfig: {
    awsConfig: {
      vpcCidr: '10.250.0.0/16',
      awsZones: [
        {
          name: 'eu-central-1a',
          workerCidr: '10.250.0.0/22',
          publicCidr: '10.250.32.0/20',
          internalCidr: '10.250.48.0/20',
        },
      ],
    },
  },
};

/** The tutorial's order with changes. */
export function orderOf({
  runtimeInput,
  gardenerConfig,
  kymaConfig,
  administrators,
}: Changes = {}): ProvisionRuntimeInput {
  return {
    runtimeInput: { name: 'demo', description: 'first runtime', labels: { team: 'a' }, ...runtimeInput },
    clusterConfig: {
      gardenerConfig: { ...gcp, ...gardenerConfig },
      ...(administrators && { administrators: [...administrators] }),
    },
    ...(kymaConfig !== null && { kymaConfig: kymaConfig ?? tutorialKyma }),
  };
}
