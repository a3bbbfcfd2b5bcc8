import { clusterOrder } from '../../clusters/cluster-order.ts';
import { assertNever } from '../../domain/assert-never.ts';
import type { Failure } from '../../domain/failures.ts';
import { done, fail, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { lostCluster } from './lost-cluster.ts';
import { retoldFailure } from './retold-failure.ts';
import { revisionOf } from './updating-shoot.ts';
import { waitOnCluster } from './wait-on-cluster.ts';

/** Waits until the cluster is what was asked for. One that sleeps gets the rest when it wakes up. */
export async function waitingForShootUpgrade(run: StageRun): Promise<Outcome> {
  const { runtime, clusters, signal } = run;
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  const seen = await driver.observe(order, signal, { since: revisionOf(run) });
  switch (seen.state) {
    case 'absent':
      return lostCluster(runtime);
    case 'failed':
      return fail(shootUpgradeFailure(seen.failure));
    case 'ready':
      return done();
    case 'hibernated':
      return done({ message: 'The cluster is hibernated; its nodes follow when it wakes up' });
    case 'changing':
    case 'deleting':
      return waitOnCluster({ driver, order, seen });
    default:
      return assertNever(seen);
  }
}

/** In the words of the original, which its clients look for. */
export function shootUpgradeFailure(failure: Failure): Failure {
  return retoldFailure(failure, 'Gardener Shoot cluster upgrade failed.');
}
