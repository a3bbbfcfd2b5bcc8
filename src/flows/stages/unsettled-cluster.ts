import type { ClusterObservation } from '../../clusters/cluster-driver.ts';
import type { StageRun } from '../tools.ts';

/** True while a creation that was cut off may still take effect, as far as this operation knows. */
export function mayStillAppear({ runtime, operation, clock }: StageRun): boolean {
  const { settlesAt } = runtime.cluster;
  return settlesAt !== undefined && settlesAt.getTime() > clock.now() && operation.notes.clusterSeen !== true;
}

/**
 * True while a creation that was cut off may still make a cluster that is not there now. Once a cluster was seen, it was
 * that one, and nothing more is to come.
 */
export async function isUnsettled(run: StageRun, seen: ClusterObservation): Promise<boolean> {
  if (!mayStillAppear(run)) return false;
  if (seen.state === 'absent') return true;
  await run.note({ clusterSeen: true });
  return false;
}
