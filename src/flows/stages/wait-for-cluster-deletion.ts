import { clusterOrder } from '../../clusters/cluster-order.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { done, fail, type Outcome, wait, whenWoken } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';

/** Waits until the cluster is gone; only its absence proves it. */
export async function waitForClusterDeletion({ runtime, clusters, access, signal }: StageRun): Promise<Outcome> {
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  const seen = await driver.observe(order, signal);
  switch (seen.state) {
    case 'absent':
      access.forget(order);
      return done();
    case 'failed':
      return fail(seen.failure);
    case 'ready':
      return wait({ message: 'Deletion was asked for', wakeOn: driver.wakeKey(order), lookAgain: whenWoken });
    case 'changing':
    case 'deleting':
      return wait({
        message: seen.message,
        progress: seen.progress,
        wakeOn: driver.wakeKey(order),
        lookAgain: whenWoken,
      });
    default:
      return assertNever(seen);
  }
}
