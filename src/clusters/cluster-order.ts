import type { Runtime } from '../domain/runtime.ts';
import type { ClusterOrder } from './cluster-driver.ts';

/** The part of a Runtime that tells whose cluster is meant. */
export type ClusterOwner = Pick<Runtime, 'id' | 'tenant' | 'subAccount' | 'cluster'>;

/** What its cluster's driver needs to know. */
export function clusterOrder(runtime: ClusterOwner): ClusterOrder {
  return {
    runtimeId: runtime.id,
    tenant: runtime.tenant,
    subAccount: runtime.subAccount,
    cluster: runtime.cluster,
  };
}
