import { clusterOrder } from '../../clusters/cluster-order.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { done, fail, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { changeHibernation, hibernationRevision } from './change-hibernation.ts';
import { lostCluster } from './lost-cluster.ts';
import { retoldFailure } from './retold-failure.ts';
import { waitOnCluster } from './wait-on-cluster.ts';

/** Waits until the cluster sleeps. One that somebody, or a schedule, wakes up meanwhile is hibernated again. */
export async function waitForHibernation(run: StageRun): Promise<Outcome> {
  const { runtime, clusters, access, signal } = run;
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  const seen = await driver.observe(order, signal, { since: hibernationRevision(run) });
  switch (seen.state) {
    case 'absent':
      return lostCluster(runtime);
    case 'failed':
      return fail(retoldFailure(seen.failure, 'cluster hibernation failed.'));
    case 'hibernated':
      // Its connections lead nowhere now.
      access.forget(order);
      return done();
    case 'ready':
      await changeHibernation(run, 'hibernate');
      return waitOnCluster({
        driver,
        order,
        seen: { message: 'Cluster was woken up meanwhile; hibernating it again' },
      });
    case 'changing':
    case 'deleting':
      return waitOnCluster({ driver, order, seen });
    default:
      return assertNever(seen);
  }
}
