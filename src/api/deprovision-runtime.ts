import { acceptOperation } from '../db/queries/accept-operation.ts';
import { newOperationId, type OperationId, parseRuntimeId } from '../domain/ids.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';

/** Accepts the operation: once this answers, it will be carried out. */
export async function deprovisionRuntime({
  dependencies: { database, flows },
  context,
  id,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string;
}): Promise<OperationId> {
  const { tenant } = context.caller();
  const operationId = newOperationId();
  const runtimeId = parseRuntimeId(id);
  await acceptOperation({
    database,
    tenant,
    runtimeId,
    kind: 'Deprovision',
    startMessage: flows.deprovision.startMessage,
    firstStage: flows.deprovision.steps[0]?.stage ?? '',
    operationId,
  });
  context.log.info({ operationId, runtimeId, tenant, kind: 'Deprovision' }, 'operation accepted');
  return operationId;
}
