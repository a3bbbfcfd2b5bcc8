import type { GardenerConfig } from './gardener-config.ts';
import type { GcpConfig } from './gcp-config.ts';
import type { RuntimeId, Tenant } from './ids.ts';
import type { KymaInstallation } from './kyma-config.ts';

/** A Kubernetes cluster with Kyma: one cluster is one Runtime. */
export interface Runtime {
  readonly id: RuntimeId;
  readonly tenant: Tenant;
  readonly subAccount: string | undefined;
  readonly name: string;
  readonly description: string | undefined;
  readonly labels: Readonly<Record<string, unknown>>;
  /** Who registered the Runtime in the Director: we did, the caller did, or nobody (registration is off). */
  readonly registration: 'ours' | 'callers' | 'none';
  readonly cluster: ClusterRecord;
  readonly kyma: KymaInstallation | undefined;
  /** Users who get the role cluster-admin. */
  readonly administrators: readonly string[];
  /** Grows with each change of `cluster.config`, `kyma` or `administrators`. */
  readonly configurationRevision: number;
  readonly createdAt: Date;
  readonly deletedAt: Date | undefined;
  /** Since when its cluster is known to be gone, and not through us. */
  readonly lostAt?: Date | undefined;
}

/** A Runtime that is about to be stored; the database adds the rest. */
export type NewRuntime = Omit<Runtime, 'configurationRevision' | 'createdAt' | 'deletedAt' | 'lostAt'>;

/** A cluster as it is stored: the driver that makes it, the name chosen for it once, and its configuration. */
export type ClusterRecord = GardenerCluster | GkeCluster;

export interface GardenerCluster extends ClusterOf<'gardener', GardenerConfig> {}

/** A cluster straight from Google Kubernetes Engine. */
export interface GkeCluster extends ClusterOf<'gke', GcpConfig> {}

interface ClusterOf<Driver extends string, Config> {
  readonly driver: Driver;
  /** The name upstream; chosen before the first call that uses it, never changed. */
  readonly name: string;
  readonly config: Config;
  /** Known once the cluster has got one. */
  readonly domain: string | undefined;
  /** Known once the cluster has got one. */
  readonly seed: string | undefined;
  /** Its creation was cut off and may still take effect until then: absence proves nothing before. */
  readonly settlesAt?: Date | undefined;
}

export type ClusterDriverKind = ClusterRecord['driver'];

/** Parts of a Runtime's configuration, each whole; what is not given is not meant. */
export interface Target {
  readonly cluster?: ClusterRecord['config'];
  /** Fields of `cluster` that were asked for, whether they differ or not. */
  readonly clusterFields?: readonly string[];
  readonly kyma?: KymaInstallation;
  readonly administrators?: readonly string[];
}

export type TargetPart = Exclude<keyof Target, 'clusterFields'>;

/** What a stage learned about a Runtime; stored together with the stage's outcome. */
export interface RuntimeChanges {
  readonly domain?: string;
  readonly seed?: string;
  /** The cluster's creation was cut off without an answer. */
  readonly creationCutOff?: true;
  /** Parts of the operation's target that are the Runtime's configuration from now on. */
  readonly adopts?: readonly TargetPart[];
  /** The cluster is gone: the row stays, with its history. */
  readonly deleted?: true;
}
