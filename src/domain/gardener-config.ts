/**
 * A cluster made through Gardener, in the words of the GraphQL input `GardenerConfigInput`. It is stored as it came in
 * (with defaults filled in) and answered as it is stored, so a field has one name everywhere.
 */
export interface GardenerConfig {
  readonly name: string;
  readonly kubernetesVersion?: string;
  readonly machineType: string;
  readonly machineImage?: string;
  readonly machineImageVersion?: string;
  readonly diskType?: string;
  readonly volumeSizeGB?: number;
  readonly region: string;
  readonly provider: GardenerProvider;
  readonly purpose?: string;
  readonly licenceType?: string;
  readonly seed?: string;
  /** The CredentialsBinding in the project's namespace. */
  readonly targetSecret: string;
  readonly workerCidr: string;
  readonly podsCidr?: string;
  readonly servicesCidr?: string;
  readonly autoScalerMin: number;
  readonly autoScalerMax: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  readonly enableKubernetesVersionAutoUpdate?: boolean;
  readonly enableMachineImageVersionAutoUpdate?: boolean;
  readonly providerSpecificConfig: ProviderSpecificConfig;
}

export const gardenerProviders = ['gcp', 'azure', 'aws'] as const;
export type GardenerProvider = (typeof gardenerProviders)[number];

/** Exactly one is set, and it is that of `provider`. */
export interface ProviderSpecificConfig {
  readonly gcpConfig?: GcpProviderConfig;
  readonly azureConfig?: AzureProviderConfig;
  readonly awsConfig?: AwsProviderConfig;
}

export interface GcpProviderConfig {
  readonly zones: readonly string[];
}

export interface AzureProviderConfig {
  readonly vnetCidr: string;
  readonly zones?: readonly string[];
}

export interface AwsProviderConfig {
  readonly vpcCidr: string;
  readonly awsZones: readonly AwsZone[];
}

export interface AwsZone {
  readonly name: string;
  readonly publicCidr: string;
  readonly internalCidr: string;
  readonly workerCidr: string;
}
