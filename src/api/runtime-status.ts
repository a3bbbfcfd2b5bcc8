import type { ConnectionObservation } from '../agent/runtime-agent.ts';
import { clusterOrder } from '../clusters/cluster-order.ts';
import type { runtimeStatusReads } from '../db/queries/read-runtime-status.ts';
import type { SealedRuntime } from '../db/runtime-row.ts';
import { Failure } from '../domain/failures.ts';
import { parseRuntimeId, type RuntimeId } from '../domain/ids.ts';
import type { Operation } from '../domain/operation.ts';
import type { ConnectionObservations } from './connection-observations.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { RuntimeAgentConnectionStatus, RuntimeConnectionStatus } from './generated/schema.ts';
import type { RuntimeView } from './views.ts';

/** How long a caller is kept waiting for something that only the cluster or its provider knows, in milliseconds. */
const lookTimeout = 8_000;
const kubeconfigLifetimeSeconds = 3600;

export async function runtimeStatus({
  dependencies,
  reads,
  context,
  id,
}: {
  dependencies: ApiDependencies;
  reads: ReturnType<typeof runtimeStatusReads>;
  context: RequestContext;
  id: string;
}): Promise<RuntimeView> {
  const { tenant } = context.caller();
  const runtimeId = parseRuntimeId(id);
  const found = await reads.read({ runtimeId, tenant });
  if (!found) throw runtimeNotFound(runtimeId);
  let issued: Promise<string | undefined> | undefined;
  return {
    ...found,
    kubeconfig: () => {
      issued ??= issueKubeconfig({ dependencies, context, ...found });
      return issued;
    },
  };
}

/** Also for a Runtime of another tenant: in the same words, so that nobody learns that it exists. */
export function runtimeNotFound(id: RuntimeId): Failure {
  return new Failure('NOT_FOUND', `Runtime ${id} not found`);
}

async function issueKubeconfig({
  dependencies: { drivers },
  context,
  runtime,
  lastOperation,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  runtime: SealedRuntime;
  lastOperation: Operation;
}): Promise<string | undefined> {
  if (runtime.deletedAt) return undefined;
  try {
    const { kubeconfig, expiresAt } = await drivers[runtime.cluster.driver].issueKubeconfig({
      order: clusterOrder(runtime),
      role: 'admin',
      lifetimeSeconds: kubeconfigLifetimeSeconds,
      signal: AbortSignal.timeout(lookTimeout),
    });
    context.log.info({ runtimeId: runtime.id, tenant: runtime.tenant, expiresAt }, 'administrator kubeconfig issued');
    return kubeconfig.reveal();
  } catch (error) {
    const notThereYet = lastOperation.kind === 'Provision' && lastOperation.state === 'InProgress';
    if (notThereYet && error instanceof Failure && error.code === 'KUBECONFIG_UNAVAILABLE') return undefined;
    throw error;
  }
}

/** Answers in any case: a status that cannot be looked up must not hide the others. */
export async function runtimeConnectionStatus({
  observations,
  view: { runtime, lastOperation },
}: {
  observations: ConnectionObservations;
  view: RuntimeView;
}): Promise<RuntimeConnectionStatus> {
  const connectable = runtime.registration !== 'none' && runtime.kymaConfig !== undefined && !runtime.deletedAt;
  if (!connectable) return { status: 'Pending' };
  // What an operation does may change the connection.
  const { id, stage } = lastOperation;
  const { last, trouble } = await observations.look(runtime, `${id} ${stage}`);
  const { status, error } = last ? present(last.observation) : { status: 'Pending' as const, error: undefined };
  const messages = [
    ...(trouble ? [`the connection cannot be looked up now: ${trouble}`] : []),
    ...(error ? [error] : []),
  ];
  return {
    status,
    observedAt: last?.at,
    ...(messages.length > 0 && { errors: messages.map((message) => ({ message })) }),
  };
}

function present(seen: ConnectionObservation): { status: RuntimeAgentConnectionStatus; error: string | undefined } {
  switch (seen.state) {
    case 'connected':
      return { status: 'Connected', error: seen.warning };
    case 'disconnected':
      return { status: 'Disconnected', error: seen.error };
    case 'pending':
      return { status: 'Pending', error: undefined };
  }
}
