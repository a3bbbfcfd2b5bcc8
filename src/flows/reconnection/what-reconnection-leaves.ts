import type { Leftovers } from '../../domain/flow.ts';
import { agentTarget } from '../stages/agent-target.ts';
import type { StageRun } from '../tools.ts';
import { whatIsLeft } from '../what-is-left.ts';
import { judgeReconnection, type Verdict } from './judge-reconnection.ts';
import { readReconnection } from './progress.ts';

const words: Readonly<Record<Verdict['kind'], string>> = {
  unchanged: 'connected as before; its configuration may hold a new token, which it does not need',
  none: 'not connected; it connects by itself with the token in its configuration, if it can',
  failed: 'not connected; its last try failed',
  lost: 'not connected; it cannot connect by itself',
  unproven: 'connected anew',
  new: 'connected anew',
};

/** What exists of the Runtime, and how its agent is connected. */
export async function whatReconnectionLeaves(
  run: StageRun,
  progress: { readonly mayHaveActed: boolean },
): Promise<Leftovers> {
  const [left, agent] = await Promise.all([whatIsLeft(run, progress), leftConnection(run)]);
  return { ...left, residue: [...left.residue, ...agent] };
}

async function leftConnection(run: StageRun): Promise<readonly string[]> {
  const reconnection = readReconnection(run.operation.notes);
  // Nothing was touched.
  if (reconnection?.attempt === undefined) return [];
  try {
    const look = await run.agent.look(await agentTarget(run));
    return [`Runtime Agent: ${words[judgeReconnection(reconnection.before, look).kind]}`];
  } catch (error) {
    run.log.warn({ err: error }, 'cannot find out how a cancelled operation leaves the Runtime Agent');
    return ['Runtime Agent: unknown, the cluster cannot be asked now'];
  }
}
