import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts';
import type { ClusterOrder } from './cluster-driver.ts';

/** Clients for the clusters of Runtimes: kept while they are used, renewed before their kubeconfig expires. */
export interface ClusterAccess {
  /**
   * While the cluster cannot issue a kubeconfig the error thrown is a transient one, no Failure: a stage waits for that.
   * The client is shared: never close it.
   */
  client(order: ClusterOrder, signal: AbortSignal): Promise<KubernetesClient>;
  /** Drops what is kept for a cluster that is gone. */
  forget(order: ClusterOrder): void;
}
