import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import { KubernetesError, UnreachableError } from '../../kubernetes/kubernetes-error.ts';
import type { StageRun } from '../tools.ts';

/** How long a cluster that should work may be silent before it is left alone, in milliseconds. */
const patience = 120_000;

/**
 * What a stage does in a cluster that is to be deleted, unless the cluster has been silent for two minutes, to this stage
 * and those before it together: then the stage is done, and `left` says what may be left.
 */
export async function unlessSilent({
  run,
  work,
  left,
}: {
  readonly run: StageRun;
  readonly work: () => Promise<Outcome>;
  readonly left: string;
}): Promise<Outcome> {
  const { runtime, operation, access, signal, log } = run;
  // Whoever issues the kubeconfig is not the cluster: its silence is waited for.
  await access.client(clusterOrder(runtime), signal);
  try {
    const outcome = await work();
    if (typeof operation.notes.clusterSilentSince === 'number') await run.note({ clusterSilentSince: null });
    return outcome;
  } catch (error) {
    if (signal.aborted || !isSilence(error) || !(await isSilentForLong(run))) throw error;
    const message = `The cluster does not answer; ${left}`;
    log.warn({ err: error, cluster: runtime.cluster.name }, message);
    return done({ message });
  }
}

/** Notes since when nothing was heard of the cluster. */
async function isSilentForLong({ operation, clock, note }: StageRun): Promise<boolean> {
  const { clusterSilentSince: since } = operation.notes;
  if (typeof since === 'number') return clock.now() - since >= patience;
  await note({ clusterSilentSince: clock.now() });
  return false;
}

/** A server that answers so is one that stands before the cluster's own, which says 500 when a webhook of it fails. */
function isSilence(error: unknown): boolean {
  return error instanceof UnreachableError || (error instanceof KubernetesError && error.status > 500);
}
