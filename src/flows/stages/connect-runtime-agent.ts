import { done, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { configureAgent } from './configure-agent.ts';

/** Lets the Runtime Agent connect: a token from the Director, in the Secret that the agent reads. */
export async function connectRuntimeAgent(run: StageRun): Promise<Outcome> {
  await configureAgent(run);
  return done();
}
