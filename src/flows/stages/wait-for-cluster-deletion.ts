import { clusterOrder } from '../../clusters/cluster-order.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { done, fail, type Outcome, wait } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { isUnsettled } from './unsettled-cluster.ts';
import { waitOnCluster } from './wait-on-cluster.ts';

/** For a creation that was cut off: rarely needed, and only for minutes. */
const untilSettled = { from: 1_000, upTo: 10_000 };

/** Waits until the cluster is gone; only its absence proves it, once nothing can make it appear any more. */
export async function waitForClusterDeletion(run: StageRun): Promise<Outcome> {
  const { runtime, clusters, access, signal } = run;
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  const seen = await driver.observe(order, signal);
  const unsettled = await isUnsettled(run, seen);
  // It may have appeared after its deletion was asked for in vain.
  if (runtime.cluster.settlesAt !== undefined && seen.state !== 'absent') await driver.requestDeletion(order, signal);
  switch (seen.state) {
    case 'absent':
      if (unsettled) {
        const message = 'Making sure that the creation that was cut off does not take effect after all';
        return wait({ message, wakeOn: driver.wakeKey(order), lookAgain: untilSettled });
      }
      access.forget(order);
      return done();
    case 'failed':
      if (!seen.beyondRepair) return fail(seen.failure);
      // Nothing but its deletion is left to ask for, as often as it takes.
      await driver.requestDeletion(order, signal);
      return waitOnCluster({ driver, order, seen: { message: `Deletion was asked for: ${seen.failure.message}` } });
    case 'ready':
    case 'hibernated':
      return waitOnCluster({ driver, order, seen: { message: 'Deletion was asked for' } });
    case 'changing':
    case 'deleting':
      return waitOnCluster({ driver, order, seen });
    default:
      return assertNever(seen);
  }
}
