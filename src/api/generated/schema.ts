// Printed from schema/ by `npm run generate`. Do not edit.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { OperationView, RuntimeView, OrphanView } from '../views.ts';
import type { ListedRuntime } from '../../db/queries/list-runtimes.ts';
import type { OrphanSearchState } from '../../db/queries/orphan-searches.ts';
import type { FollowedEvent } from '../../domain/operation-event.ts';
import type { UpdateWithCursor } from '../live/runtime-track.ts';
import type { RequestContext } from '../context.ts';
export type Maybe<T> = T | null | undefined;
export type InputMaybe<T> = T | null | undefined;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** An object as it would be sent: a Kubernetes manifest, or the input of another API. Confidential values are left out. */
  Manifest: { input: never; output: Readonly<Record<string, unknown>>; }
  /** A JSON object. Values may be anything JSON can hold; the Director decides which keys it takes. */
  Labels: { input: Readonly<Record<string, unknown>>; output: Readonly<Record<string, unknown>>; }
  /** A moment in UTC, as RFC 3339 writes it: `2020-06-30T09:41:00.000Z`. */
  Timestamp: { input: Date; output: Date; }
  /**
   * The name of a Kyma module: a text such as `"api-gateway"`, or as in 2019 a bare word such as `PrometheusOperator`, which
   * means `prometheus-operator`. One of them may stand for a list of one.
   */
  KymaModule: { input: string; output: string; }
};

export type RuntimeStatus = {
  readonly __typename?: 'RuntimeStatus';
  /**
   * The cluster as it was seen last. It is followed, so that nobody is asked for this answer. Null when the clusters of this
   * kind are not followed, or cannot be seen at the moment.
   */
  readonly clusterStatus?: Maybe<ClusterStatus>;
  /** The operation that was accepted last. */
  readonly lastOperationStatus?: Maybe<OperationStatus>;
  /** The connection of the Runtime Agent with the Management Plane, looked up in the cluster. */
  readonly runtimeConnectionStatus?: Maybe<RuntimeConnectionStatus>;
  /** How to reach the cluster. */
  readonly runtimeConnectionConfig?: Maybe<RuntimeConnectionConfig>;
  readonly runtimeConfiguration?: Maybe<RuntimeConfig>;
  /** Null when it is not known now, and for clusters that are not made through Gardener. */
  readonly hibernationStatus?: Maybe<HibernationStatus>;
};

export type ClusterStatus = {
  readonly __typename?: 'ClusterStatus';
  readonly state: ClusterState;
  /** What the provider says about it, or how far it has come; null when there is nothing to say. */
  readonly message?: Maybe<Scalars['String']['output']>;
  /**
   * The version of Kubernetes that the cluster has, or is given just now: also where the configuration names none, or only
   * the beginning of one. Null when there is no cluster, or its provider has not chosen yet.
   */
  readonly kubernetesVersion?: Maybe<Scalars['String']['output']>;
  /** The operating system of the nodes, also where the configuration leaves it to the provider. */
  readonly machineImage?: Maybe<Scalars['String']['output']>;
  readonly machineImageVersion?: Maybe<Scalars['String']['output']>;
  /**
   * Since when the cluster is known to have been deleted outside of this service. Every operation but `deprovisionRuntime`
   * is then refused with `CLUSTER_LOST`. Null again if the cluster comes back.
   */
  readonly lostAt?: Maybe<Scalars['Timestamp']['output']>;
  /**
   * What the Runtime's configuration says and the cluster does not do: somebody else has changed it, or a change of ours has
   * failed half way. Fields that the configuration leaves open are not compared. Null while an operation is in progress,
   * and when there is no cluster to compare with.
   */
  readonly drift?: Maybe<ReadonlyArray<ClusterDrift>>;
};

export type ClusterState =
  /** There is none: it has not been made yet, or it was deprovisioned. */
  | 'Absent'
  /** It is being made or changed. */
  | 'Changing'
  | 'Ready'
  /** It sleeps, as it was asked to. */
  | 'Hibernated'
  | 'Deleting'
  /** The provider gave it up; `message` says why. */
  | 'Failed'
  /** It was deleted outside of this service. */
  | 'Lost';

/** A field of the configuration that the cluster does not have as it was set. */
export type ClusterDrift = {
  readonly __typename?: 'ClusterDrift';
  /** Path below `clusterConfig`, such as `machineType`. */
  readonly field: Scalars['String']['output'];
  /** As it is configured; null for what the configuration knows nothing of. */
  readonly ours?: Maybe<Scalars['String']['output']>;
  /** As the cluster has it; null when it has none. */
  readonly theirs?: Maybe<Scalars['String']['output']>;
  readonly kind: ClusterDriftKind;
};

export type ClusterDriftKind =
  /** Somebody else changed it. */
  | 'Changed'
  /** A version that was raised, as the provider does by itself. It is kept: versions never go down. */
  | 'NewerKept';

export type RuntimeConfig = {
  readonly __typename?: 'RuntimeConfig';
  /**
   * A kubeconfig together with when it ends. Null before the cluster is there and after it is gone.
   *
   * `expirationSeconds`: 600 or more; the provider may grant less than is asked for, and never more than a day. What is
   * answered has at least half of the granted time left, as one that was issued before is answered again.
   * Errors: `INVALID_INPUT`, `KUBECONFIG_UNAVAILABLE`, `CLUSTER_PROVIDER_FORBIDDEN`.
   */
  readonly issuedKubeconfig?: Maybe<IssuedKubeconfig>;
  readonly clusterConfig?: Maybe<ClusterConfig>;
  /** Users who got the role cluster-admin. */
  readonly administrators: ReadonlyArray<Scalars['String']['output']>;
  /** The Secret that holds the credentials for `gcpConfig`; null for a cluster made through Gardener. */
  readonly credentialsSecretName?: Maybe<Scalars['String']['output']>;
  /** Null when no Kyma was asked for. */
  readonly kymaConfig?: Maybe<KymaConfig>;
  /**
   * YAML, by default with administrator rights and for an hour. Keep it secret and ask for a new one when it has expired.
   * Null before the cluster is there and after it is gone; when the cluster exists and no kubeconfig can be issued, null
   * with an error. The arguments are those of `issuedKubeconfig`, which also tells when it ends.
   * Errors: `INVALID_INPUT`, `KUBECONFIG_UNAVAILABLE`, `CLUSTER_PROVIDER_FORBIDDEN`.
   */
  readonly kubeconfig?: Maybe<Scalars['String']['output']>;
};


export type RuntimeConfigissuedKubeconfigArgs = {
  role?: KubeconfigRole;
  expirationSeconds?: Scalars['Int']['input'];
};


export type RuntimeConfigkubeconfigArgs = {
  role?: KubeconfigRole;
  expirationSeconds?: Scalars['Int']['input'];
};

export type IssuedKubeconfig = {
  readonly __typename?: 'IssuedKubeconfig';
  readonly role: KubeconfigRole;
  /** YAML, with everything inline and nothing to run. Keep it secret. */
  readonly kubeconfig: Scalars['String']['output'];
  /** When it stops working; null when its provider does not say, as old Gardeners do not. */
  readonly expiresAt?: Maybe<Scalars['Timestamp']['output']>;
};

export type KubeconfigRole =
  | 'Admin'
  /** Reads everything but Secrets and what else is encrypted. */
  | 'Viewer';

/**
 * The configuration of a cluster: every field may be selected directly or, as clients of 2020 do, in a fragment
 * `... on GardenerConfig`. Null means that nothing was asked for: the cluster has what its provider chose.
 */
export type ClusterConfig = {
  readonly name?: Maybe<Scalars['String']['output']>;
  readonly kubernetesVersion?: Maybe<Scalars['String']['output']>;
  readonly volumeSizeGB?: Maybe<Scalars['Int']['output']>;
  readonly diskType?: Maybe<Scalars['String']['output']>;
  readonly machineType?: Maybe<Scalars['String']['output']>;
  readonly machineImage?: Maybe<Scalars['String']['output']>;
  readonly machineImageVersion?: Maybe<Scalars['String']['output']>;
  readonly region?: Maybe<Scalars['String']['output']>;
  readonly provider?: Maybe<Scalars['String']['output']>;
  readonly purpose?: Maybe<Scalars['String']['output']>;
  readonly licenceType?: Maybe<Scalars['String']['output']>;
  readonly seed?: Maybe<Scalars['String']['output']>;
  readonly shootAndSeedSameRegion?: Maybe<Scalars['Boolean']['output']>;
  readonly targetSecret?: Maybe<Scalars['String']['output']>;
  readonly workerCidr?: Maybe<Scalars['String']['output']>;
  readonly podsCidr?: Maybe<Scalars['String']['output']>;
  readonly servicesCidr?: Maybe<Scalars['String']['output']>;
  readonly autoScalerMin?: Maybe<Scalars['Int']['output']>;
  readonly autoScalerMax?: Maybe<Scalars['Int']['output']>;
  readonly maxSurge?: Maybe<Scalars['Int']['output']>;
  readonly maxUnavailable?: Maybe<Scalars['Int']['output']>;
  readonly enableKubernetesVersionAutoUpdate?: Maybe<Scalars['Boolean']['output']>;
  readonly enableMachineImageVersionAutoUpdate?: Maybe<Scalars['Boolean']['output']>;
  readonly allowPrivilegedContainers?: Maybe<Scalars['Boolean']['output']>;
  readonly oidcConfig?: Maybe<OIDCConfig>;
  readonly dnsConfig?: Maybe<DNSConfig>;
  readonly exposureClassName?: Maybe<Scalars['String']['output']>;
  readonly shootNetworkingFilterDisabled?: Maybe<Scalars['Boolean']['output']>;
  readonly controlPlaneFailureTolerance?: Maybe<Scalars['String']['output']>;
  readonly euAccess?: Maybe<Scalars['Boolean']['output']>;
  readonly projectName?: Maybe<Scalars['String']['output']>;
  readonly nodeCount?: Maybe<Scalars['Int']['output']>;
  readonly providerSpecificConfig?: Maybe<ProviderSpecificConfig>;
};

/** A cluster made through Gardener; the fields are those of `GardenerConfigInput`. */
export type GardenerConfig = ClusterConfig & {
  readonly __typename?: 'GardenerConfig';
  /** The name of the Shoot. */
  readonly name?: Maybe<Scalars['String']['output']>;
  readonly kubernetesVersion?: Maybe<Scalars['String']['output']>;
  readonly volumeSizeGB?: Maybe<Scalars['Int']['output']>;
  readonly diskType?: Maybe<Scalars['String']['output']>;
  readonly machineType?: Maybe<Scalars['String']['output']>;
  readonly machineImage?: Maybe<Scalars['String']['output']>;
  readonly machineImageVersion?: Maybe<Scalars['String']['output']>;
  readonly region?: Maybe<Scalars['String']['output']>;
  readonly provider?: Maybe<Scalars['String']['output']>;
  readonly purpose?: Maybe<Scalars['String']['output']>;
  readonly licenceType?: Maybe<Scalars['String']['output']>;
  /** The one that was asked for, or else the one that Gardener chose. */
  readonly seed?: Maybe<Scalars['String']['output']>;
  readonly shootAndSeedSameRegion?: Maybe<Scalars['Boolean']['output']>;
  readonly targetSecret?: Maybe<Scalars['String']['output']>;
  readonly workerCidr?: Maybe<Scalars['String']['output']>;
  readonly podsCidr?: Maybe<Scalars['String']['output']>;
  readonly servicesCidr?: Maybe<Scalars['String']['output']>;
  readonly autoScalerMin?: Maybe<Scalars['Int']['output']>;
  readonly autoScalerMax?: Maybe<Scalars['Int']['output']>;
  readonly maxSurge?: Maybe<Scalars['Int']['output']>;
  readonly maxUnavailable?: Maybe<Scalars['Int']['output']>;
  readonly enableKubernetesVersionAutoUpdate?: Maybe<Scalars['Boolean']['output']>;
  readonly enableMachineImageVersionAutoUpdate?: Maybe<Scalars['Boolean']['output']>;
  readonly allowPrivilegedContainers?: Maybe<Scalars['Boolean']['output']>;
  readonly oidcConfig?: Maybe<OIDCConfig>;
  readonly dnsConfig?: Maybe<DNSConfig>;
  readonly exposureClassName?: Maybe<Scalars['String']['output']>;
  readonly shootNetworkingFilterDisabled?: Maybe<Scalars['Boolean']['output']>;
  readonly controlPlaneFailureTolerance?: Maybe<Scalars['String']['output']>;
  readonly euAccess?: Maybe<Scalars['Boolean']['output']>;
  readonly projectName?: Maybe<Scalars['String']['output']>;
  readonly nodeCount?: Maybe<Scalars['Int']['output']>;
  readonly providerSpecificConfig?: Maybe<ProviderSpecificConfig>;
};

/** A cluster made by Google Kubernetes Engine; the fields that only Gardener knows are null. */
export type GCPConfig = ClusterConfig & {
  readonly __typename?: 'GCPConfig';
  readonly name?: Maybe<Scalars['String']['output']>;
  readonly kubernetesVersion?: Maybe<Scalars['String']['output']>;
  readonly volumeSizeGB?: Maybe<Scalars['Int']['output']>;
  readonly diskType?: Maybe<Scalars['String']['output']>;
  readonly machineType?: Maybe<Scalars['String']['output']>;
  readonly machineImage?: Maybe<Scalars['String']['output']>;
  readonly machineImageVersion?: Maybe<Scalars['String']['output']>;
  readonly region?: Maybe<Scalars['String']['output']>;
  readonly provider?: Maybe<Scalars['String']['output']>;
  readonly purpose?: Maybe<Scalars['String']['output']>;
  readonly licenceType?: Maybe<Scalars['String']['output']>;
  readonly seed?: Maybe<Scalars['String']['output']>;
  readonly shootAndSeedSameRegion?: Maybe<Scalars['Boolean']['output']>;
  readonly targetSecret?: Maybe<Scalars['String']['output']>;
  readonly workerCidr?: Maybe<Scalars['String']['output']>;
  readonly podsCidr?: Maybe<Scalars['String']['output']>;
  readonly servicesCidr?: Maybe<Scalars['String']['output']>;
  readonly autoScalerMin?: Maybe<Scalars['Int']['output']>;
  readonly autoScalerMax?: Maybe<Scalars['Int']['output']>;
  readonly maxSurge?: Maybe<Scalars['Int']['output']>;
  readonly maxUnavailable?: Maybe<Scalars['Int']['output']>;
  readonly enableKubernetesVersionAutoUpdate?: Maybe<Scalars['Boolean']['output']>;
  readonly enableMachineImageVersionAutoUpdate?: Maybe<Scalars['Boolean']['output']>;
  readonly allowPrivilegedContainers?: Maybe<Scalars['Boolean']['output']>;
  readonly oidcConfig?: Maybe<OIDCConfig>;
  readonly dnsConfig?: Maybe<DNSConfig>;
  readonly exposureClassName?: Maybe<Scalars['String']['output']>;
  readonly shootNetworkingFilterDisabled?: Maybe<Scalars['Boolean']['output']>;
  readonly controlPlaneFailureTolerance?: Maybe<Scalars['String']['output']>;
  readonly euAccess?: Maybe<Scalars['Boolean']['output']>;
  readonly projectName?: Maybe<Scalars['String']['output']>;
  readonly nodeCount?: Maybe<Scalars['Int']['output']>;
  readonly providerSpecificConfig?: Maybe<ProviderSpecificConfig>;
  /** In each zone that the cluster has nodes in. */
  readonly numberOfNodes?: Maybe<Scalars['Int']['output']>;
  /** Of all zones together: three times as many when the cluster is in a region. */
  readonly totalNumberOfNodes?: Maybe<Scalars['Int']['output']>;
  readonly bootDiskSizeGB?: Maybe<Scalars['Int']['output']>;
  readonly zone?: Maybe<Scalars['String']['output']>;
  /** Where the cluster is in GKE's words: `zone` when it was given, or else `region`. */
  readonly location?: Maybe<Scalars['String']['output']>;
};

export type OIDCConfig = {
  readonly __typename?: 'OIDCConfig';
  readonly clientID: Scalars['String']['output'];
  readonly groupsClaim: Scalars['String']['output'];
  readonly issuerURL: Scalars['String']['output'];
  readonly signingAlgs: ReadonlyArray<Scalars['String']['output']>;
  readonly usernameClaim: Scalars['String']['output'];
  readonly usernamePrefix: Scalars['String']['output'];
};

export type DNSConfig = {
  readonly __typename?: 'DNSConfig';
  readonly domain: Scalars['String']['output'];
  readonly providers: ReadonlyArray<DNSProvider>;
};

export type DNSProvider = {
  readonly __typename?: 'DNSProvider';
  readonly domainsInclude: ReadonlyArray<Scalars['String']['output']>;
  readonly primary: Scalars['Boolean']['output'];
  readonly secretName: Scalars['String']['output'];
  readonly type: Scalars['String']['output'];
};

export type ProviderSpecificConfig = GCPProviderConfig | AzureProviderConfig | AWSProviderConfig | OpenStackProviderConfig;

export type GCPProviderConfig = {
  readonly __typename?: 'GCPProviderConfig';
  readonly zones: ReadonlyArray<Scalars['String']['output']>;
  /** The first zone; clients of 2019 know one zone only. */
  readonly zone?: Maybe<Scalars['String']['output']>;
};

export type AzureProviderConfig = {
  readonly __typename?: 'AzureProviderConfig';
  readonly vnetCidr?: Maybe<Scalars['String']['output']>;
  readonly zones?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  readonly azureZones?: Maybe<ReadonlyArray<AzureZone>>;
  readonly enableNatGateway?: Maybe<Scalars['Boolean']['output']>;
  readonly idleConnectionTimeoutMinutes?: Maybe<Scalars['Int']['output']>;
};

export type AzureZone = {
  readonly __typename?: 'AzureZone';
  readonly name: Scalars['Int']['output'];
  readonly cidr: Scalars['String']['output'];
};

export type AWSProviderConfig = {
  readonly __typename?: 'AWSProviderConfig';
  readonly vpcCidr?: Maybe<Scalars['String']['output']>;
  readonly awsZones: ReadonlyArray<AWSZone>;
  readonly enableIMDSv2?: Maybe<Scalars['Boolean']['output']>;
  /** Of the first zone; clients of 2020 know one zone only. */
  readonly zone?: Maybe<Scalars['String']['output']>;
  /** Of the first zone. */
  readonly publicCidr?: Maybe<Scalars['String']['output']>;
  /** Of the first zone. */
  readonly internalCidr?: Maybe<Scalars['String']['output']>;
};

export type AWSZone = {
  readonly __typename?: 'AWSZone';
  readonly name: Scalars['String']['output'];
  readonly publicCidr: Scalars['String']['output'];
  readonly internalCidr: Scalars['String']['output'];
  readonly workerCidr: Scalars['String']['output'];
};

export type OpenStackProviderConfig = {
  readonly __typename?: 'OpenStackProviderConfig';
  readonly zones: ReadonlyArray<Scalars['String']['output']>;
  readonly floatingPoolName?: Maybe<Scalars['String']['output']>;
  readonly cloudProfileName?: Maybe<Scalars['String']['output']>;
  readonly loadBalancerProvider: Scalars['String']['output'];
};

/** Exactly one of `gardenerConfig` and `gcpConfig` is given. */
export type ClusterConfigInput = {
  readonly gardenerConfig?: InputMaybe<GardenerConfigInput>;
  /** A cluster straight from Google Kubernetes Engine; needs `credentials`. */
  readonly gcpConfig?: InputMaybe<GCPConfigInput>;
  /** Users (as the cluster's authentication names them) who get the role cluster-admin. */
  readonly administrators?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** A cluster made through Gardener: a Shoot. */
export type GardenerConfigInput = {
  /**
   * Name of the Shoot: lower-case letters, digits and hyphens; together with the project's name at most 21 characters.
   * Generated when it is absent. Never changes.
   */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /**
   * `1.34.2`, or `1.34` for its latest patch. Default: the latest version that the provider's CloudProfile supports. A
   * version in preview has to be named in full.
   */
  readonly kubernetesVersion?: InputMaybe<Scalars['String']['input']>;
  /** Size of each node's disk in GiB. Default: 50. Refused on OpenStack, where the machine type brings the disk. */
  readonly volumeSizeGB?: InputMaybe<Scalars['Int']['input']>;
  /**
   * Such as `pd-balanced`. Default: gcp `pd-balanced`, azure `StandardSSD_LRS`, aws `gp3`; where the CloudProfile does not
   * offer that in every zone of the cluster, the first one that it does. Refused on OpenStack.
   */
  readonly diskType?: InputMaybe<Scalars['String']['input']>;
  /**
   * Type of the nodes. Default: one with 4 CPUs and 16 GiB (gcp `n2-standard-4`, azure `Standard_D4s_v5`, aws
   * `m6i.xlarge`, openstack `g_c4_m16`); where the CloudProfile does not offer that in every zone of the cluster, the
   * smallest one that is as large and has no GPU.
   */
  readonly machineType?: InputMaybe<Scalars['String']['input']>;
  /** Operating system of the nodes. Default: that of the CloudProfile. */
  readonly machineImage?: InputMaybe<Scalars['String']['input']>;
  /** Needs `machineImage`. */
  readonly machineImageVersion?: InputMaybe<Scalars['String']['input']>;
  /** Region of the cloud. Never changes. */
  readonly region: Scalars['String']['input'];
  /** `gcp`, `azure`, `aws` or `openstack`. Never changes. */
  readonly provider: Scalars['String']['input'];
  /** `evaluation`, `development`, `testing` or `production`. Default: Gardener's, `evaluation`. */
  readonly purpose?: InputMaybe<Scalars['String']['input']>;
  /** Noted on the Shoot as an annotation, such as `TestDevelopmentAndDemo`. */
  readonly licenceType?: InputMaybe<Scalars['String']['input']>;
  /** Seed that is to run the control plane. Default: Gardener chooses. */
  readonly seed?: InputMaybe<Scalars['String']['input']>;
  /** Whether only a Seed in the region of the cluster may run the control plane. Default: false. */
  readonly shootAndSeedSameRegion?: InputMaybe<Scalars['Boolean']['input']>;
  /**
   * Name of the CredentialsBinding in the project's namespace with the credentials of the cloud account. Below Kubernetes
   * 1.34 it may be a SecretBinding.
   */
  readonly targetSecret: Scalars['String']['input'];
  /**
   * CIDR of the nodes, such as `10.250.0.0/22`. Later it may only grow, and only on GCP and on an Azure cluster with one
   * subnet.
   */
  readonly workerCidr: Scalars['String']['input'];
  /** CIDR of the Pods. Never changes. Default: `100.96.0.0/11`. */
  readonly podsCidr?: InputMaybe<Scalars['String']['input']>;
  /** CIDR of the Services. Never changes. Default: `100.64.0.0/13`. */
  readonly servicesCidr?: InputMaybe<Scalars['String']['input']>;
  /** Fewest nodes; at least 1. Default: `nodeCount`, or else 2. */
  readonly autoScalerMin?: InputMaybe<Scalars['Int']['input']>;
  /** Most nodes. Default: 4, or `autoScalerMin` when that is more. */
  readonly autoScalerMax?: InputMaybe<Scalars['Int']['input']>;
  /** How many nodes more than asked for there may be during an update. Default: 1. */
  readonly maxSurge?: InputMaybe<Scalars['Int']['input']>;
  /** How many nodes fewer than asked for there may be during an update. Default: 0. Not both this and `maxSurge` may be 0. */
  readonly maxUnavailable?: InputMaybe<Scalars['Int']['input']>;
  /** Whether Gardener may raise the patch version of Kubernetes by itself. Default: what the operator decided, or false. */
  readonly enableKubernetesVersionAutoUpdate?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether Gardener may raise the version of the machine image by itself. Default: what the operator decided, or false. */
  readonly enableMachineImageVersionAutoUpdate?: InputMaybe<Scalars['Boolean']['input']>;
  /**
   * False: namespaces other than those of Kubernetes and Kyma refuse privileged Pods (Pod Security Standard `baseline`).
   * Default: true.
   */
  readonly allowPrivilegedContainers?: InputMaybe<Scalars['Boolean']['input']>;
  /** An OpenID Connect issuer whose users the cluster knows. Default: the cluster knows none. */
  readonly oidcConfig?: InputMaybe<OIDCConfigInput>;
  /** A domain of your own for the cluster. Never changes. Default: one that Gardener chooses. */
  readonly dnsConfig?: InputMaybe<DNSConfigInput>;
  /** ExposureClass by which the cluster is reached. Default: Gardener's; on OpenStack `converged-cloud-internet`. */
  readonly exposureClassName?: InputMaybe<Scalars['String']['input']>;
  /** Whether the egress filter of Gardener is off. Default: true. */
  readonly shootNetworkingFilterDisabled?: InputMaybe<Scalars['Boolean']['input']>;
  /** `node` or `zone`: what the control plane outlives the loss of. Once set it never changes. Default: neither. */
  readonly controlPlaneFailureTolerance?: InputMaybe<Scalars['String']['input']>;
  /** Whether only personnel in the EU may access the cluster. The region must offer that. Default: false. */
  readonly euAccess?: InputMaybe<Scalars['Boolean']['input']>;
  /**
   * Of 2019. The Gardener project: when it is given, it must be the one that this service works in.
   * @deprecated The service works in one project; leave it out.
   */
  readonly projectName?: InputMaybe<Scalars['String']['input']>;
  /**
   * Of 2019. Fewest nodes, when `autoScalerMin` is absent; without effect beside it.
   * @deprecated Use autoScalerMin and autoScalerMax.
   */
  readonly nodeCount?: InputMaybe<Scalars['Int']['input']>;
  /** Exactly one of its fields is given, and it is that of `provider`. */
  readonly providerSpecificConfig: ProviderSpecificInput;
};

/**
 * Becomes an authenticator of the cluster (Kubernetes' structured authentication), which takes tokens signed with any
 * asymmetric algorithm: RS, ES or PS with 256, 384 or 512.
 */
export type OIDCConfigInput = {
  /** Audience that a token must be meant for. */
  readonly clientID: Scalars['String']['input'];
  /** Claim with the groups of a user; empty: users have none. */
  readonly groupsClaim: Scalars['String']['input'];
  /** `https://...` without query and fragment, as it is in the tokens. */
  readonly issuerURL: Scalars['String']['input'];
  /** Names of asymmetric algorithms. All of them are accepted, whichever are named. */
  readonly signingAlgs: ReadonlyArray<Scalars['String']['input']>;
  /** Claim with the name of a user; empty: `sub`. */
  readonly usernameClaim: Scalars['String']['input'];
  /** Put before each name; `-`: nothing; empty: the issuer's URL and `#`, unless the claim is `email`. */
  readonly usernamePrefix: Scalars['String']['input'];
};

export type DNSConfigInput = {
  /** Such as `demo.example.com`; no other cluster has it, or a part of it. */
  readonly domain: Scalars['String']['input'];
  /** Exactly one of them is primary. */
  readonly providers?: InputMaybe<ReadonlyArray<InputMaybe<DNSProviderInput>>>;
};

export type DNSProviderInput = {
  /** Domains that it serves. */
  readonly domainsInclude: ReadonlyArray<Scalars['String']['input']>;
  /** Whether it serves the cluster's own domain. */
  readonly primary: Scalars['Boolean']['input'];
  /** Secret in the project's namespace with its credentials. */
  readonly secretName: Scalars['String']['input'];
  /** Such as `aws-route53`. */
  readonly type: Scalars['String']['input'];
};

export type ProviderSpecificInput = {
  readonly gcpConfig?: InputMaybe<GCPProviderConfigInput>;
  readonly azureConfig?: InputMaybe<AzureProviderConfigInput>;
  readonly awsConfig?: InputMaybe<AWSProviderConfigInput>;
  readonly openStackConfig?: InputMaybe<OpenStackProviderConfigInput>;
};

/** Either `zones` or (the form of 2019) `zone`. */
export type GCPProviderConfigInput = {
  /** At least one zone of the region, such as `europe-west3-a`. */
  readonly zones?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** @deprecated Use zones. */
  readonly zone?: InputMaybe<Scalars['String']['input']>;
};

/** Either `zones`, which share one subnet, or `azureZones`, which have a subnet each. */
export type AzureProviderConfigInput = {
  /** CIDR of the virtual network; holds `workerCidr`. */
  readonly vnetCidr: Scalars['String']['input'];
  /** Zones of the region, such as `1`. Default: the nodes are not bound to zones. */
  readonly zones?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Zones with a subnet each. The subnets do not overlap. */
  readonly azureZones?: InputMaybe<ReadonlyArray<AzureZoneInput>>;
  /** Whether the nodes reach the internet through a NAT gateway; only with zones. Default: false. */
  readonly enableNatGateway?: InputMaybe<Scalars['Boolean']['input']>;
  /** 4 to 120; only with `enableNatGateway`. Default: Azure's, 4. */
  readonly idleConnectionTimeoutMinutes?: InputMaybe<Scalars['Int']['input']>;
};

export type AzureZoneInput = {
  /** Such as 1. */
  readonly name: Scalars['Int']['input'];
  /** CIDR of the nodes in this zone. */
  readonly cidr: Scalars['String']['input'];
};

/** Either `awsZones`, or (the form of 2020, for one zone) `zone`, `publicCidr` and `internalCidr`. */
export type AWSProviderConfigInput = {
  /** CIDR of the VPC; holds all the others. */
  readonly vpcCidr: Scalars['String']['input'];
  /** At least one zone of the region. The subnets do not overlap. */
  readonly awsZones?: InputMaybe<ReadonlyArray<InputMaybe<AWSZoneInput>>>;
  /** Whether nodes refuse version 1 of the instance metadata service. Default: false. */
  readonly enableIMDSv2?: InputMaybe<Scalars['Boolean']['input']>;
  /** @deprecated Use awsZones. */
  readonly zone?: InputMaybe<Scalars['String']['input']>;
  /** @deprecated Use awsZones. */
  readonly publicCidr?: InputMaybe<Scalars['String']['input']>;
  /** @deprecated Use awsZones. */
  readonly internalCidr?: InputMaybe<Scalars['String']['input']>;
};

export type AWSZoneInput = {
  /** Such as `eu-central-1a`. */
  readonly name: Scalars['String']['input'];
  /** CIDR of the public subnet. */
  readonly publicCidr: Scalars['String']['input'];
  /** CIDR of the internal subnet. */
  readonly internalCidr: Scalars['String']['input'];
  /** CIDR of the nodes in this zone. */
  readonly workerCidr: Scalars['String']['input'];
};

export type OpenStackProviderConfigInput = {
  /** At least one zone of the region. */
  readonly zones: ReadonlyArray<Scalars['String']['input']>;
  /** Pool of public addresses. Default: `FloatingIP-external-kyma-01`. */
  readonly floatingPoolName?: InputMaybe<Scalars['String']['input']>;
  /** Default: `converged-cloud-kyma`. */
  readonly cloudProfileName?: InputMaybe<Scalars['String']['input']>;
  /** Such as `f5`. */
  readonly loadBalancerProvider: Scalars['String']['input'];
};

/** A cluster made by Google Kubernetes Engine in a project of yours. It cannot be hibernated. */
export type GCPConfigInput = {
  /** Name of the cluster: up to 40 lower-case letters, digits and hyphens. Generated when it is absent. Never changes. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Id of the Google Cloud project, in which the Kubernetes Engine API is enabled. Never changes. */
  readonly projectName: Scalars['String']['input'];
  /** `1.34`, `1.34.3` or `1.34.3-gke.1444000`. Default: GKE's. GKE raises versions by itself, too. */
  readonly kubernetesVersion?: InputMaybe<Scalars['String']['input']>;
  /**
   * In each zone, 1 to 1000: in a region there are three times as many. Default: 2 in a zone, 1 in each zone of a region.
   * `upgradeRuntime` changes it.
   */
  readonly numberOfNodes?: InputMaybe<Scalars['Int']['input']>;
  /** Size of each node's boot disk in GB, at least 10. Default: 50. */
  readonly bootDiskSizeGB?: InputMaybe<Scalars['Int']['input']>;
  /** Type of the nodes. Default: `n2-standard-4`. */
  readonly machineType?: InputMaybe<Scalars['String']['input']>;
  /**
   * A region such as `europe-west3` (control plane and nodes in three zones), or (the form of 2019) one zone such as
   * `europe-west3-a`. Never changes.
   */
  readonly region: Scalars['String']['input'];
  /** One zone of the region; then control plane and nodes are in that zone alone. Never changes. */
  readonly zone?: InputMaybe<Scalars['String']['input']>;
};

/** The Secret (key `credentials`, in the namespace of this service's Secrets) with the key of a Google service account. */
export type CredentialsInput = {
  readonly secretName: Scalars['String']['input'];
};

/** What an upgrade changes in a cluster. */
export type UpgradeClusterInput = {
  /** Up only, and by one minor version at most. */
  readonly kubernetesVersion?: InputMaybe<Scalars['String']['input']>;
  /**
   * Of 2019.
   * @deprecated Use kubernetesVersion.
   */
  readonly version?: InputMaybe<Scalars['String']['input']>;
  /**
   * In each zone, 1 to 1000; only of a cluster straight from GKE, and only its first pool of nodes (`default-pool`). One
   * made through Gardener gets `autoScalerMin` and `autoScalerMax` by `upgradeShoot`.
   */
  readonly numberOfNodes?: InputMaybe<Scalars['Int']['input']>;
};

export type UpgradeShootInput = {
  readonly gardenerConfig: GardenerUpgradeInput;
  /**
   * Users who have the role cluster-admin afterwards, and nobody else: whoever is not named loses it. Absent: unchanged. A
   * hibernated cluster has to be woken up first.
   */
  readonly administrators?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/**
 * What may be changed on a Shoot; what is absent or null stays as it is, also where somebody else has changed it since. The
 * fields mean what they mean in `GardenerConfigInput`. What is not here is decided once, when the cluster is made. Whatever
 * needs other nodes is rolled out node by node, as `maxSurge` and `maxUnavailable` allow.
 */
export type GardenerUpgradeInput = {
  /**
   * Up only, and no minor version left out. `1.35` stands for its newest patch. A cluster that runs something newer already,
   * which Gardener may have seen to, keeps that. The nodes are replaced for another minor version.
   */
  readonly kubernetesVersion?: InputMaybe<Scalars['String']['input']>;
  /** Replaces the nodes. */
  readonly machineType?: InputMaybe<Scalars['String']['input']>;
  /** Replaces the nodes. Without `machineImageVersion`: Gardener's choice of the image's versions. */
  readonly machineImage?: InputMaybe<Scalars['String']['input']>;
  /** Up only for the same image; a newer one that the nodes have already stays. Replaces the nodes. */
  readonly machineImageVersion?: InputMaybe<Scalars['String']['input']>;
  /** Replaces the nodes. Not on OpenStack. */
  readonly diskType?: InputMaybe<Scalars['String']['input']>;
  /** In GB. Replaces the nodes. Not on OpenStack. */
  readonly volumeSizeGB?: InputMaybe<Scalars['Int']['input']>;
  /** May only grow, and only on GCP and on an Azure cluster with one subnet: elsewhere the cloud cannot change a subnet in use. */
  readonly workerCidr?: InputMaybe<Scalars['String']['input']>;
  /** At least 1. */
  readonly autoScalerMin?: InputMaybe<Scalars['Int']['input']>;
  /** At least `autoScalerMin`, and at least the number of zones. */
  readonly autoScalerMax?: InputMaybe<Scalars['Int']['input']>;
  readonly maxSurge?: InputMaybe<Scalars['Int']['input']>;
  /** 0 only while `maxSurge` is not. */
  readonly maxUnavailable?: InputMaybe<Scalars['Int']['input']>;
  /** `evaluation`, `testing`, `development` or `production`. */
  readonly purpose?: InputMaybe<Scalars['String']['input']>;
  readonly enableKubernetesVersionAutoUpdate?: InputMaybe<Scalars['Boolean']['input']>;
  readonly enableMachineImageVersionAutoUpdate?: InputMaybe<Scalars['Boolean']['input']>;
  /** Takes the place of the issuer that there is; with an empty `clientID` and `issuerURL` there is none afterwards. */
  readonly oidcConfig?: InputMaybe<OIDCConfigInput>;
  /** Refused unless it is the one that the cluster has: Gardener does not change it. */
  readonly exposureClassName?: InputMaybe<Scalars['String']['input']>;
  readonly shootNetworkingFilterDisabled?: InputMaybe<Scalars['Boolean']['input']>;
  /**
   * The block of the cluster's own cloud; what is left out in it stays as it is. Zones can be added after those that there
   * are. Azure: `vnetCidr` may grow, and the NAT gateway may change. AWS: `enableIMDSv2`. All else is fixed.
   */
  readonly providerSpecificConfig?: InputMaybe<ProviderSpecificInput>;
  /** Another CredentialsBinding of the same credentials. */
  readonly targetSecret?: InputMaybe<Scalars['String']['input']>;
};

export type Mutation = {
  readonly __typename?: 'Mutation';
  /**
   * Ends an operation, in whatever stage it is. Nothing new is begun; what was made so far stays, and is listed in
   * `cancellation`: deprovision the Runtime to remove it, or retry the operation to go on. A cluster that is being deleted
   * goes on being deleted.
   *
   * Answers the operation as soon as it has ended: as `Failed`, with `lastError.code` `OPERATION_CANCELLED`. When that takes
   * longer than some seconds, it answers the operation in progress, which is sure to end. An operation that has ended before
   * is answered as it ended.
   * Errors: `NOT_FOUND`.
   */
  readonly cancelOperation?: Maybe<OperationStatus>;
  /**
   * Takes up an operation that failed or was cancelled: a new operation of the same kind that begins at the stage at which
   * the old one ended. What was finished before is not repeated; a cluster that Gardener gave up on, Gardener is asked to
   * take up again. An operation may be retried once; the retry itself may be retried in its turn.
   * Errors: `NOT_FOUND`, `NOT_RETRYABLE` (it has not failed, another one came after it, or its Runtime is gone),
   * `OPERATION_IN_PROGRESS`.
   */
  readonly retryOperation?: Maybe<OperationStatus>;
  /**
   * Removes an orphan, as soon as this answers and for as long as it takes; nothing else ever removes one. Before that, it
   * is looked at again: what belongs to a Runtime by then is not touched. Asking again changes nothing, and answers how far
   * it is.
   *
   * `dryRun`: answers what would be sent, in `plan`, and does nothing.
   * Errors: `NOT_FOUND`; for a dry run also `CLUSTER_PROVIDER_UNAVAILABLE` and `DIRECTOR_UNAVAILABLE`, when it cannot be
   * found out whether there is something to remove.
   */
  readonly removeOrphan?: Maybe<Orphan>;
  /**
   * Makes a Kubernetes cluster, installs Kyma on it and connects it. The whole input is checked first: a refusal names
   * every mistake.
   *
   * `id`: the Runtime's id in the Director, when the caller has registered it there. Without it the Runtime is registered
   * by this service, and the answer holds its id.
   *
   * `dryRun`: everything is checked, also by Gardener, and nothing is stored, registered or created. The answer has no id,
   * the state `Pending` and a `plan`.
   *
   * Errors: `INVALID_INPUT`, `CLUSTER_REJECTED`, `CLUSTER_NAME_TAKEN`, `CLUSTER_PROVIDER_FORBIDDEN`,
   * `KYMA_RELEASE_NOT_FOUND`, `KYMA_COMPONENT_INVALID`, `ALREADY_EXISTS`, `NOT_SUPPORTED`, `DIRECTOR_*`.
   */
  readonly provisionRuntime?: Maybe<OperationStatus>;
  /**
   * Uninstalls Kyma, deletes the cluster and, if this service registered it, the Runtime's entry in the Director; works
   * from whatever state provisioning ended in. Once more on a Runtime that is gone, it succeeds at once. Answers the
   * operation's id.
   *
   * `cancelRunning`: an operation that is in progress is cancelled first, and the deprovisioning begins as soon as it has
   * ended. When it does not end within some seconds, that is an error: send the same again. A deprovisioning that is in
   * progress is not cancelled but answered.
   *
   * `dryRun`: everything is checked as `planDeprovision` does, and nothing is done; answers an empty text.
   *
   * Errors: `NOT_FOUND`, `OPERATION_IN_PROGRESS`.
   */
  readonly deprovisionRuntime: Scalars['String']['output'];
  /**
   * Upgrades Kyma, Kubernetes, or both: first the cluster, then Kyma. What is configured changes when the upgrade has
   * reached it, not before. An upgrade that failed can be retried, rolled back, or followed by another one. To what is
   * there already, it succeeds without doing much.
   *
   * Kyma goes to the same release or a newer one. Without `components` and `modules` the modules that are active are kept,
   * with their configuration; otherwise those that are named are there afterwards, with what they need, and the others are
   * removed. A Runtime without Kyma does not get it by an upgrade.
   *
   * Errors: `NOT_FOUND`, `INVALID_INPUT`, `OPERATION_IN_PROGRESS`, `CONFIGURATION_CHANGED`, `HIBERNATED`,
   * `RUNTIME_NOT_READY`, `CLUSTER_LOST`, `CLUSTER_REJECTED`, `KYMA_RELEASE_NOT_FOUND`, `KYMA_COMPONENT_INVALID`,
   * `NOT_SUPPORTED`.
   */
  readonly upgradeRuntime?: Maybe<OperationStatus>;
  /**
   * Changes the configuration of a cluster made through Gardener: what is given, and nothing else of what is there. Everything
   * is checked first, also by Gardener. Where the cluster is so already, the operation succeeds as soon as the cluster is
   * well. A hibernated cluster may be changed; its nodes follow when it wakes up.
   *
   * `dryRun`: everything is checked, also by Gardener, and nothing is stored or changed. The answer has no id, the state
   * `Pending` and a `plan`.
   *
   * Errors: `NOT_FOUND`, `OPERATION_IN_PROGRESS`, `INVALID_INPUT`, `CLUSTER_REJECTED`, `CLUSTER_LOST`, `RUNTIME_NOT_READY` (its
   * provisioning or deprovisioning failed), `HIBERNATED` (administrators of a cluster that sleeps), `CONFIGURATION_CHANGED`,
   * `NOT_SUPPORTED` (the cluster was not made through Gardener).
   */
  readonly upgradeShoot?: Maybe<OperationStatus>;
  /**
   * Makes the configuration from before an upgrade the Runtime's again: of an upgrade that was the last operation and has
   * ended. The cluster, and Kyma on it, stay as they are. Once more, it changes nothing.
   * Errors: `NOT_FOUND`, `ROLLBACK_REFUSED`.
   */
  readonly rollBackUpgradeOperation?: Maybe<RuntimeStatus>;
  /**
   * Stops the cluster: its machines are gone and nothing in it answers, and what is in it is kept. A cluster that is
   * hibernated already stays so, and the operation succeeds at once. Other operations than `wakeUpRuntime`,
   * `deprovisionRuntime` and changes of the cluster itself are refused until it is awake.
   *
   * Errors: `NOT_FOUND`, `OPERATION_IN_PROGRESS`, `HIBERNATION_REFUSED`, `CLUSTER_PROVIDER_FORBIDDEN`, `NOT_SUPPORTED` (not
   * made through Gardener).
   */
  readonly hibernateRuntime?: Maybe<OperationStatus>;
  /**
   * Starts a hibernated cluster and waits until its API server answers. Its Runtime Agent connects again by itself. A
   * cluster that is awake already stays so, and the operation succeeds at once.
   *
   * Errors: `NOT_FOUND`, `OPERATION_IN_PROGRESS`, `HIBERNATION_REFUSED`, `CLUSTER_PROVIDER_FORBIDDEN`, `NOT_SUPPORTED` (not
   * made through Gardener).
   */
  readonly wakeUpRuntime?: Maybe<OperationStatus>;
  /**
   * Has the Runtime Agent connect anew, with a new token and a new certificate. Answers the operation's id; the operation
   * succeeds when the new connection has proved itself. What makes it impossible is refused at once.
   * Errors: `NOT_FOUND`, `OPERATION_IN_PROGRESS`, `NOT_RECONNECTABLE`, `HIBERNATED`, `CLUSTER_UNREACHABLE`,
   * `CLUSTER_PROVIDER_UNAVAILABLE`, `CLUSTER_LOST`, `DIRECTOR_RUNTIME_NOT_FOUND`, `DIRECTOR_TENANT_INVALID`,
   * `DIRECTOR_UNAUTHORIZED`.
   */
  readonly reconnectRuntimeAgent: Scalars['String']['output'];
  /**
   * Forgets a Runtime that was deprovisioned, with its whole history.
   * Errors: `NOT_FOUND`, `OPERATION_IN_PROGRESS`, `CLUSTER_EXISTS`.
   */
  readonly cleanupRuntimeData: CleanUpRuntimeDataResult;
};


export type MutationcancelOperationArgs = {
  id: Scalars['String']['input'];
};


export type MutationretryOperationArgs = {
  id: Scalars['String']['input'];
};


export type MutationremoveOrphanArgs = {
  id: Scalars['String']['input'];
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


export type MutationprovisionRuntimeArgs = {
  id?: InputMaybe<Scalars['String']['input']>;
  config: ProvisionRuntimeInput;
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


export type MutationdeprovisionRuntimeArgs = {
  id: Scalars['String']['input'];
  cancelRunning?: InputMaybe<Scalars['Boolean']['input']>;
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


export type MutationupgradeRuntimeArgs = {
  id: Scalars['String']['input'];
  config: UpgradeRuntimeInput;
};


export type MutationupgradeShootArgs = {
  id: Scalars['String']['input'];
  config: UpgradeShootInput;
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


export type MutationrollBackUpgradeOperationArgs = {
  id: Scalars['String']['input'];
};


export type MutationhibernateRuntimeArgs = {
  id: Scalars['String']['input'];
};


export type MutationwakeUpRuntimeArgs = {
  id: Scalars['String']['input'];
};


export type MutationreconnectRuntimeAgentArgs = {
  id: Scalars['String']['input'];
};


export type MutationcleanupRuntimeDataArgs = {
  id: Scalars['String']['input'];
};

export type Query = {
  readonly __typename?: 'Query';
  /**
   * What `provisionRuntime` would do, without doing it: as its `dryRun`. Ids that are chosen only when it is accepted are
   * shown as zeros; a name that is chosen for the cluster will be another one.
   * Errors: those of `provisionRuntime`, and `CLUSTER_PROVIDER_UNAVAILABLE` when Gardener cannot be asked.
   */
  readonly planProvision: Plan;
  /**
   * What `deprovisionRuntime` would do, without doing it, as things are now.
   * Errors: those of `deprovisionRuntime`, and `CLUSTER_PROVIDER_UNAVAILABLE` when Gardener cannot be asked.
   */
  readonly planDeprovision: Plan;
  /**
   * What `upgradeShoot` would do, without doing it, as things are now: as its `dryRun`.
   * Errors: those of `upgradeShoot`, and `CLUSTER_PROVIDER_UNAVAILABLE` when Gardener or the cluster cannot be asked.
   */
  readonly planUpgradeShoot: Plan;
  /**
   * The caller's Runtimes, newest first, as they are stored: nothing is looked up in a cluster.
   *
   * `first`: 1 to 200. `after`: an `endCursor` of this list; the filter must be the same.
   * Errors: `INVALID_INPUT`.
   */
  readonly runtimes: RuntimePage;
  /**
   * The operations on the caller's Runtimes, newest first, also on those that are gone.
   *
   * `first`: 1 to 200. `after`: an `endCursor` of this list; the filter must be the same.
   * Errors: `INVALID_INPUT`.
   */
  readonly operations: OperationPage;
  /**
   * What has happened in an operation, oldest first.
   *
   * `first`: 1 to 200. `after`: only what comes after the event with this sequence.
   * Errors: `NOT_FOUND`, `INVALID_INPUT`.
   */
  readonly operationEvents: OperationEventPage;
  /**
   * What exists outside with the mark of this service, was made for the caller's tenant and belongs to no Runtime, newest
   * first. What is being created or deleted, and what another installation of this service has made, is not among it.
   *
   * `first`: 1 to 200. `after`: an `endCursor` of this list.
   * Errors: `INVALID_INPUT`.
   */
  readonly orphans: OrphanPage;
  /**
   * What is known of a Runtime. Each part is looked up only when it is selected.
   * Errors: `NOT_FOUND`.
   */
  readonly runtimeStatus?: Maybe<RuntimeStatus>;
  /**
   * How an operation goes. Operations are kept after they have ended, and after their Runtime is gone.
   * Errors: `NOT_FOUND`.
   */
  readonly runtimeOperationStatus?: Maybe<OperationStatus>;
};


export type QueryplanProvisionArgs = {
  id?: InputMaybe<Scalars['String']['input']>;
  config: ProvisionRuntimeInput;
};


export type QueryplanDeprovisionArgs = {
  id: Scalars['String']['input'];
  cancelRunning?: InputMaybe<Scalars['Boolean']['input']>;
};


export type QueryplanUpgradeShootArgs = {
  id: Scalars['String']['input'];
  config: UpgradeShootInput;
};


export type QueryruntimesArgs = {
  filter?: InputMaybe<RuntimeFilter>;
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
};


export type QueryoperationsArgs = {
  filter?: InputMaybe<OperationFilter>;
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
};


export type QueryoperationEventsArgs = {
  operationID: Scalars['String']['input'];
  first?: Scalars['Int']['input'];
  after?: Scalars['Int']['input'];
};


export type QueryorphansArgs = {
  first?: Scalars['Int']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
};


export type QueryruntimeStatusArgs = {
  id: Scalars['String']['input'];
};


export type QueryruntimeOperationStatusArgs = {
  id: Scalars['String']['input'];
};

/** An asynchronous operation on a Runtime. */
export type OperationStatus = {
  readonly __typename?: 'OperationStatus';
  /** What would be done; null unless this answers a dry run. */
  readonly plan?: Maybe<Plan>;
  /** What became of the wish to cancel it; null when there was none. */
  readonly cancellation?: Maybe<Cancellation>;
  /** The id of the failed operation that this one takes up. */
  readonly retryOf?: Maybe<Scalars['String']['output']>;
  readonly id?: Maybe<Scalars['String']['output']>;
  readonly operation: OperationType;
  readonly state: OperationState;
  /** What happens now, in words; after a failure, why it failed. */
  readonly message?: Maybe<Scalars['String']['output']>;
  readonly runtimeID?: Maybe<Scalars['String']['output']>;
  /** The Runtime's id in the Director; null when it is not registered there. */
  readonly compassRuntimeID?: Maybe<Scalars['String']['output']>;
  /** The messages of `lastError`, as a list; empty when there is none. */
  readonly errors: ReadonlyArray<Error>;
  /** Why the operation failed, or why its latest try did and will be repeated; null when nothing is wrong. */
  readonly lastError?: Maybe<LastError>;
  /** The step at work, such as `WaitingForClusterCreation`; `Finished` once the operation has ended. */
  readonly stage: Scalars['String']['output'];
  /** How far the stage at work has come, 0 to 100; null when that is not known. */
  readonly progress?: Maybe<Scalars['Int']['output']>;
  /**
   * Which it is, counted from 1, among the operations that are due and that no replica has taken up yet; tenants take
   * turns. Null while it is worked at or waits for something outside, and when it has ended.
   */
  readonly queuePosition?: Maybe<Scalars['Int']['output']>;
  readonly startedAt: Scalars['Timestamp']['output'];
  readonly stageStartedAt: Scalars['Timestamp']['output'];
  /** Null while the operation is in progress. */
  readonly finishedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** What the operation changed in the configuration of its Runtime, or is to change; null when it leaves that alone. */
  readonly configurationChange?: Maybe<ConfigurationChange>;
};

export type Cancellation = {
  readonly __typename?: 'Cancellation';
  readonly outcome: CancellationOutcome;
  /**
   * What existed outside when the operation was cancelled, such as `cluster demo (gardener): Shoot is ready`, a line each.
   * What could not be asked is said to be unknown.
   */
  readonly residue: ReadonlyArray<Scalars['String']['output']>;
};

export type CancellationOutcome =
  /** Asked for; the operation is about to end. */
  | 'Pending'
  /** The operation was cancelled, and nothing that was made for the Runtime exists outside. */
  | 'Clean'
  /** The operation was cancelled; `residue` lists what exists outside. */
  | 'Residue'
  /** The operation had ended by itself. */
  | 'TooLate';

export type Plan = {
  readonly __typename?: 'Plan';
  /** In the order in which they would be sent. */
  readonly changes: ReadonlyArray<PlannedChange>;
};

export type PlannedChange = {
  readonly __typename?: 'PlannedChange';
  /** The stage that would send it; null for what happens before the operation is accepted. */
  readonly stage?: Maybe<Scalars['String']['output']>;
  readonly action: PlannedAction;
  /** Whom it would be sent to: `Director`, `cluster` (the Runtime's own), `gardener`. */
  readonly to: Scalars['String']['output'];
  /** Such as `Shoot demo`. */
  readonly subject: Scalars['String']['output'];
  /** As it would be sent; null when no more than the subject would. */
  readonly manifest?: Maybe<Scalars['Manifest']['output']>;
  /** What becomes different, of something that is there already; `manifest` is the JSON merge patch then. */
  readonly fields?: Maybe<ReadonlyArray<FieldChange>>;
};

export type FieldChange = {
  readonly __typename?: 'FieldChange';
  /** As in the input, such as `machineType`. */
  readonly field: Scalars['String']['output'];
  /** As it is now; null where there is none. */
  readonly from?: Maybe<Scalars['String']['output']>;
  /** As it would be; null where there is none any more. */
  readonly to?: Maybe<Scalars['String']['output']>;
};

export type PlannedAction =
  /** An operation in progress. */
  | 'Cancel'
  /** The Runtime, in the Director. */
  | 'Register'
  | 'Create'
  /** Something that is there already. */
  | 'Change'
  /** A part of Kyma. */
  | 'Install'
  /** A part of Kyma. */
  | 'Uninstall'
  | 'Delete'
  /** The Runtime, from the Director. */
  | 'Unregister';

/** What is given must hold all together. A list holds when one of its values does; one value may be given without `[]`. */
export type RuntimeFilter = {
  /** State of the operation that was accepted last. */
  readonly state?: InputMaybe<ReadonlyArray<OperationState>>;
  /** Type of the operation that was accepted last. */
  readonly operation?: InputMaybe<ReadonlyArray<OperationType>>;
  readonly name?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /**
   * Labels that a Runtime must have, with these values, such as `{ team: "a" }`. A value that is an object or a list holds
   * when the label's value contains all that it contains.
   */
  readonly labels?: InputMaybe<Scalars['Labels']['input']>;
  /** Such as `gcp`. */
  readonly provider?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly region?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** As it was asked for: a channel or a release. */
  readonly kymaVersion?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** As it was asked for; a Runtime that left the choice to its provider has none. */
  readonly kubernetesVersion?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Created at this moment or later. */
  readonly createdAfter?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Created before this moment. */
  readonly createdBefore?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Whether its cluster was deleted outside of this service. */
  readonly lost?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether Runtimes that were deprovisioned are listed too. */
  readonly includeDeleted?: Scalars['Boolean']['input'];
};

/** What is given must hold all together. A list holds when one of its values does; one value may be given without `[]`. */
export type OperationFilter = {
  readonly runtimeID?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly operation?: InputMaybe<ReadonlyArray<OperationType>>;
  readonly state?: InputMaybe<ReadonlyArray<OperationState>>;
  /** Such as `WaitingForClusterCreation`. */
  readonly stage?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Of the Runtime, such as `gcp`. */
  readonly provider?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Of the Runtime. */
  readonly region?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Of the Runtime, as in `RuntimeFilter`. */
  readonly labels?: InputMaybe<Scalars['Labels']['input']>;
  /** Of the Runtime as it is configured now: a channel or a release. */
  readonly kymaVersion?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Of the Runtime as it is configured now. */
  readonly kubernetesVersion?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Accepted at this moment or later. */
  readonly startedAfter?: InputMaybe<Scalars['Timestamp']['input']>;
  /** Accepted before this moment. */
  readonly startedBefore?: InputMaybe<Scalars['Timestamp']['input']>;
};

export type RuntimePage = {
  readonly __typename?: 'RuntimePage';
  readonly nodes: ReadonlyArray<Runtime>;
  readonly pageInfo: PageInfo;
};

export type OperationPage = {
  readonly __typename?: 'OperationPage';
  readonly nodes: ReadonlyArray<OperationStatus>;
  readonly pageInfo: PageInfo;
};

export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** Where this page ends, to be given as `after`. Null for a page without nodes. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  readonly hasNextPage: Scalars['Boolean']['output'];
};

/** A Kubernetes cluster with Kyma, as it is stored. */
export type Runtime = {
  readonly __typename?: 'Runtime';
  readonly id: Scalars['String']['output'];
  readonly name: Scalars['String']['output'];
  readonly description?: Maybe<Scalars['String']['output']>;
  readonly labels: Scalars['Labels']['output'];
  /** The cloud. */
  readonly provider: Scalars['String']['output'];
  readonly region: Scalars['String']['output'];
  /** As it was asked for; null when the choice was left to the provider. */
  readonly kubernetesVersion?: Maybe<Scalars['String']['output']>;
  /** As it was asked for; null without Kyma. */
  readonly kymaVersion?: Maybe<Scalars['String']['output']>;
  readonly createdAt: Scalars['Timestamp']['output'];
  /** When it was deprovisioned; null before. */
  readonly deletedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** Since when its cluster is known to have been deleted outside of this service; null when it was not. */
  readonly lostAt?: Maybe<Scalars['Timestamp']['output']>;
  /** The operation that was accepted last. */
  readonly lastOperationStatus: OperationStatus;
  readonly clusterConfig: ClusterConfig;
  /** Null when no Kyma was asked for. */
  readonly kymaConfig?: Maybe<KymaConfig>;
};

export type OperationEventPage = {
  readonly __typename?: 'OperationEventPage';
  readonly nodes: ReadonlyArray<OperationEvent>;
  readonly pageInfo: OperationEventPageInfo;
};

export type OperationEventPageInfo = {
  readonly __typename?: 'OperationEventPageInfo';
  /** The sequence of the last event of this page, to be given as `after`. For a page without nodes the `after` it was asked with. */
  readonly endCursor: Scalars['Int']['output'];
  readonly hasNextPage: Scalars['Boolean']['output'];
};

/** A line of an operation's history. It is written together with the change that it tells of, and never rewritten. */
export type OperationEvent = {
  readonly __typename?: 'OperationEvent';
  /** 1, 2, 3 and so on within the operation, without gaps. */
  readonly sequence: Scalars['Int']['output'];
  readonly at: Scalars['Timestamp']['output'];
  readonly type: OperationEventType;
  readonly stage: Scalars['String']['output'];
  readonly message: Scalars['String']['output'];
  /** How far the stage had come, 0 to 100; null when that was not known. */
  readonly progress?: Maybe<Scalars['Int']['output']>;
  /** What went wrong; null when nothing did. */
  readonly error?: Maybe<LastError>;
};

export type OperationEventType =
  | 'Accepted'
  | 'StageStarted'
  | 'StageSkipped'
  /** The stage waits for something outside; `message` says for what. */
  | 'Waiting'
  /** A try failed and will be repeated. */
  | 'Retrying'
  | 'StageDone'
  | 'StageTimedOut'
  | 'Succeeded'
  | 'Failed'
  /** The caller asked for the operation to end. */
  | 'CancelRequested'
  /** The operation ended because the caller asked for it. */
  | 'Cancelled';

export type Subscription = {
  readonly __typename?: 'Subscription';
  /**
   * What happens in an operation, from its beginning or, with `after`, from what comes after the update with that
   * `sequence`. Ends by itself after the update that ended the operation.
   * Errors: `NOT_FOUND`.
   */
  readonly operationUpdates: OperationUpdate;
  /**
   * What happens in all operations on the caller's Runtimes, or on one of them. Never ends by itself.
   *
   * `after`: the `cursor` of the last update that arrived. Without it, updates begin now, with one that has a cursor and
   * nothing else: what is listed after it arrived misses nothing that the following updates do not tell.
   * Errors: `NOT_FOUND`, `INVALID_INPUT`.
   */
  readonly runtimeUpdates: RuntimeUpdate;
};


export type SubscriptionoperationUpdatesArgs = {
  operationID: Scalars['String']['input'];
  after?: Scalars['Int']['input'];
};


export type SubscriptionruntimeUpdatesArgs = {
  runtimeID?: InputMaybe<Scalars['String']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};

/** An event in the history of an operation, and the operation as it is after it. */
export type OperationUpdate = {
  readonly __typename?: 'OperationUpdate';
  readonly operationID: Scalars['String']['output'];
  readonly runtimeID: Scalars['String']['output'];
  readonly operation: OperationType;
  readonly state: OperationState;
  /** 1, 2, 3 and so on within the operation, without gaps. */
  readonly sequence: Scalars['Int']['output'];
  readonly at: Scalars['Timestamp']['output'];
  readonly type: OperationEventType;
  readonly stage: Scalars['String']['output'];
  readonly message: Scalars['String']['output'];
  /** How far the stage has come, 0 to 100; null when that is not known. */
  readonly progress?: Maybe<Scalars['Int']['output']>;
  /** What went wrong; null when nothing did. */
  readonly error?: Maybe<LastError>;
};

export type RuntimeUpdate = {
  readonly __typename?: 'RuntimeUpdate';
  /** Where to go on, to be given as `after`. Says nothing else. */
  readonly cursor: Scalars['String']['output'];
  /** Those of one operation arrive in the order of their `sequence`. Null in the update that only tells the first cursor. */
  readonly update?: Maybe<OperationUpdate>;
};

export type OrphanPage = {
  readonly __typename?: 'OrphanPage';
  readonly nodes: ReadonlyArray<Orphan>;
  readonly pageInfo: PageInfo;
  /** How far the searches are in which something of the caller's tenant can be found. */
  readonly searches: ReadonlyArray<OrphanSearch>;
};

/** A part of the outside world that is searched every half a minute, unless configured otherwise. */
export type OrphanSearch = {
  readonly __typename?: 'OrphanSearch';
  readonly where: OrphanSource;
  /** All of it has been searched since then; null: that has not been done yet, so that an empty list says nothing. */
  readonly searchedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** Why it cannot be searched now; null when it can. */
  readonly problem?: Maybe<Scalars['String']['output']>;
};

export type OrphanSource =
  /** A Shoot in the project. */
  | 'Gardener'
  /** A cluster in a Google Cloud project in which a Runtime is, or was in the last 30 days. */
  | 'GKE'
  /** An entry in the Director, in a tenant of which a Runtime is registered there, or was in the last 30 days. */
  | 'Director';

export type Orphan = {
  readonly __typename?: 'Orphan';
  readonly id: Scalars['String']['output'];
  readonly where: OrphanSource;
  /** Of the cluster, or of the entry in the Director. */
  readonly name: Scalars['String']['output'];
  /** Google Cloud project and location, with a slash; null where that is not needed. */
  readonly place?: Maybe<Scalars['String']['output']>;
  /** The Runtime that it was made for. */
  readonly runtimeID: Scalars['String']['output'];
  readonly reason: OrphanReason;
  readonly state: OrphanState;
  /** When it was made; null when that is not known. */
  readonly createdAt?: Maybe<Scalars['Timestamp']['output']>;
  readonly foundAt: Scalars['Timestamp']['output'];
  /** Why it could not be removed yet; null when nothing is in the way. */
  readonly problem?: Maybe<Scalars['String']['output']>;
  /** What would be sent; null unless this answers a dry run. */
  readonly plan?: Maybe<Plan>;
};

export type OrphanReason =
  /** No such Runtime is stored. */
  | 'RuntimeUnknown'
  /** Its Runtime was deprovisioned before. */
  | 'RuntimeDeprovisioned'
  /** Its Runtime exists, and has another cluster. */
  | 'NotTheCluster';

export type OrphanState =
  | 'Found'
  /** Its removal was asked for. */
  | 'Removing'
  /** It does not exist any more, or belongs to a Runtime again. */
  | 'Gone';

/** What an operation does. */
export type OperationType =
  | 'Provision'
  | 'Upgrade'
  | 'UpgradeShoot'
  | 'Hibernate'
  | 'WakeUp'
  | 'ReconnectRuntime'
  | 'Deprovision';

export type OperationState =
  /** Answered by a dry run only: an operation is in progress from the moment it is accepted. */
  | 'Pending'
  | 'InProgress'
  | 'Succeeded'
  | 'Failed';

export type LastError = {
  readonly __typename?: 'LastError';
  readonly errMessage: Scalars['String']['output'];
  /** The cause in the words of whoever found it, such as `ERR_INFRA_QUOTA_EXCEEDED`. */
  readonly reason: Scalars['String']['output'];
  /** Where it went wrong, such as `gardener`. */
  readonly component: Scalars['String']['output'];
  /** A stable name, as in `extensions.code`. */
  readonly code: Scalars['String']['output'];
  readonly actor: Actor;
  /** True when the same operation, started again later, may succeed. */
  readonly retryable: Scalars['Boolean']['output'];
  /** What to do about it; null when nobody can say. */
  readonly nextStep?: Maybe<Scalars['String']['output']>;
};

/** Who has to do something about an error. */
export type Actor =
  /** Whoever sent the request: something in it has to change. */
  | 'caller'
  /** Whoever runs this service or the systems it depends on. */
  | 'operator'
  /** The cloud provider. */
  | 'provider';

export type Error = {
  readonly __typename?: 'Error';
  readonly message?: Maybe<Scalars['String']['output']>;
};

export type HibernationStatus = {
  readonly __typename?: 'HibernationStatus';
  /** As it is: false until the cluster sleeps, then true until it is awake. */
  readonly hibernated?: Maybe<Scalars['Boolean']['output']>;
  /** False when Gardener would not hibernate the cluster now; `hibernateRuntime` tells why. */
  readonly hibernationPossible?: Maybe<Scalars['Boolean']['output']>;
};

export type RuntimeConnectionStatus = {
  readonly __typename?: 'RuntimeConnectionStatus';
  /**
   * `Pending` also when there is nothing to connect (no Kyma, or no registration in the Director) and when it cannot be
   * found out now; `errors` then says why.
   */
  readonly status: RuntimeAgentConnectionStatus;
  readonly errors?: Maybe<ReadonlyArray<Error>>;
  /**
   * When the cluster said so: up to 15 seconds ago, or longer when it does not answer in time, which `errors` then tells.
   * Null when it has not been asked, or has not answered yet.
   */
  readonly observedAt?: Maybe<Scalars['Timestamp']['output']>;
};

export type RuntimeAgentConnectionStatus =
  | 'Pending'
  | 'Connected'
  /** The agent tried and failed, or lost its connection; `errors` says how. */
  | 'Disconnected';

export type CleanUpRuntimeDataResult = {
  readonly __typename?: 'CleanUpRuntimeDataResult';
  /** Of the Runtime. */
  readonly id: Scalars['String']['output'];
  readonly message?: Maybe<Scalars['String']['output']>;
};

export type RuntimeConnectionConfig = {
  readonly __typename?: 'RuntimeConnectionConfig';
  /** As `RuntimeConfig.kubeconfig`. */
  readonly kubeconfig?: Maybe<Scalars['String']['output']>;
};


export type RuntimeConnectionConfigkubeconfigArgs = {
  role?: KubeconfigRole;
  expirationSeconds?: Scalars['Int']['input'];
};

export type KymaConfig = {
  readonly __typename?: 'KymaConfig';
  /** As it was asked for. */
  readonly version?: Maybe<Scalars['String']['output']>;
  readonly profile?: Maybe<KymaProfile>;
  readonly conflictStrategy?: Maybe<ConflictStrategy>;
  /** What is installed, in the order of the installation. */
  readonly components?: Maybe<ReadonlyArray<ComponentConfiguration>>;
  /** As they were asked for. */
  readonly modules?: Maybe<ReadonlyArray<Scalars['KymaModule']['output']>>;
  readonly configuration?: Maybe<ReadonlyArray<ConfigEntry>>;
};

export type ComponentConfiguration = {
  readonly __typename?: 'ComponentConfiguration';
  readonly component: Scalars['String']['output'];
  readonly namespace: Scalars['String']['output'];
  readonly configuration?: Maybe<ReadonlyArray<ConfigEntry>>;
  readonly sourceURL?: Maybe<Scalars['String']['output']>;
  readonly conflictStrategy?: Maybe<ConflictStrategy>;
};

export type ConfigEntry = {
  readonly __typename?: 'ConfigEntry';
  readonly key: Scalars['String']['output'];
  /** Null when the entry is confidential: it is never shown again. */
  readonly value?: Maybe<Scalars['String']['output']>;
  readonly secret?: Maybe<Scalars['Boolean']['output']>;
};

export type KymaProfile =
  | 'Evaluation'
  | 'Production';

/** What happens when the installation meets a module's custom resource that somebody has changed in the cluster. */
export type ConflictStrategy =
  /** It stays as it is. The default. */
  | 'Merge'
  /** It is set to what is configured. */
  | 'Replace';

export type ProvisionRuntimeInput = {
  /**
   * How the Runtime is presented, and registered in the Director. May be left out only by a caller who gives `id`, as in
   * 2019: the Runtime is then named after its cluster.
   */
  readonly runtimeInput?: InputMaybe<RuntimeInput>;
  readonly clusterConfig: ClusterConfigInput;
  /** Without it the cluster gets no Kyma. */
  readonly kymaConfig?: InputMaybe<KymaConfigInput>;
  /** Needed by `gcpConfig` only. Beside `gardenerConfig`, as in 2019 and 2020, it has no effect. */
  readonly credentials?: InputMaybe<CredentialsInput>;
};

export type UpgradeRuntimeInput = {
  /** Replaces what is configured; only the modules may be left out. */
  readonly kymaConfig?: InputMaybe<KymaConfigInput>;
  /** To another version of Kubernetes. */
  readonly clusterConfig?: InputMaybe<UpgradeClusterInput>;
};

export type RuntimeInput = {
  /** For people. The Director takes letters, digits, `-`, `_` and `.`, at most 256 of them. */
  readonly name: Scalars['String']['input'];
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly labels?: InputMaybe<Scalars['Labels']['input']>;
};

export type KymaConfigInput = {
  /** A channel (`regular`, `fast`) or a release, which decides whether modules or components of Kyma 1 are installed. */
  readonly version: Scalars['String']['input'];
  /** Resource profile of Kyma 1. Releases of modules have none, and refuse it with `KYMA_COMPONENT_INVALID`. */
  readonly profile?: InputMaybe<KymaProfile>;
  /** What to install; what that needs is added. Without `components` and `modules`: Kyma Lite, the release's minimal set. */
  readonly components?: InputMaybe<ReadonlyArray<InputMaybe<ComponentConfigurationInput>>>;
  /** Names of modules that are added to Kyma Lite. */
  readonly modules?: InputMaybe<ReadonlyArray<Scalars['KymaModule']['input']>>;
  /** Configuration for all components of Kyma 1. Modules are configured each by itself; for them it is refused with `KYMA_COMPONENT_INVALID`. */
  readonly configuration?: InputMaybe<ReadonlyArray<InputMaybe<ConfigEntryInput>>>;
  readonly conflictStrategy?: InputMaybe<ConflictStrategy>;
};

export type ComponentConfigurationInput = {
  /** Name of the component or module, such as `istio`. */
  readonly component: Scalars['String']['input'];
  /** Namespace it is installed to: the one its release names, or any for a component with a `sourceURL`. */
  readonly namespace: Scalars['String']['input'];
  /** Values of the component's chart, or fields below `spec` of the module's custom resource. */
  readonly configuration?: InputMaybe<ReadonlyArray<InputMaybe<ConfigEntryInput>>>;
  /** Where the installer of Kyma 1 fetches the component from: https, a host that the operator allows, and a public address. For modules refused with `KYMA_COMPONENT_INVALID`: they come from the catalogue. */
  readonly sourceURL?: InputMaybe<Scalars['String']['input']>;
  /** Default: that of all components. */
  readonly conflictStrategy?: InputMaybe<ConflictStrategy>;
};

export type ConfigEntryInput = {
  /** Dotted path, such as `gateway.replicas`. */
  readonly key: Scalars['String']['input'];
  readonly value: Scalars['String']['input'];
  /** A confidential entry is encrypted where it is stored, and never answered. Default: false. */
  readonly secret?: InputMaybe<Scalars['Boolean']['input']>;
};

export type ConfigurationChange = {
  readonly __typename?: 'ConfigurationChange';
  /** As it was, which is what `rollBackUpgradeOperation` goes back to. */
  readonly before: ChangedConfiguration;
  /** As it was to become. */
  readonly after: ChangedConfiguration;
  /**
   * Since when the Runtime has had it. Null while it does not; of an operation that failed, since when it has had the part
   * that concerns the cluster.
   */
  readonly adoptedAt?: Maybe<Scalars['Timestamp']['output']>;
  /** When the caller took it back. */
  readonly rolledBackAt?: Maybe<Scalars['Timestamp']['output']>;
};

/** The parts that the operation is about, each whole; null are those that it leaves alone. */
export type ChangedConfiguration = {
  readonly __typename?: 'ChangedConfiguration';
  readonly clusterConfig?: Maybe<ClusterConfig>;
  readonly kymaConfig?: Maybe<KymaConfig>;
  readonly administrators?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;



/** Mapping of union types */
export type ResolversUnionTypes<_RefType extends Record<string, unknown>> = {
  ProviderSpecificConfig:
    | ( GCPProviderConfig )
    | ( AzureProviderConfig )
    | ( AWSProviderConfig )
    | ( OpenStackProviderConfig )
  ;
};

/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  ClusterConfig:
    | ( Omit<GardenerConfig, 'providerSpecificConfig'> & { providerSpecificConfig?: Maybe<_RefType['ProviderSpecificConfig']> } )
    | ( Omit<GCPConfig, 'providerSpecificConfig'> & { providerSpecificConfig?: Maybe<_RefType['ProviderSpecificConfig']> } )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  RuntimeStatus: ResolverTypeWrapper<RuntimeView>;
  ClusterStatus: ResolverTypeWrapper<ClusterStatus>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  ClusterState: ClusterState;
  ClusterDrift: ResolverTypeWrapper<ClusterDrift>;
  ClusterDriftKind: ClusterDriftKind;
  RuntimeConfig: ResolverTypeWrapper<RuntimeView>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  IssuedKubeconfig: ResolverTypeWrapper<IssuedKubeconfig>;
  KubeconfigRole: KubeconfigRole;
  ClusterConfig: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['ClusterConfig']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  GardenerConfig: ResolverTypeWrapper<Omit<GardenerConfig, 'providerSpecificConfig'> & { providerSpecificConfig?: Maybe<ResolversTypes['ProviderSpecificConfig']> }>;
  GCPConfig: ResolverTypeWrapper<Omit<GCPConfig, 'providerSpecificConfig'> & { providerSpecificConfig?: Maybe<ResolversTypes['ProviderSpecificConfig']> }>;
  OIDCConfig: ResolverTypeWrapper<OIDCConfig>;
  DNSConfig: ResolverTypeWrapper<DNSConfig>;
  DNSProvider: ResolverTypeWrapper<DNSProvider>;
  ProviderSpecificConfig: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['ProviderSpecificConfig']>;
  GCPProviderConfig: ResolverTypeWrapper<GCPProviderConfig>;
  AzureProviderConfig: ResolverTypeWrapper<AzureProviderConfig>;
  AzureZone: ResolverTypeWrapper<AzureZone>;
  AWSProviderConfig: ResolverTypeWrapper<AWSProviderConfig>;
  AWSZone: ResolverTypeWrapper<AWSZone>;
  OpenStackProviderConfig: ResolverTypeWrapper<OpenStackProviderConfig>;
  ClusterConfigInput: ClusterConfigInput;
  GardenerConfigInput: GardenerConfigInput;
  OIDCConfigInput: OIDCConfigInput;
  DNSConfigInput: DNSConfigInput;
  DNSProviderInput: DNSProviderInput;
  ProviderSpecificInput: ProviderSpecificInput;
  GCPProviderConfigInput: GCPProviderConfigInput;
  AzureProviderConfigInput: AzureProviderConfigInput;
  AzureZoneInput: AzureZoneInput;
  AWSProviderConfigInput: AWSProviderConfigInput;
  AWSZoneInput: AWSZoneInput;
  OpenStackProviderConfigInput: OpenStackProviderConfigInput;
  GCPConfigInput: GCPConfigInput;
  CredentialsInput: CredentialsInput;
  UpgradeClusterInput: UpgradeClusterInput;
  UpgradeShootInput: UpgradeShootInput;
  GardenerUpgradeInput: GardenerUpgradeInput;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Manifest: ResolverTypeWrapper<Scalars['Manifest']['output']>;
  OperationStatus: ResolverTypeWrapper<OperationView>;
  Cancellation: ResolverTypeWrapper<Cancellation>;
  CancellationOutcome: CancellationOutcome;
  Plan: ResolverTypeWrapper<Plan>;
  PlannedChange: ResolverTypeWrapper<PlannedChange>;
  FieldChange: ResolverTypeWrapper<FieldChange>;
  PlannedAction: PlannedAction;
  RuntimeFilter: RuntimeFilter;
  OperationFilter: OperationFilter;
  RuntimePage: ResolverTypeWrapper<Omit<RuntimePage, 'nodes'> & { nodes: ReadonlyArray<ResolversTypes['Runtime']> }>;
  OperationPage: ResolverTypeWrapper<Omit<OperationPage, 'nodes'> & { nodes: ReadonlyArray<ResolversTypes['OperationStatus']> }>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Runtime: ResolverTypeWrapper<ListedRuntime>;
  OperationEventPage: ResolverTypeWrapper<OperationEventPage>;
  OperationEventPageInfo: ResolverTypeWrapper<OperationEventPageInfo>;
  OperationEvent: ResolverTypeWrapper<OperationEvent>;
  OperationEventType: OperationEventType;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  OperationUpdate: ResolverTypeWrapper<FollowedEvent>;
  RuntimeUpdate: ResolverTypeWrapper<UpdateWithCursor>;
  OrphanPage: ResolverTypeWrapper<Omit<OrphanPage, 'nodes' | 'searches'> & { nodes: ReadonlyArray<ResolversTypes['Orphan']>, searches: ReadonlyArray<ResolversTypes['OrphanSearch']> }>;
  OrphanSearch: ResolverTypeWrapper<OrphanSearchState>;
  OrphanSource: OrphanSource;
  Orphan: ResolverTypeWrapper<OrphanView>;
  OrphanReason: OrphanReason;
  OrphanState: OrphanState;
  Labels: ResolverTypeWrapper<Scalars['Labels']['output']>;
  Timestamp: ResolverTypeWrapper<Scalars['Timestamp']['output']>;
  KymaModule: ResolverTypeWrapper<Scalars['KymaModule']['output']>;
  OperationType: OperationType;
  OperationState: OperationState;
  LastError: ResolverTypeWrapper<LastError>;
  Actor: Actor;
  Error: ResolverTypeWrapper<Error>;
  HibernationStatus: ResolverTypeWrapper<HibernationStatus>;
  RuntimeConnectionStatus: ResolverTypeWrapper<RuntimeConnectionStatus>;
  RuntimeAgentConnectionStatus: RuntimeAgentConnectionStatus;
  CleanUpRuntimeDataResult: ResolverTypeWrapper<CleanUpRuntimeDataResult>;
  RuntimeConnectionConfig: ResolverTypeWrapper<RuntimeView>;
  KymaConfig: ResolverTypeWrapper<KymaConfig>;
  ComponentConfiguration: ResolverTypeWrapper<ComponentConfiguration>;
  ConfigEntry: ResolverTypeWrapper<ConfigEntry>;
  KymaProfile: KymaProfile;
  ConflictStrategy: ConflictStrategy;
  ProvisionRuntimeInput: ProvisionRuntimeInput;
  UpgradeRuntimeInput: UpgradeRuntimeInput;
  RuntimeInput: RuntimeInput;
  KymaConfigInput: KymaConfigInput;
  ComponentConfigurationInput: ComponentConfigurationInput;
  ConfigEntryInput: ConfigEntryInput;
  ConfigurationChange: ResolverTypeWrapper<Omit<ConfigurationChange, 'before' | 'after'> & { before: ResolversTypes['ChangedConfiguration'], after: ResolversTypes['ChangedConfiguration'] }>;
  ChangedConfiguration: ResolverTypeWrapper<Omit<ChangedConfiguration, 'clusterConfig'> & { clusterConfig?: Maybe<ResolversTypes['ClusterConfig']> }>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  RuntimeStatus: RuntimeView;
  ClusterStatus: ClusterStatus;
  String: Scalars['String']['output'];
  ClusterDrift: ClusterDrift;
  RuntimeConfig: RuntimeView;
  Int: Scalars['Int']['output'];
  IssuedKubeconfig: IssuedKubeconfig;
  ClusterConfig: ResolversInterfaceTypes<ResolversParentTypes>['ClusterConfig'];
  Boolean: Scalars['Boolean']['output'];
  GardenerConfig: Omit<GardenerConfig, 'providerSpecificConfig'> & { providerSpecificConfig?: Maybe<ResolversParentTypes['ProviderSpecificConfig']> };
  GCPConfig: Omit<GCPConfig, 'providerSpecificConfig'> & { providerSpecificConfig?: Maybe<ResolversParentTypes['ProviderSpecificConfig']> };
  OIDCConfig: OIDCConfig;
  DNSConfig: DNSConfig;
  DNSProvider: DNSProvider;
  ProviderSpecificConfig: ResolversUnionTypes<ResolversParentTypes>['ProviderSpecificConfig'];
  GCPProviderConfig: GCPProviderConfig;
  AzureProviderConfig: AzureProviderConfig;
  AzureZone: AzureZone;
  AWSProviderConfig: AWSProviderConfig;
  AWSZone: AWSZone;
  OpenStackProviderConfig: OpenStackProviderConfig;
  ClusterConfigInput: ClusterConfigInput;
  GardenerConfigInput: GardenerConfigInput;
  OIDCConfigInput: OIDCConfigInput;
  DNSConfigInput: DNSConfigInput;
  DNSProviderInput: DNSProviderInput;
  ProviderSpecificInput: ProviderSpecificInput;
  GCPProviderConfigInput: GCPProviderConfigInput;
  AzureProviderConfigInput: AzureProviderConfigInput;
  AzureZoneInput: AzureZoneInput;
  AWSProviderConfigInput: AWSProviderConfigInput;
  AWSZoneInput: AWSZoneInput;
  OpenStackProviderConfigInput: OpenStackProviderConfigInput;
  GCPConfigInput: GCPConfigInput;
  CredentialsInput: CredentialsInput;
  UpgradeClusterInput: UpgradeClusterInput;
  UpgradeShootInput: UpgradeShootInput;
  GardenerUpgradeInput: GardenerUpgradeInput;
  Mutation: Record<PropertyKey, never>;
  Query: Record<PropertyKey, never>;
  Manifest: Scalars['Manifest']['output'];
  OperationStatus: OperationView;
  Cancellation: Cancellation;
  Plan: Plan;
  PlannedChange: PlannedChange;
  FieldChange: FieldChange;
  RuntimeFilter: RuntimeFilter;
  OperationFilter: OperationFilter;
  RuntimePage: Omit<RuntimePage, 'nodes'> & { nodes: ReadonlyArray<ResolversParentTypes['Runtime']> };
  OperationPage: Omit<OperationPage, 'nodes'> & { nodes: ReadonlyArray<ResolversParentTypes['OperationStatus']> };
  PageInfo: PageInfo;
  Runtime: ListedRuntime;
  OperationEventPage: OperationEventPage;
  OperationEventPageInfo: OperationEventPageInfo;
  OperationEvent: OperationEvent;
  Subscription: Record<PropertyKey, never>;
  OperationUpdate: FollowedEvent;
  RuntimeUpdate: UpdateWithCursor;
  OrphanPage: Omit<OrphanPage, 'nodes' | 'searches'> & { nodes: ReadonlyArray<ResolversParentTypes['Orphan']>, searches: ReadonlyArray<ResolversParentTypes['OrphanSearch']> };
  OrphanSearch: OrphanSearchState;
  Orphan: OrphanView;
  Labels: Scalars['Labels']['output'];
  Timestamp: Scalars['Timestamp']['output'];
  KymaModule: Scalars['KymaModule']['output'];
  LastError: LastError;
  Error: Error;
  HibernationStatus: HibernationStatus;
  RuntimeConnectionStatus: RuntimeConnectionStatus;
  CleanUpRuntimeDataResult: CleanUpRuntimeDataResult;
  RuntimeConnectionConfig: RuntimeView;
  KymaConfig: KymaConfig;
  ComponentConfiguration: ComponentConfiguration;
  ConfigEntry: ConfigEntry;
  ProvisionRuntimeInput: ProvisionRuntimeInput;
  UpgradeRuntimeInput: UpgradeRuntimeInput;
  RuntimeInput: RuntimeInput;
  KymaConfigInput: KymaConfigInput;
  ComponentConfigurationInput: ComponentConfigurationInput;
  ConfigEntryInput: ConfigEntryInput;
  ConfigurationChange: Omit<ConfigurationChange, 'before' | 'after'> & { before: ResolversParentTypes['ChangedConfiguration'], after: ResolversParentTypes['ChangedConfiguration'] };
  ChangedConfiguration: Omit<ChangedConfiguration, 'clusterConfig'> & { clusterConfig?: Maybe<ResolversParentTypes['ClusterConfig']> };
};

export type RuntimeStatusResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RuntimeStatus'] = ResolversParentTypes['RuntimeStatus']> = {
  clusterStatus?: Resolver<Maybe<ResolversTypes['ClusterStatus']>, ParentType, ContextType>;
  lastOperationStatus?: Resolver<Maybe<ResolversTypes['OperationStatus']>, ParentType, ContextType>;
  runtimeConnectionStatus?: Resolver<Maybe<ResolversTypes['RuntimeConnectionStatus']>, ParentType, ContextType>;
  runtimeConnectionConfig?: Resolver<Maybe<ResolversTypes['RuntimeConnectionConfig']>, ParentType, ContextType>;
  runtimeConfiguration?: Resolver<Maybe<ResolversTypes['RuntimeConfig']>, ParentType, ContextType>;
  hibernationStatus?: Resolver<Maybe<ResolversTypes['HibernationStatus']>, ParentType, ContextType>;
};

export type ClusterStatusResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ClusterStatus'] = ResolversParentTypes['ClusterStatus']> = {
  state?: Resolver<ResolversTypes['ClusterState'], ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kubernetesVersion?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  machineImage?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  machineImageVersion?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lostAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  drift?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ClusterDrift']>>, ParentType, ContextType>;
};

export type ClusterDriftResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ClusterDrift'] = ResolversParentTypes['ClusterDrift']> = {
  field?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ours?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  theirs?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ClusterDriftKind'], ParentType, ContextType>;
};

export type RuntimeConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RuntimeConfig'] = ResolversParentTypes['RuntimeConfig']> = {
  issuedKubeconfig?: Resolver<Maybe<ResolversTypes['IssuedKubeconfig']>, ParentType, ContextType, RequireFields<RuntimeConfigissuedKubeconfigArgs, 'role' | 'expirationSeconds'>>;
  clusterConfig?: Resolver<Maybe<ResolversTypes['ClusterConfig']>, ParentType, ContextType>;
  administrators?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  credentialsSecretName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kymaConfig?: Resolver<Maybe<ResolversTypes['KymaConfig']>, ParentType, ContextType>;
  kubeconfig?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType, RequireFields<RuntimeConfigkubeconfigArgs, 'role' | 'expirationSeconds'>>;
};

export type IssuedKubeconfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['IssuedKubeconfig'] = ResolversParentTypes['IssuedKubeconfig']> = {
  role?: Resolver<ResolversTypes['KubeconfigRole'], ParentType, ContextType>;
  kubeconfig?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type ClusterConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ClusterConfig'] = ResolversParentTypes['ClusterConfig']> = {
  __resolveType: TypeResolveFn<'GardenerConfig' | 'GCPConfig', ParentType, ContextType>;
};

export type GardenerConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GardenerConfig'] = ResolversParentTypes['GardenerConfig']> = {
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kubernetesVersion?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  volumeSizeGB?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  diskType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  machineType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  machineImage?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  machineImageVersion?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  region?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  provider?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  purpose?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  licenceType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  seed?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  shootAndSeedSameRegion?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  targetSecret?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  workerCidr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  podsCidr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  servicesCidr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  autoScalerMin?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  autoScalerMax?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  maxSurge?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  maxUnavailable?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  enableKubernetesVersionAutoUpdate?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  enableMachineImageVersionAutoUpdate?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  allowPrivilegedContainers?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  oidcConfig?: Resolver<Maybe<ResolversTypes['OIDCConfig']>, ParentType, ContextType>;
  dnsConfig?: Resolver<Maybe<ResolversTypes['DNSConfig']>, ParentType, ContextType>;
  exposureClassName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  shootNetworkingFilterDisabled?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  controlPlaneFailureTolerance?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  euAccess?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  projectName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nodeCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  providerSpecificConfig?: Resolver<Maybe<ResolversTypes['ProviderSpecificConfig']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type GCPConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GCPConfig'] = ResolversParentTypes['GCPConfig']> = {
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kubernetesVersion?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  volumeSizeGB?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  diskType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  machineType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  machineImage?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  machineImageVersion?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  region?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  provider?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  purpose?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  licenceType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  seed?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  shootAndSeedSameRegion?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  targetSecret?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  workerCidr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  podsCidr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  servicesCidr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  autoScalerMin?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  autoScalerMax?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  maxSurge?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  maxUnavailable?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  enableKubernetesVersionAutoUpdate?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  enableMachineImageVersionAutoUpdate?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  allowPrivilegedContainers?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  oidcConfig?: Resolver<Maybe<ResolversTypes['OIDCConfig']>, ParentType, ContextType>;
  dnsConfig?: Resolver<Maybe<ResolversTypes['DNSConfig']>, ParentType, ContextType>;
  exposureClassName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  shootNetworkingFilterDisabled?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  controlPlaneFailureTolerance?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  euAccess?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  projectName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nodeCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  providerSpecificConfig?: Resolver<Maybe<ResolversTypes['ProviderSpecificConfig']>, ParentType, ContextType>;
  numberOfNodes?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  totalNumberOfNodes?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  bootDiskSizeGB?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  zone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type OIDCConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OIDCConfig'] = ResolversParentTypes['OIDCConfig']> = {
  clientID?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  groupsClaim?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  issuerURL?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  signingAlgs?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  usernameClaim?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  usernamePrefix?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DNSConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DNSConfig'] = ResolversParentTypes['DNSConfig']> = {
  domain?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  providers?: Resolver<ReadonlyArray<ResolversTypes['DNSProvider']>, ParentType, ContextType>;
};

export type DNSProviderResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DNSProvider'] = ResolversParentTypes['DNSProvider']> = {
  domainsInclude?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  primary?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  secretName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ProviderSpecificConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProviderSpecificConfig'] = ResolversParentTypes['ProviderSpecificConfig']> = {
  __resolveType: TypeResolveFn<'GCPProviderConfig' | 'AzureProviderConfig' | 'AWSProviderConfig' | 'OpenStackProviderConfig', ParentType, ContextType>;
};

export type GCPProviderConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GCPProviderConfig'] = ResolversParentTypes['GCPProviderConfig']> = {
  zones?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  zone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AzureProviderConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AzureProviderConfig'] = ResolversParentTypes['AzureProviderConfig']> = {
  vnetCidr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  zones?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
  azureZones?: Resolver<Maybe<ReadonlyArray<ResolversTypes['AzureZone']>>, ParentType, ContextType>;
  enableNatGateway?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  idleConnectionTimeoutMinutes?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AzureZoneResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AzureZone'] = ResolversParentTypes['AzureZone']> = {
  name?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  cidr?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AWSProviderConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AWSProviderConfig'] = ResolversParentTypes['AWSProviderConfig']> = {
  vpcCidr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  awsZones?: Resolver<ReadonlyArray<ResolversTypes['AWSZone']>, ParentType, ContextType>;
  enableIMDSv2?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  zone?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  publicCidr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  internalCidr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AWSZoneResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AWSZone'] = ResolversParentTypes['AWSZone']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  publicCidr?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  internalCidr?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  workerCidr?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type OpenStackProviderConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OpenStackProviderConfig'] = ResolversParentTypes['OpenStackProviderConfig']> = {
  zones?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  floatingPoolName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  cloudProfileName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  loadBalancerProvider?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  cancelOperation?: Resolver<Maybe<ResolversTypes['OperationStatus']>, ParentType, ContextType, RequireFields<MutationcancelOperationArgs, 'id'>>;
  retryOperation?: Resolver<Maybe<ResolversTypes['OperationStatus']>, ParentType, ContextType, RequireFields<MutationretryOperationArgs, 'id'>>;
  removeOrphan?: Resolver<Maybe<ResolversTypes['Orphan']>, ParentType, ContextType, RequireFields<MutationremoveOrphanArgs, 'id' | 'dryRun'>>;
  provisionRuntime?: Resolver<Maybe<ResolversTypes['OperationStatus']>, ParentType, ContextType, RequireFields<MutationprovisionRuntimeArgs, 'config' | 'dryRun'>>;
  deprovisionRuntime?: Resolver<ResolversTypes['String'], ParentType, ContextType, RequireFields<MutationdeprovisionRuntimeArgs, 'id' | 'cancelRunning' | 'dryRun'>>;
  upgradeRuntime?: Resolver<Maybe<ResolversTypes['OperationStatus']>, ParentType, ContextType, RequireFields<MutationupgradeRuntimeArgs, 'id' | 'config'>>;
  upgradeShoot?: Resolver<Maybe<ResolversTypes['OperationStatus']>, ParentType, ContextType, RequireFields<MutationupgradeShootArgs, 'id' | 'config' | 'dryRun'>>;
  rollBackUpgradeOperation?: Resolver<Maybe<ResolversTypes['RuntimeStatus']>, ParentType, ContextType, RequireFields<MutationrollBackUpgradeOperationArgs, 'id'>>;
  hibernateRuntime?: Resolver<Maybe<ResolversTypes['OperationStatus']>, ParentType, ContextType, RequireFields<MutationhibernateRuntimeArgs, 'id'>>;
  wakeUpRuntime?: Resolver<Maybe<ResolversTypes['OperationStatus']>, ParentType, ContextType, RequireFields<MutationwakeUpRuntimeArgs, 'id'>>;
  reconnectRuntimeAgent?: Resolver<ResolversTypes['String'], ParentType, ContextType, RequireFields<MutationreconnectRuntimeAgentArgs, 'id'>>;
  cleanupRuntimeData?: Resolver<ResolversTypes['CleanUpRuntimeDataResult'], ParentType, ContextType, RequireFields<MutationcleanupRuntimeDataArgs, 'id'>>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  planProvision?: Resolver<ResolversTypes['Plan'], ParentType, ContextType, RequireFields<QueryplanProvisionArgs, 'config'>>;
  planDeprovision?: Resolver<ResolversTypes['Plan'], ParentType, ContextType, RequireFields<QueryplanDeprovisionArgs, 'id' | 'cancelRunning'>>;
  planUpgradeShoot?: Resolver<ResolversTypes['Plan'], ParentType, ContextType, RequireFields<QueryplanUpgradeShootArgs, 'id' | 'config'>>;
  runtimes?: Resolver<ResolversTypes['RuntimePage'], ParentType, ContextType, RequireFields<QueryruntimesArgs, 'first'>>;
  operations?: Resolver<ResolversTypes['OperationPage'], ParentType, ContextType, RequireFields<QueryoperationsArgs, 'first'>>;
  operationEvents?: Resolver<ResolversTypes['OperationEventPage'], ParentType, ContextType, RequireFields<QueryoperationEventsArgs, 'operationID' | 'first' | 'after'>>;
  orphans?: Resolver<ResolversTypes['OrphanPage'], ParentType, ContextType, RequireFields<QueryorphansArgs, 'first'>>;
  runtimeStatus?: Resolver<Maybe<ResolversTypes['RuntimeStatus']>, ParentType, ContextType, RequireFields<QueryruntimeStatusArgs, 'id'>>;
  runtimeOperationStatus?: Resolver<Maybe<ResolversTypes['OperationStatus']>, ParentType, ContextType, RequireFields<QueryruntimeOperationStatusArgs, 'id'>>;
};

export interface ManifestScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Manifest'], any> {
  name: 'Manifest';
}

export type OperationStatusResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OperationStatus'] = ResolversParentTypes['OperationStatus']> = {
  plan?: Resolver<Maybe<ResolversTypes['Plan']>, ParentType, ContextType>;
  cancellation?: Resolver<Maybe<ResolversTypes['Cancellation']>, ParentType, ContextType>;
  retryOf?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  operation?: Resolver<ResolversTypes['OperationType'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['OperationState'], ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  runtimeID?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  compassRuntimeID?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  errors?: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  lastError?: Resolver<Maybe<ResolversTypes['LastError']>, ParentType, ContextType>;
  stage?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  progress?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  queuePosition?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  startedAt?: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  stageStartedAt?: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  configurationChange?: Resolver<Maybe<ResolversTypes['ConfigurationChange']>, ParentType, ContextType>;
};

export type CancellationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Cancellation'] = ResolversParentTypes['Cancellation']> = {
  outcome?: Resolver<ResolversTypes['CancellationOutcome'], ParentType, ContextType>;
  residue?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PlanResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Plan'] = ResolversParentTypes['Plan']> = {
  changes?: Resolver<ReadonlyArray<ResolversTypes['PlannedChange']>, ParentType, ContextType>;
};

export type PlannedChangeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PlannedChange'] = ResolversParentTypes['PlannedChange']> = {
  stage?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  action?: Resolver<ResolversTypes['PlannedAction'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subject?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  manifest?: Resolver<Maybe<ResolversTypes['Manifest']>, ParentType, ContextType>;
  fields?: Resolver<Maybe<ReadonlyArray<ResolversTypes['FieldChange']>>, ParentType, ContextType>;
};

export type FieldChangeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FieldChange'] = ResolversParentTypes['FieldChange']> = {
  field?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  from?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  to?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type RuntimePageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RuntimePage'] = ResolversParentTypes['RuntimePage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Runtime']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type OperationPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OperationPage'] = ResolversParentTypes['OperationPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['OperationStatus']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type RuntimeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Runtime'] = ResolversParentTypes['Runtime']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  labels?: Resolver<ResolversTypes['Labels'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  region?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kubernetesVersion?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  kymaVersion?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  deletedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  lostAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  lastOperationStatus?: Resolver<ResolversTypes['OperationStatus'], ParentType, ContextType>;
  clusterConfig?: Resolver<ResolversTypes['ClusterConfig'], ParentType, ContextType>;
  kymaConfig?: Resolver<Maybe<ResolversTypes['KymaConfig']>, ParentType, ContextType>;
};

export type OperationEventPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OperationEventPage'] = ResolversParentTypes['OperationEventPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['OperationEvent']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['OperationEventPageInfo'], ParentType, ContextType>;
};

export type OperationEventPageInfoResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OperationEventPageInfo'] = ResolversParentTypes['OperationEventPageInfo']> = {
  endCursor?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type OperationEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OperationEvent'] = ResolversParentTypes['OperationEvent']> = {
  sequence?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['OperationEventType'], ParentType, ContextType>;
  stage?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  progress?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['LastError']>, ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  operationUpdates?: SubscriptionResolver<ResolversTypes['OperationUpdate'], "operationUpdates", ParentType, ContextType, RequireFields<SubscriptionoperationUpdatesArgs, 'operationID' | 'after'>>;
  runtimeUpdates?: SubscriptionResolver<ResolversTypes['RuntimeUpdate'], "runtimeUpdates", ParentType, ContextType, Partial<SubscriptionruntimeUpdatesArgs>>;
};

export type OperationUpdateResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OperationUpdate'] = ResolversParentTypes['OperationUpdate']> = {
  operationID?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  runtimeID?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  operation?: Resolver<ResolversTypes['OperationType'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['OperationState'], ParentType, ContextType>;
  sequence?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['OperationEventType'], ParentType, ContextType>;
  stage?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  progress?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['LastError']>, ParentType, ContextType>;
};

export type RuntimeUpdateResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RuntimeUpdate'] = ResolversParentTypes['RuntimeUpdate']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  update?: Resolver<Maybe<ResolversTypes['OperationUpdate']>, ParentType, ContextType>;
};

export type OrphanPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OrphanPage'] = ResolversParentTypes['OrphanPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Orphan']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  searches?: Resolver<ReadonlyArray<ResolversTypes['OrphanSearch']>, ParentType, ContextType>;
};

export type OrphanSearchResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OrphanSearch'] = ResolversParentTypes['OrphanSearch']> = {
  where?: Resolver<ResolversTypes['OrphanSource'], ParentType, ContextType>;
  searchedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  problem?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type OrphanResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Orphan'] = ResolversParentTypes['Orphan']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  where?: Resolver<ResolversTypes['OrphanSource'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  place?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  runtimeID?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['OrphanReason'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['OrphanState'], ParentType, ContextType>;
  createdAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  foundAt?: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  problem?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  plan?: Resolver<Maybe<ResolversTypes['Plan']>, ParentType, ContextType>;
};

export interface LabelsScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Labels'], any> {
  name: 'Labels';
}

export interface TimestampScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Timestamp'], any> {
  name: 'Timestamp';
}

export interface KymaModuleScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['KymaModule'], any> {
  name: 'KymaModule';
}

export type LastErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LastError'] = ResolversParentTypes['LastError']> = {
  errMessage?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  component?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  actor?: Resolver<ResolversTypes['Actor'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextStep?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Error'] = ResolversParentTypes['Error']> = {
  message?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type HibernationStatusResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['HibernationStatus'] = ResolversParentTypes['HibernationStatus']> = {
  hibernated?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  hibernationPossible?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export type RuntimeConnectionStatusResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RuntimeConnectionStatus'] = ResolversParentTypes['RuntimeConnectionStatus']> = {
  status?: Resolver<ResolversTypes['RuntimeAgentConnectionStatus'], ParentType, ContextType>;
  errors?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Error']>>, ParentType, ContextType>;
  observedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type CleanUpRuntimeDataResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CleanUpRuntimeDataResult'] = ResolversParentTypes['CleanUpRuntimeDataResult']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type RuntimeConnectionConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RuntimeConnectionConfig'] = ResolversParentTypes['RuntimeConnectionConfig']> = {
  kubeconfig?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType, RequireFields<RuntimeConnectionConfigkubeconfigArgs, 'role' | 'expirationSeconds'>>;
};

export type KymaConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['KymaConfig'] = ResolversParentTypes['KymaConfig']> = {
  version?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  profile?: Resolver<Maybe<ResolversTypes['KymaProfile']>, ParentType, ContextType>;
  conflictStrategy?: Resolver<Maybe<ResolversTypes['ConflictStrategy']>, ParentType, ContextType>;
  components?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ComponentConfiguration']>>, ParentType, ContextType>;
  modules?: Resolver<Maybe<ReadonlyArray<ResolversTypes['KymaModule']>>, ParentType, ContextType>;
  configuration?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ConfigEntry']>>, ParentType, ContextType>;
};

export type ComponentConfigurationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ComponentConfiguration'] = ResolversParentTypes['ComponentConfiguration']> = {
  component?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  namespace?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  configuration?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ConfigEntry']>>, ParentType, ContextType>;
  sourceURL?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  conflictStrategy?: Resolver<Maybe<ResolversTypes['ConflictStrategy']>, ParentType, ContextType>;
};

export type ConfigEntryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ConfigEntry'] = ResolversParentTypes['ConfigEntry']> = {
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  secret?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export type ConfigurationChangeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ConfigurationChange'] = ResolversParentTypes['ConfigurationChange']> = {
  before?: Resolver<ResolversTypes['ChangedConfiguration'], ParentType, ContextType>;
  after?: Resolver<ResolversTypes['ChangedConfiguration'], ParentType, ContextType>;
  adoptedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  rolledBackAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type ChangedConfigurationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ChangedConfiguration'] = ResolversParentTypes['ChangedConfiguration']> = {
  clusterConfig?: Resolver<Maybe<ResolversTypes['ClusterConfig']>, ParentType, ContextType>;
  kymaConfig?: Resolver<Maybe<ResolversTypes['KymaConfig']>, ParentType, ContextType>;
  administrators?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
};

export type Resolvers<ContextType = RequestContext> = {
  RuntimeStatus?: RuntimeStatusResolvers<ContextType>;
  ClusterStatus?: ClusterStatusResolvers<ContextType>;
  ClusterDrift?: ClusterDriftResolvers<ContextType>;
  RuntimeConfig?: RuntimeConfigResolvers<ContextType>;
  IssuedKubeconfig?: IssuedKubeconfigResolvers<ContextType>;
  ClusterConfig?: ClusterConfigResolvers<ContextType>;
  GardenerConfig?: GardenerConfigResolvers<ContextType>;
  GCPConfig?: GCPConfigResolvers<ContextType>;
  OIDCConfig?: OIDCConfigResolvers<ContextType>;
  DNSConfig?: DNSConfigResolvers<ContextType>;
  DNSProvider?: DNSProviderResolvers<ContextType>;
  ProviderSpecificConfig?: ProviderSpecificConfigResolvers<ContextType>;
  GCPProviderConfig?: GCPProviderConfigResolvers<ContextType>;
  AzureProviderConfig?: AzureProviderConfigResolvers<ContextType>;
  AzureZone?: AzureZoneResolvers<ContextType>;
  AWSProviderConfig?: AWSProviderConfigResolvers<ContextType>;
  AWSZone?: AWSZoneResolvers<ContextType>;
  OpenStackProviderConfig?: OpenStackProviderConfigResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Manifest?: GraphQLScalarType;
  OperationStatus?: OperationStatusResolvers<ContextType>;
  Cancellation?: CancellationResolvers<ContextType>;
  Plan?: PlanResolvers<ContextType>;
  PlannedChange?: PlannedChangeResolvers<ContextType>;
  FieldChange?: FieldChangeResolvers<ContextType>;
  RuntimePage?: RuntimePageResolvers<ContextType>;
  OperationPage?: OperationPageResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Runtime?: RuntimeResolvers<ContextType>;
  OperationEventPage?: OperationEventPageResolvers<ContextType>;
  OperationEventPageInfo?: OperationEventPageInfoResolvers<ContextType>;
  OperationEvent?: OperationEventResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  OperationUpdate?: OperationUpdateResolvers<ContextType>;
  RuntimeUpdate?: RuntimeUpdateResolvers<ContextType>;
  OrphanPage?: OrphanPageResolvers<ContextType>;
  OrphanSearch?: OrphanSearchResolvers<ContextType>;
  Orphan?: OrphanResolvers<ContextType>;
  Labels?: GraphQLScalarType;
  Timestamp?: GraphQLScalarType;
  KymaModule?: GraphQLScalarType;
  LastError?: LastErrorResolvers<ContextType>;
  Error?: ErrorResolvers<ContextType>;
  HibernationStatus?: HibernationStatusResolvers<ContextType>;
  RuntimeConnectionStatus?: RuntimeConnectionStatusResolvers<ContextType>;
  CleanUpRuntimeDataResult?: CleanUpRuntimeDataResultResolvers<ContextType>;
  RuntimeConnectionConfig?: RuntimeConnectionConfigResolvers<ContextType>;
  KymaConfig?: KymaConfigResolvers<ContextType>;
  ComponentConfiguration?: ComponentConfigurationResolvers<ContextType>;
  ConfigEntry?: ConfigEntryResolvers<ContextType>;
  ConfigurationChange?: ConfigurationChangeResolvers<ContextType>;
  ChangedConfiguration?: ChangedConfigurationResolvers<ContextType>;
};

