import { findOperation } from '../db/queries/find-operation.ts';
import { findRuntime } from '../db/queries/find-runtime.ts';
import { Failure } from '../domain/failures.ts';
import { type OperationId, parseOperationId } from '../domain/ids.ts';
import type { Operation } from '../domain/operation.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import { runtimeNotFound } from './runtime-status.ts';
import type { OperationView } from './views.ts';

export async function operationStatus({
  dependencies,
  context,
  id,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string;
}): Promise<OperationView> {
  const { tenant } = context.caller();
  const operationId = parseOperationId(id);
  const operation = await findOperation({ database: dependencies.database, tenant, operationId });
  if (!operation) throw operationNotFound(operationId);
  return { operation, registration: registrationOf({ dependencies, context, operation }) };
}

/** Also for an operation of another tenant: in the same words, so that nobody learns that it exists. */
export function operationNotFound(id: OperationId): Failure {
  return new Failure('NOT_FOUND', `failed to get Runtime Operation Status, Operation not found for id: ${id}`);
}

/** Looks up how the operation's Runtime is registered. */
export function registrationOf({
  dependencies: { database },
  context,
  operation: { runtimeId },
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  operation: Operation;
}): OperationView['registration'] {
  return async () => {
    const found = await findRuntime({ database, tenant: context.caller().tenant, runtimeId });
    if (!found) throw runtimeNotFound(runtimeId);
    return found.runtime.registration;
  };
}
