// Printed from schema/ by `npm run generate`. Do not edit.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { OperationView, RuntimeView } from '../views.ts';
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
  /** A JSON object. Values may be anything JSON can hold; the Director decides which keys it takes. */
  Labels: { input: Readonly<Record<string, unknown>>; output: Readonly<Record<string, unknown>>; }
  /** A moment in UTC, as RFC 3339 writes it: `2020-06-30T09:41:00.000Z`. */
  Timestamp: { input: Date; output: Date; }
};

export type Query = {
  readonly __typename?: 'Query';
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


export type QueryruntimeStatusArgs = {
  id: Scalars['String']['input'];
};


export type QueryruntimeOperationStatusArgs = {
  id: Scalars['String']['input'];
};

export type Mutation = {
  readonly __typename?: 'Mutation';
  /**
   * Makes a Kubernetes cluster, installs Kyma on it and connects it. The whole input is checked first: a refusal names
   * every mistake.
   *
   * `id`: the Runtime's id in the Director, when the caller has registered it there. Without it the Runtime is registered
   * by this service, and the answer holds its id.
   *
   * Errors: `INVALID_INPUT`, `CLUSTER_REJECTED`, `CLUSTER_NAME_TAKEN`, `KYMA_RELEASE_NOT_FOUND`,
   * `KYMA_COMPONENT_INVALID`, `ALREADY_EXISTS`, `DIRECTOR_*`.
   */
  readonly provisionRuntime?: Maybe<OperationStatus>;
  /**
   * Uninstalls Kyma, deletes the cluster and, if this service registered it, the Runtime's entry in the Director; works
   * from whatever state provisioning ended in. Once more on a Runtime that is gone, it succeeds at once. Answers the
   * operation's id.
   *
   * Errors: `NOT_FOUND`, `OPERATION_IN_PROGRESS`.
   */
  readonly deprovisionRuntime: Scalars['String']['output'];
};


export type MutationprovisionRuntimeArgs = {
  id?: InputMaybe<Scalars['String']['input']>;
  config: ProvisionRuntimeInput;
};


export type MutationdeprovisionRuntimeArgs = {
  id: Scalars['String']['input'];
};

/** An asynchronous operation on a Runtime. */
export type OperationStatus = {
  readonly __typename?: 'OperationStatus';
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
  readonly startedAt: Scalars['Timestamp']['output'];
  readonly stageStartedAt: Scalars['Timestamp']['output'];
  /** Null while the operation is in progress. */
  readonly finishedAt?: Maybe<Scalars['Timestamp']['output']>;
};

export type OperationType =
  | 'Provision'
  | 'Upgrade'
  | 'UpgradeShoot'
  | 'Hibernate'
  | 'WakeUp'
  | 'ReconnectRuntime'
  | 'Deprovision';

export type OperationState =
  /** Never answered: an operation is in progress from the moment it is accepted. */
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

export type RuntimeStatus = {
  readonly __typename?: 'RuntimeStatus';
  /** The operation that was accepted last. */
  readonly lastOperationStatus?: Maybe<OperationStatus>;
  /** The connection of the Runtime Agent with the Management Plane, looked up in the cluster. */
  readonly runtimeConnectionStatus?: Maybe<RuntimeConnectionStatus>;
  /** How to reach the cluster. */
  readonly runtimeConnectionConfig?: Maybe<RuntimeConnectionConfig>;
  readonly runtimeConfiguration?: Maybe<RuntimeConfig>;
};

export type RuntimeConnectionStatus = {
  readonly __typename?: 'RuntimeConnectionStatus';
  /**
   * `Pending` also when there is nothing to connect (no Kyma, or no registration in the Director) and when it cannot be
   * found out now; `errors` then says why.
   */
  readonly status: RuntimeAgentConnectionStatus;
  readonly errors?: Maybe<ReadonlyArray<Error>>;
};

export type RuntimeAgentConnectionStatus =
  | 'Pending'
  | 'Connected'
  | 'Disconnected';

export type RuntimeConnectionConfig = {
  readonly __typename?: 'RuntimeConnectionConfig';
  /** As `RuntimeConfig.kubeconfig`. */
  readonly kubeconfig?: Maybe<Scalars['String']['output']>;
};

export type RuntimeConfig = {
  readonly __typename?: 'RuntimeConfig';
  readonly clusterConfig?: Maybe<ClusterConfig>;
  /** Null when no Kyma was asked for. */
  readonly kymaConfig?: Maybe<KymaConfig>;
  /**
   * YAML with administrator rights, made for this answer and valid for one hour. Keep it secret and ask for a new one when
   * it has expired. Null before the cluster is there and after it is gone; when the cluster exists and no kubeconfig can be
   * issued, null with an error.
   */
  readonly kubeconfig?: Maybe<Scalars['String']['output']>;
};

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
  readonly providerSpecificConfig?: Maybe<ProviderSpecificConfig>;
};

export type ProviderSpecificConfig = GCPProviderConfig | AzureProviderConfig | AWSProviderConfig;

export type GCPProviderConfig = {
  readonly __typename?: 'GCPProviderConfig';
  readonly zones: ReadonlyArray<Scalars['String']['output']>;
};

export type AzureProviderConfig = {
  readonly __typename?: 'AzureProviderConfig';
  readonly vnetCidr?: Maybe<Scalars['String']['output']>;
  readonly zones?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
};

export type AWSProviderConfig = {
  readonly __typename?: 'AWSProviderConfig';
  readonly vpcCidr?: Maybe<Scalars['String']['output']>;
  readonly awsZones: ReadonlyArray<AWSZone>;
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

export type KymaConfig = {
  readonly __typename?: 'KymaConfig';
  /** As it was asked for. */
  readonly version?: Maybe<Scalars['String']['output']>;
  readonly profile?: Maybe<KymaProfile>;
  readonly conflictStrategy?: Maybe<ConflictStrategy>;
  readonly components?: Maybe<ReadonlyArray<ComponentConfiguration>>;
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

/** What happens when an entry is configured twice. */
export type ConflictStrategy =
  | 'Merge'
  | 'Replace';

export type ProvisionRuntimeInput = {
  /** How the Runtime is presented, and registered in the Director. */
  readonly runtimeInput: RuntimeInput;
  readonly clusterConfig: ClusterConfigInput;
  /** Without it the cluster gets no Kyma. */
  readonly kymaConfig?: InputMaybe<KymaConfigInput>;
};

export type RuntimeInput = {
  /** For people. The Director takes letters, digits, `-`, `_` and `.`, at most 256 of them. */
  readonly name: Scalars['String']['input'];
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly labels?: InputMaybe<Scalars['Labels']['input']>;
};

export type ClusterConfigInput = {
  readonly gardenerConfig: GardenerConfigInput;
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
  /** `1.34.2`, or `1.34` for its latest patch. Default: the latest version that the provider's CloudProfile supports. */
  readonly kubernetesVersion?: InputMaybe<Scalars['String']['input']>;
  /** Size of each node's disk in GiB. Given together with `diskType` or not at all. Default: that of the CloudProfile. */
  readonly volumeSizeGB?: InputMaybe<Scalars['Int']['input']>;
  /** Such as `pd-balanced`. Given together with `volumeSizeGB` or not at all. Default: that of the CloudProfile. */
  readonly diskType?: InputMaybe<Scalars['String']['input']>;
  /**
   * Type of the nodes. Default: one with 4 CPUs and 16 GiB (gcp `n2-standard-4`, azure `Standard_D4s_v5`, aws
   * `m6i.xlarge`).
   */
  readonly machineType?: InputMaybe<Scalars['String']['input']>;
  /** Operating system of the nodes. Default: that of the CloudProfile. */
  readonly machineImage?: InputMaybe<Scalars['String']['input']>;
  /** Needs `machineImage`. */
  readonly machineImageVersion?: InputMaybe<Scalars['String']['input']>;
  /** Region of the cloud. Never changes. */
  readonly region: Scalars['String']['input'];
  /** `gcp`, `azure` or `aws`. Never changes. */
  readonly provider: Scalars['String']['input'];
  /** `evaluation`, `development`, `testing` or `production`. Default: Gardener's, `evaluation`. */
  readonly purpose?: InputMaybe<Scalars['String']['input']>;
  /** Noted on the Shoot as an annotation, such as `TestDevelopmentAndDemo`. */
  readonly licenceType?: InputMaybe<Scalars['String']['input']>;
  /** Seed that is to run the control plane. Default: Gardener chooses. */
  readonly seed?: InputMaybe<Scalars['String']['input']>;
  /** Name of the CredentialsBinding in the project's namespace with the credentials of the cloud account. */
  readonly targetSecret: Scalars['String']['input'];
  /** CIDR of the nodes, such as `10.250.0.0/22`. Never changes. */
  readonly workerCidr: Scalars['String']['input'];
  /** CIDR of the Pods. Never changes. */
  readonly podsCidr?: InputMaybe<Scalars['String']['input']>;
  /** CIDR of the Services. Never changes. */
  readonly servicesCidr?: InputMaybe<Scalars['String']['input']>;
  /** Fewest nodes; at least 1. Default: 2. */
  readonly autoScalerMin?: InputMaybe<Scalars['Int']['input']>;
  /** Most nodes. Default: 4, or `autoScalerMin` when that is more. */
  readonly autoScalerMax?: InputMaybe<Scalars['Int']['input']>;
  /** How many nodes more than asked for there may be during an update. Default: 1. */
  readonly maxSurge?: InputMaybe<Scalars['Int']['input']>;
  /** How many nodes fewer than asked for there may be during an update. Default: 0. Not both this and `maxSurge` may be 0. */
  readonly maxUnavailable?: InputMaybe<Scalars['Int']['input']>;
  /** Whether Gardener may raise the patch version of Kubernetes by itself. Default: false. */
  readonly enableKubernetesVersionAutoUpdate?: InputMaybe<Scalars['Boolean']['input']>;
  /** Whether Gardener may raise the version of the machine image by itself. Default: false. */
  readonly enableMachineImageVersionAutoUpdate?: InputMaybe<Scalars['Boolean']['input']>;
  /** Exactly one of its fields is given, and it is that of `provider`. */
  readonly providerSpecificConfig: ProviderSpecificInput;
};

export type ProviderSpecificInput = {
  readonly gcpConfig?: InputMaybe<GCPProviderConfigInput>;
  readonly azureConfig?: InputMaybe<AzureProviderConfigInput>;
  readonly awsConfig?: InputMaybe<AWSProviderConfigInput>;
};

export type GCPProviderConfigInput = {
  /** At least one zone of the region, such as `europe-west3-a`. */
  readonly zones: ReadonlyArray<Scalars['String']['input']>;
};

export type AzureProviderConfigInput = {
  /** CIDR of the virtual network; holds `workerCidr`. */
  readonly vnetCidr: Scalars['String']['input'];
  /** Zones of the region, such as `1`. Default: the nodes are not bound to zones. */
  readonly zones?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** Either `awsZones`, or (the form of 2020, for one zone) `zone`, `publicCidr` and `internalCidr`. */
export type AWSProviderConfigInput = {
  /** CIDR of the VPC; holds all the others. */
  readonly vpcCidr: Scalars['String']['input'];
  readonly awsZones?: InputMaybe<ReadonlyArray<AWSZoneInput>>;
  readonly zone?: InputMaybe<Scalars['String']['input']>;
  readonly publicCidr?: InputMaybe<Scalars['String']['input']>;
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

export type KymaConfigInput = {
  /** A channel (`regular`, `fast`) or a release. */
  readonly version: Scalars['String']['input'];
  /** Resource profile. */
  readonly profile?: InputMaybe<KymaProfile>;
  /** What to install; what that needs is added. Default: Kyma Lite, the release's minimal set. */
  readonly components?: InputMaybe<ReadonlyArray<ComponentConfigurationInput>>;
  /** Configuration for all components. */
  readonly configuration?: InputMaybe<ReadonlyArray<ConfigEntryInput>>;
  readonly conflictStrategy?: InputMaybe<ConflictStrategy>;
};

export type ComponentConfigurationInput = {
  /** Name of the component or module, such as `istio`. */
  readonly component: Scalars['String']['input'];
  /** Namespace it is installed to; for a module the one its release names. */
  readonly namespace: Scalars['String']['input'];
  readonly configuration?: InputMaybe<ReadonlyArray<ConfigEntryInput>>;
  /** Where to fetch the component from instead of its release. */
  readonly sourceURL?: InputMaybe<Scalars['String']['input']>;
  readonly conflictStrategy?: InputMaybe<ConflictStrategy>;
};

export type ConfigEntryInput = {
  /** Dotted path, such as `gateway.replicas`. */
  readonly key: Scalars['String']['input'];
  readonly value: Scalars['String']['input'];
  /** A confidential entry is encrypted where it is stored, and never answered. Default: false. */
  readonly secret?: InputMaybe<Scalars['Boolean']['input']>;
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
  ;
};

/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  ClusterConfig: ( Omit<GardenerConfig, 'providerSpecificConfig'> & { providerSpecificConfig?: Maybe<_RefType['ProviderSpecificConfig']> } );
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Labels: ResolverTypeWrapper<Scalars['Labels']['output']>;
  Timestamp: ResolverTypeWrapper<Scalars['Timestamp']['output']>;
  OperationStatus: ResolverTypeWrapper<OperationView>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  OperationType: OperationType;
  OperationState: OperationState;
  LastError: ResolverTypeWrapper<LastError>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Actor: Actor;
  Error: ResolverTypeWrapper<Error>;
  RuntimeStatus: ResolverTypeWrapper<RuntimeView>;
  RuntimeConnectionStatus: ResolverTypeWrapper<RuntimeConnectionStatus>;
  RuntimeAgentConnectionStatus: RuntimeAgentConnectionStatus;
  RuntimeConnectionConfig: ResolverTypeWrapper<RuntimeView>;
  RuntimeConfig: ResolverTypeWrapper<RuntimeView>;
  ClusterConfig: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['ClusterConfig']>;
  GardenerConfig: ResolverTypeWrapper<Omit<GardenerConfig, 'providerSpecificConfig'> & { providerSpecificConfig?: Maybe<ResolversTypes['ProviderSpecificConfig']> }>;
  ProviderSpecificConfig: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['ProviderSpecificConfig']>;
  GCPProviderConfig: ResolverTypeWrapper<GCPProviderConfig>;
  AzureProviderConfig: ResolverTypeWrapper<AzureProviderConfig>;
  AWSProviderConfig: ResolverTypeWrapper<AWSProviderConfig>;
  AWSZone: ResolverTypeWrapper<AWSZone>;
  KymaConfig: ResolverTypeWrapper<KymaConfig>;
  ComponentConfiguration: ResolverTypeWrapper<ComponentConfiguration>;
  ConfigEntry: ResolverTypeWrapper<ConfigEntry>;
  KymaProfile: KymaProfile;
  ConflictStrategy: ConflictStrategy;
  ProvisionRuntimeInput: ProvisionRuntimeInput;
  RuntimeInput: RuntimeInput;
  ClusterConfigInput: ClusterConfigInput;
  GardenerConfigInput: GardenerConfigInput;
  ProviderSpecificInput: ProviderSpecificInput;
  GCPProviderConfigInput: GCPProviderConfigInput;
  AzureProviderConfigInput: AzureProviderConfigInput;
  AWSProviderConfigInput: AWSProviderConfigInput;
  AWSZoneInput: AWSZoneInput;
  KymaConfigInput: KymaConfigInput;
  ComponentConfigurationInput: ComponentConfigurationInput;
  ConfigEntryInput: ConfigEntryInput;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Query: Record<PropertyKey, never>;
  String: Scalars['String']['output'];
  Mutation: Record<PropertyKey, never>;
  Labels: Scalars['Labels']['output'];
  Timestamp: Scalars['Timestamp']['output'];
  OperationStatus: OperationView;
  Int: Scalars['Int']['output'];
  LastError: LastError;
  Boolean: Scalars['Boolean']['output'];
  Error: Error;
  RuntimeStatus: RuntimeView;
  RuntimeConnectionStatus: RuntimeConnectionStatus;
  RuntimeConnectionConfig: RuntimeView;
  RuntimeConfig: RuntimeView;
  ClusterConfig: ResolversInterfaceTypes<ResolversParentTypes>['ClusterConfig'];
  GardenerConfig: Omit<GardenerConfig, 'providerSpecificConfig'> & { providerSpecificConfig?: Maybe<ResolversParentTypes['ProviderSpecificConfig']> };
  ProviderSpecificConfig: ResolversUnionTypes<ResolversParentTypes>['ProviderSpecificConfig'];
  GCPProviderConfig: GCPProviderConfig;
  AzureProviderConfig: AzureProviderConfig;
  AWSProviderConfig: AWSProviderConfig;
  AWSZone: AWSZone;
  KymaConfig: KymaConfig;
  ComponentConfiguration: ComponentConfiguration;
  ConfigEntry: ConfigEntry;
  ProvisionRuntimeInput: ProvisionRuntimeInput;
  RuntimeInput: RuntimeInput;
  ClusterConfigInput: ClusterConfigInput;
  GardenerConfigInput: GardenerConfigInput;
  ProviderSpecificInput: ProviderSpecificInput;
  GCPProviderConfigInput: GCPProviderConfigInput;
  AzureProviderConfigInput: AzureProviderConfigInput;
  AWSProviderConfigInput: AWSProviderConfigInput;
  AWSZoneInput: AWSZoneInput;
  KymaConfigInput: KymaConfigInput;
  ComponentConfigurationInput: ComponentConfigurationInput;
  ConfigEntryInput: ConfigEntryInput;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  runtimeStatus?: Resolver<Maybe<ResolversTypes['RuntimeStatus']>, ParentType, ContextType, RequireFields<QueryruntimeStatusArgs, 'id'>>;
  runtimeOperationStatus?: Resolver<Maybe<ResolversTypes['OperationStatus']>, ParentType, ContextType, RequireFields<QueryruntimeOperationStatusArgs, 'id'>>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  provisionRuntime?: Resolver<Maybe<ResolversTypes['OperationStatus']>, ParentType, ContextType, RequireFields<MutationprovisionRuntimeArgs, 'config'>>;
  deprovisionRuntime?: Resolver<ResolversTypes['String'], ParentType, ContextType, RequireFields<MutationdeprovisionRuntimeArgs, 'id'>>;
};

export interface LabelsScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Labels'], any> {
  name: 'Labels';
}

export interface TimestampScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Timestamp'], any> {
  name: 'Timestamp';
}

export type OperationStatusResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OperationStatus'] = ResolversParentTypes['OperationStatus']> = {
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
  startedAt?: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  stageStartedAt?: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
};

export type LastErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LastError'] = ResolversParentTypes['LastError']> = {
  errMessage?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  component?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  actor?: Resolver<ResolversTypes['Actor'], ParentType, ContextType>;
  retryable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Error'] = ResolversParentTypes['Error']> = {
  message?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type RuntimeStatusResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RuntimeStatus'] = ResolversParentTypes['RuntimeStatus']> = {
  lastOperationStatus?: Resolver<Maybe<ResolversTypes['OperationStatus']>, ParentType, ContextType>;
  runtimeConnectionStatus?: Resolver<Maybe<ResolversTypes['RuntimeConnectionStatus']>, ParentType, ContextType>;
  runtimeConnectionConfig?: Resolver<Maybe<ResolversTypes['RuntimeConnectionConfig']>, ParentType, ContextType>;
  runtimeConfiguration?: Resolver<Maybe<ResolversTypes['RuntimeConfig']>, ParentType, ContextType>;
};

export type RuntimeConnectionStatusResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RuntimeConnectionStatus'] = ResolversParentTypes['RuntimeConnectionStatus']> = {
  status?: Resolver<ResolversTypes['RuntimeAgentConnectionStatus'], ParentType, ContextType>;
  errors?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Error']>>, ParentType, ContextType>;
};

export type RuntimeConnectionConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RuntimeConnectionConfig'] = ResolversParentTypes['RuntimeConnectionConfig']> = {
  kubeconfig?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type RuntimeConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RuntimeConfig'] = ResolversParentTypes['RuntimeConfig']> = {
  clusterConfig?: Resolver<Maybe<ResolversTypes['ClusterConfig']>, ParentType, ContextType>;
  kymaConfig?: Resolver<Maybe<ResolversTypes['KymaConfig']>, ParentType, ContextType>;
  kubeconfig?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ClusterConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ClusterConfig'] = ResolversParentTypes['ClusterConfig']> = {
  __resolveType: TypeResolveFn<'GardenerConfig', ParentType, ContextType>;
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
  providerSpecificConfig?: Resolver<Maybe<ResolversTypes['ProviderSpecificConfig']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ProviderSpecificConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProviderSpecificConfig'] = ResolversParentTypes['ProviderSpecificConfig']> = {
  __resolveType: TypeResolveFn<'GCPProviderConfig' | 'AzureProviderConfig' | 'AWSProviderConfig', ParentType, ContextType>;
};

export type GCPProviderConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GCPProviderConfig'] = ResolversParentTypes['GCPProviderConfig']> = {
  zones?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AzureProviderConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AzureProviderConfig'] = ResolversParentTypes['AzureProviderConfig']> = {
  vnetCidr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  zones?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AWSProviderConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AWSProviderConfig'] = ResolversParentTypes['AWSProviderConfig']> = {
  vpcCidr?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  awsZones?: Resolver<ReadonlyArray<ResolversTypes['AWSZone']>, ParentType, ContextType>;
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

export type KymaConfigResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['KymaConfig'] = ResolversParentTypes['KymaConfig']> = {
  version?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  profile?: Resolver<Maybe<ResolversTypes['KymaProfile']>, ParentType, ContextType>;
  conflictStrategy?: Resolver<Maybe<ResolversTypes['ConflictStrategy']>, ParentType, ContextType>;
  components?: Resolver<Maybe<ReadonlyArray<ResolversTypes['ComponentConfiguration']>>, ParentType, ContextType>;
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

export type Resolvers<ContextType = RequestContext> = {
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Labels?: GraphQLScalarType;
  Timestamp?: GraphQLScalarType;
  OperationStatus?: OperationStatusResolvers<ContextType>;
  LastError?: LastErrorResolvers<ContextType>;
  Error?: ErrorResolvers<ContextType>;
  RuntimeStatus?: RuntimeStatusResolvers<ContextType>;
  RuntimeConnectionStatus?: RuntimeConnectionStatusResolvers<ContextType>;
  RuntimeConnectionConfig?: RuntimeConnectionConfigResolvers<ContextType>;
  RuntimeConfig?: RuntimeConfigResolvers<ContextType>;
  ClusterConfig?: ClusterConfigResolvers<ContextType>;
  GardenerConfig?: GardenerConfigResolvers<ContextType>;
  ProviderSpecificConfig?: ProviderSpecificConfigResolvers<ContextType>;
  GCPProviderConfig?: GCPProviderConfigResolvers<ContextType>;
  AzureProviderConfig?: AzureProviderConfigResolvers<ContextType>;
  AWSProviderConfig?: AWSProviderConfigResolvers<ContextType>;
  AWSZone?: AWSZoneResolvers<ContextType>;
  KymaConfig?: KymaConfigResolvers<ContextType>;
  ComponentConfiguration?: ComponentConfigurationResolvers<ContextType>;
  ConfigEntry?: ConfigEntryResolvers<ContextType>;
};

