import type { Database } from '../db/database.ts';
import { pause } from '../db/pause.ts';
import { findOperation } from '../db/queries/find-operation.ts';
import { requestCancellation } from '../db/queries/request-cancellation.ts';
import { type OperationId, parseOperationId, type Tenant } from '../domain/ids.ts';
import type { Operation } from '../domain/operation.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import { operationNotFound } from './operation-status.ts';

/** How long a caller is kept waiting for the end of an operation that is being cancelled, in milliseconds. */
export const cancelPatience = 10_000;

/** Once this answers, the operation has ended or is sure to. */
export async function cancelOperation({
  dependencies: { database },
  context,
  id,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string;
}): Promise<Operation> {
  const { tenant } = context.caller();
  const operationId = parseOperationId(id);
  const asked = await requestCancellation({ database, tenant, operationId });
  if (asked === undefined) throw operationNotFound(operationId);
  // It had ended, and nobody had asked before.
  if (asked.cancellation === undefined) return { ...asked, cancellation: { outcome: 'TooLate' } };
  context.log.info({ operationId, tenant, stage: asked.stage }, 'cancellation of an operation asked for');
  return (await whenEnded({ database, tenant, operationId, patience: cancelPatience })) ?? asked;
}

/** The operation once it has ended; undefined when it does not in time. */
export async function whenEnded({
  database,
  tenant,
  operationId,
  patience,
}: {
  database: Database;
  tenant: Tenant;
  operationId: OperationId;
  /** In milliseconds. */
  patience: number;
}): Promise<Operation | undefined> {
  const giveUpAt = performance.now() + patience;
  for (let delay = 10; ; delay = Math.min(delay * 1.5, 250)) {
    const operation = await findOperation({ database, tenant, operationId });
    if (operation === undefined) throw operationNotFound(operationId);
    if (operation.state !== 'InProgress') return operation;
    if (performance.now() + delay > giveUpAt) return undefined;
    await pause(delay);
  }
}
