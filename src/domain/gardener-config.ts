/**
 * A cluster made through Gardener, in the words of the GraphQL input `GardenerConfigInput`. It is stored as it came in
 * (with defaults filled in) and answered as it is stored, so a field has one name everywhere.
 */
export interface GardenerConfig {
  readonly name: string;
  readonly kubernetesVersion?: string;
  /** Absent only until the driver has completed what the caller left open. */
  readonly machineType?: string;
  readonly machineImage?: string;
  readonly machineImageVersion?: string;
  readonly diskType?: string;
  readonly volumeSizeGB?: number;
  readonly region: string;
  readonly provider: GardenerProvider;
  readonly purpose?: string;
  readonly licenceType?: string;
  readonly seed?: string;
  readonly shootAndSeedSameRegion?: boolean;
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
  readonly allowPrivilegedContainers?: boolean;
  readonly oidcConfig?: OidcConfig;
  readonly dnsConfig?: DnsConfig;
  readonly exposureClassName?: string;
  readonly shootNetworkingFilterDisabled?: boolean;
  readonly controlPlaneFailureTolerance?: string;
  readonly euAccess?: boolean;
  /** Of 2019: the Gardener project, which must be the one that this service works in. */
  readonly projectName?: string;
  /** Of 2019: fewest nodes where `autoScalerMin` is not given. */
  readonly nodeCount?: number;
  readonly providerSpecificConfig: ProviderSpecificConfig;
}

export const gardenerProviders = ['gcp', 'azure', 'aws', 'openstack'] as const;
export type GardenerProvider = (typeof gardenerProviders)[number];

/** Who may authenticate with tokens of an OpenID Connect issuer. Texts may be empty. */
export interface OidcConfig {
  readonly clientID: string;
  readonly groupsClaim: string;
  readonly issuerURL: string;
  readonly signingAlgs: readonly string[];
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
}

export interface DnsConfig {
  readonly domain: string;
  readonly providers: readonly DnsProvider[];
}

export interface DnsProvider {
  readonly domainsInclude: readonly string[];
  readonly primary: boolean;
  /** In the project's namespace. */
  readonly secretName: string;
  readonly type: string;
}

/** Exactly one is set, and it is that of `provider`. */
export interface ProviderSpecificConfig {
  readonly gcpConfig?: GcpProviderConfig;
  readonly azureConfig?: AzureProviderConfig;
  readonly awsConfig?: AwsProviderConfig;
  readonly openStackConfig?: OpenStackProviderConfig;
}

export interface GcpProviderConfig {
  readonly zones: readonly string[];
}

/** Either `zones`, which share one subnet, or `azureZones`, which have one each. */
export interface AzureProviderConfig {
  readonly vnetCidr: string;
  readonly zones?: readonly string[];
  readonly azureZones?: readonly AzureZone[];
  readonly enableNatGateway?: boolean;
  readonly idleConnectionTimeoutMinutes?: number;
}

export interface AzureZone {
  readonly name: number;
  readonly cidr: string;
}

export interface AwsProviderConfig {
  readonly vpcCidr: string;
  readonly awsZones: readonly AwsZone[];
  readonly enableIMDSv2?: boolean;
}

export interface AwsZone {
  readonly name: string;
  readonly publicCidr: string;
  readonly internalCidr: string;
  readonly workerCidr: string;
}

export interface OpenStackProviderConfig {
  readonly zones: readonly string[];
  readonly floatingPoolName?: string;
  readonly cloudProfileName?: string;
  readonly loadBalancerProvider: string;
}
