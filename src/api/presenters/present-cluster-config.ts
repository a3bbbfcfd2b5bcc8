import type { GardenerConfig, ProviderSpecificConfig } from '../../domain/gardener-config.ts';
import type { ClusterRecord } from '../../domain/runtime.ts';
import type * as answers from '../generated/schema.ts';

/** Stored and answered fields have the same names; only the provider's part changes its shape. */
export function presentClusterConfig({ config, name, seed }: ClusterRecord): answers.GardenerConfig {
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
