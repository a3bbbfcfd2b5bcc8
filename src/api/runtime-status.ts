import { clusterOrder } from '../clusters/cluster-order.ts';
import { findRuntime } from '../db/queries/find-runtime.ts';
import { Failure } from '../domain/failures.ts';
import { parseRuntimeId, type RuntimeId } from '../domain/ids.ts';
import type { Operation } from '../domain/operation.ts';
import type { Runtime } from '../domain/runtime.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { RuntimeConnectionStatus } from './generated/schema.ts';
import type { RuntimeView } from './views.ts';

/** How long a caller is kept waiting for something that only the cluster or its provider knows, in milliseconds. */
const lookTimeout = 8_000;
const kubeconfigLifetimeSeconds = 3600;

export async function runtimeStatus({
  dependencies,
  context,
  id,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string;
}): Promise<RuntimeView> {
  const { tenant } = context.caller();
  const runtimeId = parseRuntimeId(id);
  const found = await findRuntime({ database: dependencies.database, tenant, runtimeId });
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
  runtime: Runtime;
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
  dependencies,
  context,
  runtime,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  runtime: Runtime;
}): Promise<RuntimeConnectionStatus> {
  const connectable = runtime.registration !== 'none' && runtime.kyma !== undefined && !runtime.deletedAt;
  if (!connectable) return { status: 'Pending' };
  try {
    const seen = await dependencies.observeConnection(runtime, AbortSignal.timeout(lookTimeout));
    switch (seen.state) {
      case 'connected':
        return { status: 'Connected', ...(seen.warning && { errors: [{ message: seen.warning }] }) };
      case 'disconnected':
        return { status: 'Disconnected', errors: [{ message: seen.error }] };
      case 'pending':
        return { status: 'Pending' };
    }
  } catch (error) {
    context.log.info({ err: error, runtimeId: runtime.id }, 'cannot look at the Runtime Agent connection');
    const reason = error instanceof Failure ? error.message : 'the cluster does not answer';
    return { status: 'Pending', errors: [{ message: `the connection cannot be looked up now: ${reason}` }] };
  }
}
