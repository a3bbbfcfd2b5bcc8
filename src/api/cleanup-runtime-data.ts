import { deleteRuntime } from '../db/queries/delete-runtime.ts';
import { findRuntime } from '../db/queries/find-runtime.ts';
import { Failure } from '../domain/failures.ts';
import { parseRuntimeId } from '../domain/ids.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { CleanUpRuntimeDataResult } from './generated/schema.ts';

/** Forgets a Runtime whose cluster is gone, with its history. */
export async function cleanupRuntimeData({
  dependencies: { database },
  context,
  id,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string;
}): Promise<CleanUpRuntimeDataResult> {
  const { tenant } = context.caller();
  const runtimeId = parseRuntimeId(id);
  if (await deleteRuntime({ database, tenant, runtimeId })) {
    context.log.info({ runtimeId, tenant }, 'Runtime and its history removed');
    return { id: runtimeId, message: `Successfully cleaned up data for Runtime with ID ${runtimeId}` };
  }
  const found = await findRuntime({ database, tenant, runtimeId });
  if (!found) throw new Failure('NOT_FOUND', `Runtime with ID ${runtimeId} not found in the database`);
  const { kind, state, id: operationId } = found.lastOperation;
  const refusal = `cannot clean up data for Runtime ${runtimeId}`;
  if (state === 'InProgress') {
    throw new Failure('OPERATION_IN_PROGRESS', `${refusal} while ${kind} ${operationId} is in progress`);
  }
  throw new Failure('CLUSTER_EXISTS', `${refusal}: its cluster is not deleted; deprovision the Runtime first`);
}
