import { Failure } from '../../domain/failures.ts';
import type { Runtime } from '../../domain/runtime.ts';
import type { Tools } from '../tools.ts';
import { agentObstacle, clusterObstacle, directorObstacle } from './why-not-reconnectable.ts';

/**
 * Throws why the agent of a Runtime cannot be connected anew; CLUSTER_PROVIDER_UNAVAILABLE or CLUSTER_UNREACHABLE when the
 * provider or the cluster does not answer before `signal` ends. A Director that does not answer is no reason: the operation waits for it.
 */
export async function checkReconnection({
  runtime,
  tools,
  signal,
}: {
  runtime: Runtime;
  tools: Tools;
  signal: AbortSignal;
}): Promise<void> {
  const asked = { ...tools, runtime, signal };
  const refusal = await clusterObstacle(asked).catch(providerSilent);
  if (refusal !== undefined) throw refusal;
  const found = await Promise.all([unlessSilent(directorObstacle(asked)), agentObstacle(asked).catch(unreachable)]);
  const first = found.find((failure) => failure !== undefined);
  if (first !== undefined) throw first;

  function unreachable(cause: unknown): Failure {
    if (cause instanceof Failure) return cause;
    const message = `cluster ${runtime.cluster.name} does not answer; nothing was started, try again later`;
    return new Failure('CLUSTER_UNREACHABLE', message, { cause });
  }
}

function providerSilent(cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  const message = 'the provider of the cluster does not answer; nothing was started, try again later';
  return new Failure('CLUSTER_PROVIDER_UNAVAILABLE', message, { cause });
}

async function unlessSilent(asked: Promise<Failure | undefined>): Promise<Failure | undefined> {
  try {
    return await asked;
  } catch (error) {
    return error instanceof Failure ? error : undefined;
  }
}
