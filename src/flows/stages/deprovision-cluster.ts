import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import type { StagePlanning, StageRun } from '../tools.ts';
import { isUnsettled } from './unsettled-cluster.ts';

/** Begins the deletion of the cluster. */
export async function deprovisionCluster(run: StageRun): Promise<Outcome> {
  const { runtime, clusters, signal } = run;
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  // Remembers a cluster that will be gone when the next stage looks.
  if (runtime.cluster.settlesAt !== undefined) await isUnsettled(run, await driver.observe(order, signal));
  await driver.requestDeletion(order, signal);
  return done();
}

/** Whatever else exists goes with the cluster. */
export async function planDeletion({ runtime, clusters, signal }: StagePlanning): Promise<readonly PlannedChange[]> {
  const { driver, name } = runtime.cluster;
  const { words } = await clusters[driver].remains(clusterOrder(runtime), signal);
  return words.length === 0 ? [] : [{ action: 'Delete', to: driver, subject: `cluster ${name} (${words.join(', ')})` }];
}
