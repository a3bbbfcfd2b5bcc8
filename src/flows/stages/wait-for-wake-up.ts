import { clusterOrder } from '../../clusters/cluster-order.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { Failure } from '../../domain/failures.ts';
import { done, fail, type Outcome, observing, wait } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { changeHibernation, hibernationRevision } from './change-hibernation.ts';
import { lostCluster } from './lost-cluster.ts';
import { retoldFailure } from './retold-failure.ts';
import { waitOnCluster } from './wait-on-cluster.ts';

const systemNamespace = { apiVersion: 'v1', plural: 'namespaces', namespaced: false, name: 'kube-system' } as const;

/**
 * Waits until the cluster is awake and its API server answers. Not for the Runtime Agent: it connects again by itself,
 * and a Runtime whose certificate ran out in its sleep is awake all the same.
 */
export async function waitForWakeUp(run: StageRun): Promise<Outcome> {
  const { runtime, clusters, signal } = run;
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  const seen = await driver.observe(order, signal, { since: hibernationRevision(run) });
  switch (seen.state) {
    case 'absent':
      return lostCluster(runtime);
    case 'failed':
      return fail(retoldFailure(seen.failure, 'cluster wake-up failed.'));
    case 'ready':
      if (await apiServerAnswers(run)) return done();
      return wait({ message: 'Cluster is awake, but its API server does not answer yet', lookAgain: observing });
    case 'hibernated':
      await changeHibernation(run, 'wakeUp');
      return waitOnCluster({
        driver,
        order,
        seen: { message: 'Cluster was hibernated meanwhile; waking it up again' },
      });
    case 'changing':
    case 'deleting':
      return waitOnCluster({ driver, order, seen });
    default:
      return assertNever(seen);
  }
}

async function apiServerAnswers({ runtime, access, signal, log }: StageRun): Promise<boolean> {
  try {
    const cluster = await access.client(clusterOrder(runtime), signal);
    return (await cluster.get(systemNamespace, { signal })) !== undefined;
  } catch (error) {
    if (error instanceof Failure || signal.aborted) throw error;
    log.info({ err: error }, 'a cluster that was woken up does not answer yet');
    return false;
  }
}
