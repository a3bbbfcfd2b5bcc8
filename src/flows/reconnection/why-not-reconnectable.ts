import { clusterOrder } from '../../clusters/cluster-order.ts';
import { Failure } from '../../domain/failures.ts';
import { agentTarget } from '../stages/agent-target.ts';
import type { StageRun } from '../tools.ts';

type Asked = Pick<StageRun, 'runtime' | 'clusters' | 'access' | 'director' | 'agent' | 'signal'>;

/** Why the agent cannot be connected anew, whatever is tried; undefined: it can. Whoever does not answer is thrown. */
export async function whyNotReconnectable(asked: Asked): Promise<Failure | undefined> {
  return (await clusterObstacle(asked)) ?? (await directorObstacle(asked)) ?? (await agentObstacle(asked));
}

/** What the Runtime itself lacks, or its cluster as its provider sees it. */
export async function clusterObstacle({ runtime, clusters, signal }: Asked): Promise<Failure | undefined> {
  const { registration, kyma, cluster } = runtime;
  if (registration === 'none') return refuse('the Runtime is not registered in a Director to which it could connect');
  if (kyma === undefined) return refuse('the Runtime has no Kyma, and so no Runtime Agent');
  const seen = await clusters[cluster.driver].observe(clusterOrder(runtime), signal);
  const { hibernated = false, wanted = false } = seen.hibernation ?? {};
  if (seen.state === 'hibernated' || hibernated || wanted) {
    const message = `cluster ${cluster.name} is hibernated, and its Runtime Agent with it; wake it up first`;
    return new Failure('HIBERNATED', message);
  }
  if (seen.state !== 'absent') return undefined;
  return new Failure('CLUSTER_LOST', `cluster ${cluster.name} does not exist, and its Runtime Agent neither`);
}

export async function directorObstacle({ runtime, director, signal }: Asked): Promise<Failure | undefined> {
  const { id, tenant } = runtime;
  if (await director.runtime(id, { tenant, signal })) return undefined;
  const message = `the Director does not know the Runtime ${id} in tenant ${tenant}, so that it gives no token for it`;
  return new Failure('DIRECTOR_RUNTIME_NOT_FOUND', message);
}

export async function agentObstacle(asked: Asked): Promise<Failure | undefined> {
  const obstacle = await asked.agent.obstacle(await agentTarget(asked));
  return obstacle === undefined ? undefined : refuse(obstacle);
}

function refuse(reason: string): Failure {
  return new Failure('NOT_RECONNECTABLE', `the Runtime Agent cannot be connected anew: ${reason}`);
}
