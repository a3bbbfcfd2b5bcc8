import type { ClusterRecord, Runtime, RuntimeChanges, Target } from '../domain/runtime.ts';

/** A Runtime with what a stage learned about it. */
export function withChanges(
  { runtime, target }: { readonly runtime: Runtime; readonly target: Target | undefined },
  changes: RuntimeChanges | undefined,
  now: number,
): Runtime {
  if (changes === undefined) return runtime;
  const { domain = runtime.cluster.domain, seed = runtime.cluster.seed, deleted } = changes;
  const deletedAt = deleted === true ? (runtime.deletedAt ?? new Date(now)) : runtime.deletedAt;
  const adopted = adopt(runtime, target, changes.adopts);
  return { ...adopted, cluster: { ...adopted.cluster, domain, seed }, deletedAt };
}

/** The same as the database does with the row; the revision is read anew with each claim. */
function adopt(runtime: Runtime, target: Target | undefined, parts: RuntimeChanges['adopts'] = []): Runtime {
  const { cluster, kyma, administrators } = target ?? {};
  return {
    ...runtime,
    ...(cluster && parts.includes('cluster') && { cluster: withConfig(runtime.cluster, cluster) }),
    ...(kyma && parts.includes('kyma') && { kyma }),
    ...(administrators && parts.includes('administrators') && { administrators }),
  };
}

/** A target is the configuration of its own Runtime's cluster, and so of the same driver. */
function withConfig(cluster: ClusterRecord, config: ClusterRecord['config']): ClusterRecord {
  return { ...cluster, config } as ClusterRecord;
}

/** Whether the row would be another one. */
export function changesAnything(changes: RuntimeChanges | undefined, { cluster, deletedAt }: Runtime): boolean {
  if (changes === undefined) return false;
  const { domain = cluster.domain, seed = cluster.seed, deleted, adopts = [] } = changes;
  if (adopts.length > 0) return true;
  return domain !== cluster.domain || seed !== cluster.seed || (deleted === true && deletedAt === undefined);
}
