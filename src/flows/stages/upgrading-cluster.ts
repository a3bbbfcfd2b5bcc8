import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';

/** Asks for the cluster's new version, and notes from when on the cluster is to be looked at. */
export async function upgradingCluster(run: StageRun): Promise<Outcome> {
  const { operation, runtime, target, clusters, signal } = run;
  const config = target?.cluster;
  if (config === undefined) throw new Error(`operation ${operation.id} has no cluster to upgrade`);
  const change = { order: clusterOrder(runtime), target: config, fields: target?.clusterFields ?? [] };
  const { revision, kept } = await clusters[runtime.cluster.driver].change(change, operation.id, signal);
  await run.note({ clusterRevision: revision });
  return done(kept.length > 0 ? { message: kept.join('; ') } : {});
}
