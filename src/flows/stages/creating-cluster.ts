import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';

/** Asks for the cluster under the name that was chosen when the operation was accepted. */
export async function creatingCluster({ operation, runtime, clusters, signal }: StageRun): Promise<Outcome> {
  await clusters[runtime.cluster.driver].create(clusterOrder(runtime), operation.id, signal);
  return done();
}
