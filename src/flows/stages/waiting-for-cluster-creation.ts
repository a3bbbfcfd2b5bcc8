import { clusterOrder } from '../../clusters/cluster-order.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { done, fail, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { lostCluster } from './lost-cluster.ts';
import { waitOnCluster } from './wait-on-cluster.ts';

/** Waits until the cluster works, telling the provider's own progress and words meanwhile. */
export async function waitingForClusterCreation({ runtime, clusters, signal }: StageRun): Promise<Outcome> {
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  const seen = await driver.observe(order, signal);
  switch (seen.state) {
    case 'absent':
      return lostCluster(runtime);
    case 'failed':
      return fail(seen.failure);
    case 'ready':
      return done({ runtime: { seed: seen.seed } });
    case 'changing':
    case 'deleting':
      return waitOnCluster({ driver, order, seen });
    default:
      return assertNever(seen);
  }
}
