import { clusterOrder } from '../../clusters/cluster-order.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { done, fail, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { lostCluster } from './lost-cluster.ts';
import { waitOnCluster } from './wait-on-cluster.ts';

/** Waits until the cluster works, telling the provider's own progress and words meanwhile. */
export async function waitingForClusterCreation(run: StageRun): Promise<Outcome> {
  const { runtime, clusters, signal } = run;
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  const seen = await driver.observe(order, signal);
  const isOnItsWay = seen.state === 'changing' || seen.state === 'ready';
  if (isOnItsWay && seen.seed !== undefined) await driver.settle?.(order, seen.seed, signal);
  switch (seen.state) {
    case 'absent':
      return lostCluster(runtime);
    case 'failed':
      return fail(seen.failure);
    case 'ready':
      if (runtime.kyma === undefined) await tellProvisioned(run);
      return done({ runtime: { domain: seen.domain, seed: seen.seed } });
    case 'hibernated':
      return waitOnCluster({ driver, order, seen: { message: 'Cluster was hibernated outside this service' } });
    case 'changing':
    case 'deleting':
      return waitOnCluster({ driver, order, seen });
    default:
      return assertNever(seen);
  }
}

/** Without Kyma no agent comes to connect: the Runtime is in the Director as one that nothing has connected yet. */
async function tellProvisioned({ runtime, director, signal }: StageRun): Promise<void> {
  if (runtime.registration === 'none') return;
  await director.setCondition(runtime.id, 'INITIAL', { tenant: runtime.tenant, signal });
}
