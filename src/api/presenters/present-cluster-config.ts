import type { GardenerConfig, ProviderSpecificConfig } from '../../domain/gardener-config.ts';
import { gkeLocation, totalNumberOfNodes } from '../../domain/gcp-config.ts';
import type { ClusterRecord, GardenerCluster, GkeCluster } from '../../domain/runtime.ts';
import type * as answers from '../generated/schema.ts';

/** Stored and answered fields have the same names; only the provider's part changes its shape. */
export function presentClusterConfig(cluster: ClusterRecord): answers.GardenerConfig | answers.GCPConfig {
  return cluster.driver === 'gke' ? presentGkeCluster(cluster) : presentGardenerCluster(cluster);
}

function presentGkeCluster({ config, name }: GkeCluster): answers.GCPConfig {
  return {
    ...config,
    __typename: 'GCPConfig',
    name,
    volumeSizeGB: config.bootDiskSizeGB,
    location: gkeLocation(config).name,
    totalNumberOfNodes: totalNumberOfNodes(config),
  };
}

function presentGardenerCluster({ config, name, seed }: GardenerCluster): answers.GardenerConfig {
  return {
    ...(config satisfies Omit<GardenerConfig, 'providerSpecificConfig'>),
    __typename: 'GardenerConfig',
    name,
    seed: config.seed ?? seed,
    providerSpecificConfig: presentProviderSpecific(config.providerSpecificConfig),
  };
}

function presentProviderSpecific(config: ProviderSpecificConfig): answers.ProviderSpecificConfig | undefined {
  const { gcpConfig, azureConfig, awsConfig, openStackConfig } = config;
  if (gcpConfig) return { __typename: 'GCPProviderConfig', ...gcpConfig, zone: gcpConfig.zones[0] };
  if (azureConfig) return { __typename: 'AzureProviderConfig', ...azureConfig };
  if (openStackConfig) return { __typename: 'OpenStackProviderConfig', ...openStackConfig };
  if (awsConfig === undefined) return undefined;
  const [first] = awsConfig.awsZones;
  return {
    __typename: 'AWSProviderConfig',
    ...awsConfig,
    zone: first?.name,
    publicCidr: first?.publicCidr,
    internalCidr: first?.internalCidr,
  };
}
