import type { ClusterObservation } from '../../clusters/cluster-driver.ts';
import type { StageRun } from '../tools.ts';

/**
 * True while a creation that was cut off may still make a cluster that is not there now. Once a cluster was seen, it was
 * that one, and nothing more is to come.
 */
export async function isUnsettled(run: StageRun, seen: ClusterObservation): Promise<boolean> {
  const { runtime, operation, clock } = run;
  const { settlesAt } = runtime.cluster;
  if (settlesAt === undefined || settlesAt.getTime() <= clock.now() || operation.notes.clusterSeen === true)
    return false;
  if (seen.state === 'absent') return true;
  await run.note({ clusterSeen: true });
  return false;
}
