import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';

/** Begins the deletion of the cluster. */
export async function deprovisionCluster({ runtime, clusters, signal }: StageRun): Promise<Outcome> {
  await clusters[runtime.cluster.driver].requestDeletion(clusterOrder(runtime), signal);
  return done();
}
