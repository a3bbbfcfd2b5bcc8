import { clusterOrder } from '../../clusters/cluster-order.ts';
import type { StageRun } from '../tools.ts';

/**
 * Gives the agent a fresh one-time token. An agent that has connected already does not read it; one whose token was
 * burned tries again with it.
 */
export async function configureAgent({ runtime, access, director, agent, signal }: StageRun): Promise<void> {
  const cluster = await access.client(clusterOrder(runtime), signal);
  const { token, connectorURL } = await director.requestOneTimeToken(runtime.id, { tenant: runtime.tenant, signal });
  await agent.configure(cluster, { runtimeId: runtime.id, tenant: runtime.tenant, token, connectorURL }, signal);
}
