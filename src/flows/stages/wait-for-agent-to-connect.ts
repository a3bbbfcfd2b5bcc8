import { assertNever } from '../../domain/assert-never.ts';
import { done, type Outcome, observing, wait } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { agentTarget } from './agent-target.ts';
import { configureAgent } from './configure-agent.ts';

/** How long an agent may take to use a token before it gets another one, in milliseconds. */
const patience = 120_000;

/** Waits until the agent is connected, then says so in the Director. A failed exchange gets a new token. */
export async function waitForAgentToConnect(run: StageRun): Promise<Outcome> {
  const { runtime, agent, director, signal } = run;
  const seen = await agent.observe(await agentTarget(run));
  switch (seen.state) {
    case 'connected':
      await director.setCondition(runtime.id, 'CONNECTED', { tenant: runtime.tenant, signal });
      return done({ message: seen.warning });
    case 'pending':
      return wait({ message: seen.message, lookAgain: observing });
    case 'disconnected':
      await replaceTokenWhenDue(run);
      return wait({ message: `${seen.message}: ${seen.error}`, lookAgain: observing });
    default:
      return assertNever(seen);
  }
}

/** The first failure gets a new token at once, the next ones after the agent had its time with it. */
async function replaceTokenWhenDue(run: StageRun): Promise<void> {
  const replacedAt = Number(run.operation.notes.tokenReplacedAt ?? 0);
  if (run.clock.now() - replacedAt < patience) return;
  await run.note({ tokenReplacedAt: run.clock.now() });
  await configureAgent(run);
  const target = await agentTarget(run);
  const { connection } = await run.agent.look(target);
  // A connection that is not trusted any more never falls back to the token, so it has to go.
  if (connection?.state === 'ConnectionMaintenanceFailed') {
    return run.agent.forgetConnection(target, connection.uid);
  }
  // By itself the agent looks only every three minutes.
  await run.agent.nudge(target, `${run.operation.id}/${run.clock.now()}`);
}
