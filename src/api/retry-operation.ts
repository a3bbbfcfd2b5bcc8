import { acceptRetry } from '../db/queries/accept-retry.ts';
import { newOperationId, parseOperationId } from '../domain/ids.ts';
import type { Operation } from '../domain/operation.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';

/** Accepts the operation that takes up a failed one: once this answers, it will be carried out. */
export async function retryOperation({
  dependencies: { database },
  context,
  id,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string;
}): Promise<Operation> {
  const { tenant } = context.caller();
  const retryOf = parseOperationId(id);
  const operationId = newOperationId();
  const startMessage = `Retry of operation ${retryOf} started`;
  const request = context.idempotentRequest;
  const operation = await acceptRetry({ database, tenant, retryOf, operationId, startMessage, request });
  const { kind, runtimeId, stage } = operation;
  context.log.info({ operationId, runtimeId, tenant, kind, retryOf, stage }, 'operation accepted');
  return operation;
}
