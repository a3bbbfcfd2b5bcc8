import type { ConnectionLook } from '../../agent/runtime-agent.ts';
import { agentTarget } from '../stages/agent-target.ts';
import { configureAgent } from '../stages/configure-agent.ts';
import type { StageRun } from '../tools.ts';
import { type Attempt, noteReconnection, type Reconnection } from './progress.ts';

/** A token lives for 60 minutes; one that is nearly over is not relied on. */
const freshFor = 50 * 60_000;

/**
 * The agent's configuration holds a token of this attempt: one that is there already is kept, for an agent may be about
 * to use it. Begins the first attempt when none has begun.
 */
export async function ensureToken(run: StageRun, reconnection: Reconnection): Promise<Reconnection> {
  const begun = reconnection.attempt ? reconnection : await beginAttempt(run, reconnection, 1);
  const name = markOf(run, begun);
  const found = await run.agent.configurationMark(await agentTarget(run));
  const age = run.clock.now() - (found?.tokenRequestedAt.getTime() ?? Number.NEGATIVE_INFINITY);
  if (found?.name !== name || age >= freshFor) await configureAgent(run, name);
  return begun;
}

/** Notes what the next token is told by, before there is one. */
export async function beginAttempt(
  run: StageRun,
  reconnection: Reconnection,
  number: number,
  look?: ConnectionLook,
): Promise<Reconnection> {
  const { connection } = look ?? (await run.agent.look(await agentTarget(run)));
  const attempt: Attempt = { number, uid: connection?.uid, lastSync: connection?.lastSync };
  return noteReconnection(run, { before: reconnection.before, attempt });
}

/** By which the configuration of this attempt is told from others. */
export function markOf({ operation }: Pick<StageRun, 'operation'>, { attempt }: Reconnection): string {
  return `${operation.id}/${attempt?.number ?? 0}`;
}
