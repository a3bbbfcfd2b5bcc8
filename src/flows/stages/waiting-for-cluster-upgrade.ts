import { clusterOrder } from '../../clusters/cluster-order.ts';
import { describeSleep, sleepAdvice } from '../../clusters/describe-sleep.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { Failure } from '../../domain/failures.ts';
import { done, fail, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { lostCluster } from './lost-cluster.ts';
import { waitOnCluster } from './wait-on-cluster.ts';

/** Waits until the cluster has what was asked for; only then it is what the Runtime is configured to be. */
export async function waitingForClusterUpgrade({ operation, runtime, clusters, signal }: StageRun): Promise<Outcome> {
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  const { clusterRevision } = operation.notes;
  const since = typeof clusterRevision === 'string' ? clusterRevision : undefined;
  const seen = await driver.observe(order, signal, { since });
  switch (seen.state) {
    case 'absent':
      return lostCluster(runtime);
    case 'failed':
      return fail(seen.failure);
    case 'ready':
      return done({ runtime: { adopts: ['cluster'] } });
    case 'hibernated':
      return fail(sleepingCluster(runtime.cluster.name));
    case 'changing':
    case 'deleting':
      return waitOnCluster({ driver, order, seen });
    default:
      return assertNever(seen);
  }
}

function sleepingCluster(name: string): Failure {
  const asleep = { wanted: true, hibernated: true };
  const message = `cluster ${name} ${describeSleep(asleep)} before its upgrade was finished; ${sleepAdvice(asleep)}, then upgrade again`;
  return new Failure('HIBERNATED', message);
}
