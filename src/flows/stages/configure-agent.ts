import type { ConfigurationMark } from '../../agent/runtime-agent.ts';
import type { StageRun } from '../tools.ts';
import { agentTarget } from './agent-target.ts';

/**
 * Gives the agent a fresh one-time token. An agent that has connected already does not read it; one whose token was
 * burned tries again with it. The token is written at once: it is kept nowhere else.
 */
export async function configureAgent(run: StageRun, markName?: string): Promise<void> {
  const { runtime, director, agent, clock, signal } = run;
  const target = await agentTarget(run);
  const mark: ConfigurationMark | undefined =
    markName === undefined ? undefined : { name: markName, tokenRequestedAt: new Date(clock.now()) };
  const { token, connectorURL } = await director.requestOneTimeToken(runtime.id, { tenant: runtime.tenant, signal });
  const configuration = { runtimeId: runtime.id, tenant: runtime.tenant, token, connectorURL };
  await agent.configure(target, { ...configuration, ...(mark && { mark }) });
}
