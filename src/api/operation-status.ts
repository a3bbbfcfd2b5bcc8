import { findOperation } from '../db/queries/find-operation.ts';
import { findRuntime } from '../db/queries/find-runtime.ts';
import { Failure } from '../domain/failures.ts';
import { parseOperationId } from '../domain/ids.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import { runtimeNotFound } from './runtime-status.ts';
import type { OperationView } from './views.ts';

export async function operationStatus({
  dependencies: { database },
  context,
  id,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string;
}): Promise<OperationView> {
  const { tenant } = context.caller();
  const operationId = parseOperationId(id);
  const operation = await findOperation({ database, tenant, operationId });
  if (!operation) {
    const message = `failed to get Runtime Operation Status, Operation not found for id: ${operationId}`;
    throw new Failure('NOT_FOUND', message);
  }
  const { runtimeId } = operation;
  return {
    operation,
    registration: async () => {
      const found = await findRuntime({ database, tenant, runtimeId });
      if (!found) throw runtimeNotFound(runtimeId);
      return found.runtime.registration;
    },
  };
}
