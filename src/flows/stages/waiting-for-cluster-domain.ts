import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, fail, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { lostCluster } from './lost-cluster.ts';
import { waitOnCluster } from './wait-on-cluster.ts';

/** Waits until the cluster has its domain, then tells the Director where the Runtime will be. */
export async function waitingForClusterDomain(run: StageRun): Promise<Outcome> {
  const { runtime, clusters, signal } = run;
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  const seen = await driver.observe(order, signal);
  if (seen.state === 'absent') return lostCluster(runtime);
  if (seen.domain !== undefined) {
    await announceDomain(run, seen.domain);
    return done({ runtime: { domain: seen.domain } });
  }
  if (seen.state === 'failed') return fail(seen.failure);
  const message = 'message' in seen ? seen.message : `Cluster is ${seen.state}, but has no domain yet`;
  return waitOnCluster({ driver, order, seen: { message, obstacle: 'message' in seen ? seen.obstacle : undefined } });
}

async function announceDomain({ runtime, director, signal }: StageRun, domain: string): Promise<void> {
  if (runtime.registration === 'none') return;
  const call = { tenant: runtime.tenant, signal };
  await director.setLabel(runtime.id, 'gardenerClusterName', runtime.cluster.name, call);
  await director.setLabel(runtime.id, 'gardenerClusterDomain', domain, call);
  await director.setCondition(runtime.id, 'PROVISIONING', call);
}
