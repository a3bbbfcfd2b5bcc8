import type { GardenerConfig } from './gardener-config.ts';
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
  readonly createdAt: Date;
  readonly deletedAt: Date | undefined;
}

/** A cluster as it is stored: the driver that makes it, the name chosen for it once, and its configuration. */
export interface ClusterRecord {
  readonly driver: 'gardener';
  /** The name upstream; chosen before the first call that uses it, never changed. */
  readonly name: string;
  readonly config: GardenerConfig;
  /** Known once the cluster has got one. */
  readonly domain: string | undefined;
  /** Known once the cluster has got one. */
  readonly seed: string | undefined;
  /** Its creation was cut off and may still take effect until then: absence proves nothing before. */
  readonly settlesAt?: Date | undefined;
}

export type ClusterDriverKind = ClusterRecord['driver'];

/** What a stage learned about a Runtime; stored together with the stage's outcome. */
export interface RuntimeChanges {
  readonly domain?: string;
  readonly seed?: string;
  /** The cluster's creation was cut off without an answer. */
  readonly creationCutOff?: true;
  /** The cluster is gone: the row stays, with its history. */
  readonly deleted?: true;
}
