import type { Runtime } from '../domain/runtime.ts';
import type { ClusterOrder } from './cluster-driver.ts';

/** The part of a Runtime that its cluster's driver needs to know. */
export function clusterOrder(runtime: Runtime): ClusterOrder {
  return {
    runtimeId: runtime.id,
    tenant: runtime.tenant,
    subAccount: runtime.subAccount,
    cluster: runtime.cluster,
  };
}
