import { clusterOrder } from '../../clusters/cluster-order.ts';
import type { StageRun } from '../tools.ts';

/** True when the cluster works, so that there is something to clean up and somebody to do it. */
export async function clusterWorks({ runtime, clusters, signal }: StageRun): Promise<boolean> {
  const seen = await clusters[runtime.cluster.driver].observe(clusterOrder(runtime), signal);
  return seen.state === 'ready';
}
