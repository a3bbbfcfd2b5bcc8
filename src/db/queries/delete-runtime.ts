import type { RuntimeId, Tenant } from '../../domain/ids.ts';
import type { Database } from '../database.ts';
import { errorCode } from '../database-unavailable.ts';
import { statement } from '../statement.ts';

const foreignKeyViolation = '23503';

/** One statement, so that there is all of it or nothing. The row lock keeps a new operation out meanwhile. */
const deleteAll = statement<{ id: string }>(
  'delete-runtime',
  `WITH target AS (
    SELECT id FROM runtime
    WHERE id = $1 AND tenant = $2 AND deleted_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM operation WHERE runtime_id = runtime.id AND state = 'InProgress')
    FOR UPDATE
  ), events AS (
    DELETE FROM operation_event USING operation, target
    WHERE operation_event.operation_id = operation.id AND operation.runtime_id = target.id
  ), operations AS (
    DELETE FROM operation USING target WHERE operation.runtime_id = target.id
  )
  DELETE FROM runtime USING target WHERE runtime.id = target.id RETURNING runtime.id`,
);

/**
 * Deletes a tenant's Runtime with its operations and their events. False when there is no such Runtime, when its cluster
 * may still exist, or when an operation on it is in progress.
 */
export async function deleteRuntime(options: {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly runtimeId: RuntimeId;
}): Promise<boolean> {
  const { database, tenant, runtimeId } = options;
  try {
    const deleted = await database.run(deleteAll, [runtimeId, tenant]);
    return deleted.length > 0;
  } catch (error) {
    // An operation was accepted while this waited for the row.
    if (errorCode(error) === foreignKeyViolation) return false;
    throw error;
  }
}
