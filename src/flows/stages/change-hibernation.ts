import type { HibernationChange } from '../../clusters/cluster-driver.ts';
import { clusterOrder } from '../../clusters/cluster-order.ts';
import type { StageRun } from '../tools.ts';

/** Asks for it and notes from when on the cluster is to be looked at. Leaves a cluster alone that was asked before. */
export async function changeHibernation(run: StageRun, change: HibernationChange): Promise<void> {
  const { runtime, clusters, signal } = run;
  const revision = await clusters[runtime.cluster.driver].changeHibernation(clusterOrder(runtime), change, signal);
  await run.note({ hibernationRevision: revision });
}

/** What `changeHibernation` has noted, for `observe`. */
export function hibernationRevision({ operation }: StageRun): string | undefined {
  const { hibernationRevision: noted } = operation.notes;
  return typeof noted === 'string' ? noted : undefined;
}
