import type { OperationId, Tenant } from '../../domain/ids.ts';
import type { Operation } from '../../domain/operation.ts';
import { operationCancelChannel, operationDueChannel } from '../channels.ts';
import type { Database } from '../database.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import { statement } from '../statement.ts';

/**
 * Changes nothing that a commit is guarded by, so a commit on its way still lands. As a wake, it makes a waiting
 * operation due at once; whoever runs it now is told by its id.
 */
const request = statement<OperationRow>(
  'request-cancellation',
  `WITH asked AS (
    UPDATE operation SET
      cancel_requested_at = now(), wake_seq = wake_seq + 1, next_look = least(next_look, now()),
      event_count = event_count + 1, updated_at = now()
    WHERE id = $1 AND tenant = $2 AND state = 'InProgress' AND cancel_requested_at IS NULL
    RETURNING *
  ), event AS (
    INSERT INTO operation_event (operation_id, sequence, type, stage, message)
    SELECT asked.id, asked.event_count, 'CancelRequested', asked.stage, 'The caller asked to cancel the operation'
    FROM asked
  ), told AS (
    SELECT CASE WHEN owner IS NULL THEN pg_notify('${operationDueChannel}', '')
      ELSE pg_notify('${operationCancelChannel}', id::text) END
    FROM asked
  )
  SELECT ${operationColumns('asked')}, (SELECT count(*) FROM told) FROM asked`,
);

const current = statement<OperationRow>(
  'operation-to-cancel',
  `SELECT ${operationColumns()} FROM operation WHERE id = $1 AND tenant = $2`,
);

/**
 * Writes down that an operation is to end. Answers the operation as it is then: with `cancellation` when it had not
 * ended. Asking again changes nothing. Undefined when there is no such operation of this tenant.
 */
export async function requestCancellation(options: {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly operationId: OperationId;
}): Promise<Operation | undefined> {
  const { database, tenant, operationId } = options;
  const [asked] = await database.run(request, [operationId, tenant]);
  if (asked !== undefined) return operationFromRow(asked);
  const [row] = await database.run(current, [operationId, tenant]);
  return row === undefined ? undefined : operationFromRow(row);
}
