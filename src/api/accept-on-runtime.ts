import { acceptOperation, type ConfigurationChange } from '../db/queries/accept-operation.ts';
import { newOperationId, type RuntimeId } from '../domain/ids.ts';
import type { Operation, OperationKind } from '../domain/operation.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';

/** Stores an operation on a Runtime of the caller's: once this answers, it will be carried out. Throws as acceptOperation. */
export async function acceptOnRuntime({
  dependencies: { database, flowOf },
  context,
  runtimeId,
  kind,
  change,
  remarks = [],
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  runtimeId: RuntimeId;
  kind: Exclude<OperationKind, 'Provision'>;
  /** Undefined: the configuration stays as it is. */
  change?: ConfigurationChange;
  /** Sentences that the operation's first message goes on with. */
  remarks?: readonly string[];
}): Promise<Operation> {
  const { tenant } = context.caller();
  const { startMessage, steps } = flowOf(kind);
  const operation = await acceptOperation({
    ...{ database, tenant, runtimeId, kind, change },
    startMessage: [startMessage, ...remarks].join('. '),
    firstStage: steps[0]?.stage ?? '',
    operationId: newOperationId(),
    request: context.idempotentRequest,
  });
  context.log.info({ operationId: operation.id, runtimeId, tenant, kind }, 'operation accepted');
  return operation;
}
