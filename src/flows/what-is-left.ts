import { clusterOrder } from '../clusters/cluster-order.ts';
import type { Leftovers } from '../domain/flow.ts';
import { mayStillAppear } from './stages/unsettled-cluster.ts';
import type { StageRun } from './tools.ts';

/** The only stage of Provision that makes something which cannot be found again by its absence. */
const creating = 'CreatingCluster';

/**
 * What exists of a Runtime when an operation on it is cancelled, asked of the driver and of the Director. An entry that
 * the caller made in the Director is the caller's.
 */
export async function whatIsLeft(
  run: StageRun,
  { mayHaveActed }: { readonly mayHaveActed: boolean },
): Promise<Leftovers> {
  const { operation } = run;
  const asked = operation.kind === 'Provision' && operation.stage === creating && mayHaveActed;
  const [cluster, entry] = await Promise.all([leftCluster(run, asked), leftEntry(run)]);
  return { residue: [...cluster.residue, ...entry], ...(cluster.runtime && { runtime: cluster.runtime }) };
}

/** `asked`: a creation was asked for, and nobody knows its answer. */
async function leftCluster(run: StageRun, asked: boolean): Promise<Leftovers> {
  const { runtime, clusters, signal, log } = run;
  const { driver, name } = runtime.cluster;
  const line = (words: string) => `cluster ${name} (${driver}): ${words}`;
  const changes = asked ? { runtime: { creationCutOff: true } as const } : {};
  try {
    const { cluster, words } = await clusters[driver].remains(clusterOrder(runtime), signal);
    const residue = words.map(line);
    if (cluster) return { residue };
    if (asked || mayStillAppear(run))
      residue.push(line('not there yet, but its creation was cut off and may still take effect'));
    return { residue, ...changes };
  } catch (error) {
    log.warn({ err: error }, 'cannot find out what a cancelled operation leaves at the cluster provider');
    return { residue: [line('unknown, its provider cannot be asked now')], ...changes };
  }
}

async function leftEntry({ runtime, director, signal, log }: StageRun): Promise<readonly string[]> {
  if (runtime.registration !== 'ours') return [];
  const line = (words: string) => [`Director entry ${runtime.id}: ${words}`];
  try {
    const entry = await director.runtime(runtime.id, { tenant: runtime.tenant, signal });
    return entry === undefined ? [] : line('exists');
  } catch (error) {
    log.warn({ err: error }, 'cannot find out what a cancelled operation leaves in the Director');
    return line('unknown, the Director cannot be asked now');
  }
}
