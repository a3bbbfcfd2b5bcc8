import { clusterOrder } from '../../clusters/cluster-order.ts';
import type { Failure } from '../../domain/failures.ts';
import { readText } from '../../domain/json.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import type { RuntimeChanges } from '../../domain/runtime.ts';
import type { StagePlanning, StageRun } from '../tools.ts';

/** Asks for the cluster under the name that was chosen when the operation was accepted. */
export async function creatingCluster({ operation, runtime, clusters, signal }: StageRun): Promise<Outcome> {
  await clusters[runtime.cluster.driver].create(clusterOrder(runtime), operation.id, signal);
  return done();
}

/** Where the name belongs to somebody else, that keeps a cluster of ours from appearing late. */
export function mayAppearLate({ code }: Failure): RuntimeChanges | undefined {
  return code === 'CLUSTER_NAME_TAKEN' ? undefined : { creationCutOff: true };
}

export async function planCluster({ runtime, clusters, signal }: StagePlanning): Promise<readonly PlannedChange[]> {
  const { driver, name } = runtime.cluster;
  const manifests = await clusters[driver].manifests(clusterOrder(runtime), signal);
  return manifests.map((manifest) => {
    const kind = readText(manifest, 'kind') ?? 'cluster';
    const subject = `${kind} ${readText(manifest, 'metadata', 'name') ?? name}`;
    return { action: 'Create', to: driver, subject, manifest };
  });
}
