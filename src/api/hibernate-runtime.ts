import type { HibernationChange } from '../clusters/cluster-driver.ts';
import { clusterOrder } from '../clusters/cluster-order.ts';
import { clusterLost, operationInProgress } from '../db/queries/accept-operation.ts';
import { findRuntime } from '../db/queries/find-runtime.ts';
import { parseRuntimeId } from '../domain/ids.ts';
import { acceptOnRuntime } from './accept-on-runtime.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import { runtimeNotFound } from './runtime-status.ts';
import type { OperationView } from './views.ts';

interface Request {
  readonly dependencies: ApiDependencies;
  readonly context: RequestContext;
  readonly id: string;
}

/** How long a caller is kept waiting for the provider, in milliseconds. */
const checkTimeout = 8_000;
const kinds = { hibernate: 'Hibernate', wakeUp: 'WakeUp' } as const satisfies Record<HibernationChange, string>;

/** Refuses what the provider would refuse, before anything is stored. A cluster that sleeps already succeeds at once. */
export async function hibernateRuntime(request: Request): Promise<OperationView> {
  return changeHibernation(request, 'hibernate');
}

/** A cluster that is awake already succeeds at once. */
export async function wakeUpRuntime(request: Request): Promise<OperationView> {
  return changeHibernation(request, 'wakeUp');
}

async function changeHibernation(
  { dependencies, context, id }: Request,
  change: HibernationChange,
): Promise<OperationView> {
  const runtimeId = parseRuntimeId(id);
  const { tenant } = context.caller();
  const found = await findRuntime({ database: dependencies.database, tenant, runtimeId });
  if (!found || found.runtime.deletedAt) throw runtimeNotFound(runtimeId);
  const { runtime, lastOperation } = found;
  if (lastOperation.state === 'InProgress') throw operationInProgress(runtimeId, lastOperation);
  if (runtime.lostAt) throw clusterLost(`cannot start new operation for ${runtimeId} Runtime`);
  const driver = dependencies.drivers[runtime.cluster.driver];
  await driver.checkHibernation(clusterOrder(runtime), change, AbortSignal.timeout(checkTimeout));
  const operation = await acceptOnRuntime({ dependencies, context, runtimeId, kind: kinds[change] });
  return { operation, registration: async () => runtime.registration };
}
