import type { RuntimeId } from '../domain/ids.ts';
import type { ClusterDriverKind } from '../domain/runtime.ts';
import type { ClusterObservation, ClusterOrder } from './cluster-driver.ts';

/** A field that we have set and that is not as we have set it any more. */
export interface Drift {
  /** As the caller knows it, below the cluster's configuration, such as `machineType`. */
  readonly field: string;
  /** Undefined: we have set none. */
  readonly ours: string | undefined;
  /** Undefined: there is none any more. */
  readonly theirs: string | undefined;
  /** `changed`: by somebody else. `newer`: a version that was raised, as the provider does by itself; it is kept. */
  readonly kind: 'changed' | 'newer';
}

/** What runs in a cluster, whoever chose it; undefined where nobody has yet. */
export interface ClusterVersions {
  readonly kubernetesVersion?: string | undefined;
  readonly machineImage?: string | undefined;
  readonly machineImageVersion?: string | undefined;
}

/** A cluster as it was last seen. */
export interface SeenCluster {
  readonly observation: ClusterObservation;
  readonly versions: ClusterVersions;
  /** Compares with the order's configuration. What that leaves open is right, whatever it is. */
  drift(order: ClusterOrder): readonly Drift[];
  /** Another text when kubeconfigs that were issued before may not work any more. */
  readonly credentials: string;
}

/** Clusters of one driver that are followed: what it answers, it answers at once and asks nobody. */
export interface ClusterWatch {
  /** Resolves when all clusters have been seen for the first time. */
  readonly synced: Promise<void>;
  /** Undefined: not known now. `seen` undefined: there is none that belongs to the Runtime. */
  look(cluster: ClusterName): { readonly seen: SeenCluster | undefined } | undefined;
  /** Hears the owner of each cluster that was there and is not any more. Answers how to stop listening. */
  onGone(listener: (runtimeId: string) => void): () => void;
}

export interface ClusterName {
  readonly runtimeId: RuntimeId;
  /** The name upstream. */
  readonly name: string;
}

/** A driver without one has clusters that are asked for, one by one. */
export type ClusterWatches = Readonly<Partial<Record<ClusterDriverKind, ClusterWatch>>>;
