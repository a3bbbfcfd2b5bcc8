import type { OperationId, Tenant } from '../../domain/ids.ts';
import type { OperationEvent } from '../../domain/operation-event.ts';
import type { Database } from '../database.ts';

/**
 * The history of a tenant's operation, oldest first: at most `limit` (100) events whose sequence is above `after` (0).
 * Empty for an operation that does not exist or is another tenant's.
 */
export async function operationEvents(options: {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly operationId: OperationId;
  readonly after?: number;
  readonly limit?: number;
}): Promise<readonly OperationEvent[]> {
  const { database, tenant, operationId, after = 0, limit = 100 } = options;
  const rows = await database.kysely
    .selectFrom('operation_event as event')
    .innerJoin('operation', 'operation.id', 'event.operation_id')
    .innerJoin('runtime', 'runtime.id', 'operation.runtime_id')
    .selectAll('event')
    .where('event.operation_id', '=', operationId)
    .where('runtime.tenant', '=', tenant)
    .where('event.sequence', '>', after)
    .orderBy('event.sequence')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    operationId,
    sequence: row.sequence,
    at: row.at,
    type: row.type,
    stage: row.stage,
    message: row.message,
    progress: row.progress ?? undefined,
    error: row.error ?? undefined,
  }));
}
