import { findRuntime } from '../db/queries/find-runtime.ts';
import { type OperationId, parseRuntimeId } from '../domain/ids.ts';
import { acceptOnRuntime } from './accept-on-runtime.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import { runtimeNotFound } from './runtime-status.ts';

/** How long a caller is kept waiting for the cluster, in milliseconds. */
const checkTimeout = 8_000;

/** Accepts the operation, unless it is plain that it cannot succeed: once this answers, it will be carried out. */
export async function reconnectRuntimeAgent({
  dependencies,
  context,
  id,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string;
}): Promise<OperationId> {
  const { database, checkReconnection } = dependencies;
  const runtimeId = parseRuntimeId(id);
  const found = await findRuntime({ database, tenant: context.caller().tenant, runtimeId });
  if (!found || found.runtime.deletedAt) throw runtimeNotFound(runtimeId);
  const { lastOperation } = found;
  // Its own refusal is better than what can be seen in the middle of it.
  if (lastOperation.state !== 'InProgress') await checkReconnection(found.runtime, AbortSignal.timeout(checkTimeout));
  return (await acceptOnRuntime({ dependencies, context, runtimeId, kind: 'ReconnectRuntime' })).id;
}
