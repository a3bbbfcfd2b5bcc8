import { type AgentTarget, kymaOfAgent } from '../../agent/runtime-agent.ts';
import { clusterOrder } from '../../clusters/cluster-order.ts';
import type { StageRun } from '../tools.ts';

/** Where the Runtime's agent is. Stages that need it are skipped where there is no Kyma to bring one. */
export async function agentTarget({
  runtime,
  access,
  signal,
}: Pick<StageRun, 'runtime' | 'access' | 'signal'>): Promise<AgentTarget> {
  if (runtime.kyma === undefined) throw new Error(`Runtime ${runtime.id} has no Kyma to bring a Runtime Agent`);
  const cluster = await access.client(clusterOrder(runtime), signal);
  return { cluster, kyma: kymaOfAgent(runtime.kyma), signal };
}
