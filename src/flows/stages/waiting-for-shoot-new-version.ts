import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, fail, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { lostCluster } from './lost-cluster.ts';
import { revisionOf } from './updating-shoot.ts';
import { waitOnCluster } from './wait-on-cluster.ts';
import { shootUpgradeFailure } from './waiting-for-shoot-upgrade.ts';

/** Waits until the provider has taken up the change: what it says of the cluster before is about the old one. */
export async function waitingForShootNewVersion(run: StageRun): Promise<Outcome> {
  const { runtime, clusters, signal } = run;
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  const seen = await driver.observe(order, signal, { since: revisionOf(run) });
  if (seen.state === 'absent') return lostCluster(runtime);
  if (seen.state === 'failed') return fail(shootUpgradeFailure(seen.failure));
  if (seen.unseen !== true) return done();
  const message = 'message' in seen ? seen.message : 'The change has not been taken up yet';
  return waitOnCluster({ driver, order, seen: { message } });
}
