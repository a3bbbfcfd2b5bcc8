import type { RecordedError } from '../../domain/failures.ts';
import type { OperationId, Tenant } from '../../domain/ids.ts';
import type { OperationEvent, OperationEventType } from '../../domain/operation-event.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

interface EventRow {
  /** Null when there is no such event: the row then only tells that there is the operation. */
  readonly sequence: number | null;
  readonly at: Date;
  readonly type: OperationEventType;
  readonly stage: string;
  readonly message: string;
  readonly progress: number | null;
  readonly error: RecordedError | null;
}

const eventsOfTenantsOperation = statement<EventRow>(
  'operation-events',
  `SELECT event.sequence, event.at, event.type, event.stage, event.message, event.progress, event.error
  FROM operation LEFT JOIN LATERAL (
    SELECT * FROM operation_event
    WHERE operation_id = operation.id AND sequence > $3
    ORDER BY sequence LIMIT $4
  ) event ON true
  WHERE operation.id = $1 AND operation.tenant = $2
  ORDER BY event.sequence`,
);

interface OperationEventsOptions {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly operationId: OperationId;
  /** 0 unless told. */
  readonly after?: number;
  /** 100 unless told. */
  readonly limit?: number;
}

/**
 * The history of a tenant's operation, oldest first: at most `limit` events whose sequence is above `after`. Undefined
 * for an operation that does not exist or is another tenant's.
 */
export async function findOperationEvents(
  options: OperationEventsOptions,
): Promise<readonly OperationEvent[] | undefined> {
  const { database, tenant, operationId, after = 0, limit = 100 } = options;
  const rows = await database.run(eventsOfTenantsOperation, [operationId, tenant, after, limit]);
  if (rows.length === 0) return undefined;
  return rows.flatMap((row) => (row.sequence === null ? [] : [eventFromRow(row, row.sequence, operationId)]));
}

/** As `findOperationEvents`; empty for an operation that does not exist or is another tenant's. */
export async function operationEvents(options: OperationEventsOptions): Promise<readonly OperationEvent[]> {
  return (await findOperationEvents(options)) ?? [];
}

function eventFromRow(row: EventRow, sequence: number, operationId: OperationId): OperationEvent {
  const { at, type, stage, message, progress, error } = row;
  return {
    operationId,
    sequence,
    at,
    type,
    stage,
    message,
    progress: progress ?? undefined,
    error: error ?? undefined,
  };
}
