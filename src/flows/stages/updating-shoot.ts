import type { ClusterChange } from '../../clusters/cluster-driver.ts';
import { clusterOrder } from '../../clusters/cluster-order.ts';
import type { Planning } from '../../domain/flow.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import type { StagePlanning, StageRun } from '../tools.ts';

/** Tells the cluster's provider what is asked for, which is the Runtime's configuration from then on. */
export async function updatingShoot(run: StageRun): Promise<Outcome> {
  const { operation, runtime, clusters, signal } = run;
  const { revision, kept } = await clusters[runtime.cluster.driver].change(changeOf(run), operation.id, signal);
  await run.note({ clusterRevision: revision });
  return done({ runtime: { adopts: ['cluster'] }, ...(kept.length > 0 && { message: kept.join('. ') }) });
}

export async function planShootChange(planning: StagePlanning): Promise<readonly PlannedChange[]> {
  const { runtime, clusters, signal } = planning;
  const { driver } = runtime.cluster;
  const changes = await clusters[driver].planChange(changeOf(planning), signal);
  return changes.map((change) => ({ action: 'Change', to: driver, ...change }));
}

/** From what revision on the cluster is to be looked at. */
export function revisionOf({ operation }: StageRun): string | undefined {
  const { clusterRevision } = operation.notes;
  return typeof clusterRevision === 'string' ? clusterRevision : undefined;
}

function changeOf({ runtime, target }: Pick<Planning, 'runtime' | 'target'>): ClusterChange {
  if (target?.cluster === undefined) throw new Error(`no change of the cluster of Runtime ${runtime.id} is asked for`);
  return { order: clusterOrder(runtime), target: target.cluster, fields: target.clusterFields ?? [] };
}
