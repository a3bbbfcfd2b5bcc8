import { done, type Outcome } from '../../domain/outcome.ts';
import { ensureToken } from '../reconnection/give-token.ts';
import { takenReconnection } from '../reconnection/progress.ts';
import type { StageRun } from '../tools.ts';

/** Gives the agent a fresh token, before its connection ends: the other way round it would try the old one. */
export async function configuringAgent(run: StageRun): Promise<Outcome> {
  await ensureToken(run, takenReconnection(run));
  return done();
}
