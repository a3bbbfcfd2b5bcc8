import { agentTarget } from '../stages/agent-target.ts';
import type { StageRun } from '../tools.ts';
import { markOf } from './give-token.ts';
import type { Verdict } from './judge-reconnection.ts';
import type { Reconnection } from './progress.ts';

/**
 * Has the agent use the token that its configuration holds. It exchanges one when there is no connection, so the one
 * that is there is ended, unless it was made with that token already. An agent whose exchange failed reads its
 * configuration at its next try anyway: ending that connection could make it use the token twice.
 */
export async function triggerReconnection(run: StageRun, reconnection: Reconnection, verdict: Verdict): Promise<void> {
  const target = await agentTarget(run);
  switch (verdict.kind) {
    case 'failed': {
      const { firstFailure } = reconnection.attempt ?? {};
      const mark = markOf(run, reconnection);
      return run.agent.nudge(target, firstFailure === undefined ? mark : `${mark}/again`);
    }
    case 'unchanged':
    case 'lost':
      return run.agent.forgetConnection(target, verdict.uid);
    case 'none':
    case 'unproven':
    case 'new':
      return;
  }
}
