import { done, type Outcome } from '../../domain/outcome.ts';
import { ensureToken } from '../reconnection/give-token.ts';
import { judgeReconnection } from '../reconnection/judge-reconnection.ts';
import { takenReconnection } from '../reconnection/progress.ts';
import { triggerReconnection } from '../reconnection/trigger.ts';
import type { StageRun } from '../tools.ts';
import { agentTarget } from './agent-target.ts';

/** Has the agent connect anew, with the token that it was given. */
export async function triggeringReconnect(run: StageRun): Promise<Outcome> {
  const reconnection = await ensureToken(run, takenReconnection(run));
  const look = await run.agent.look(await agentTarget(run));
  await triggerReconnection(run, reconnection, judgeReconnection(reconnection.before, look));
  return done();
}
