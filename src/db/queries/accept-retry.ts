import { Failure } from '../../domain/failures.ts';
import type { OperationId, RuntimeId, Tenant } from '../../domain/ids.ts';
import { type Operation, repairNote } from '../../domain/operation.ts';
import { operationDueChannel } from '../channels.ts';
import type { Database } from '../database.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import { statement } from '../statement.ts';
import { acceptForCertain } from './accept-for-certain.ts';
import { clusterLost } from './accept-operation.ts';
import { acceptanceValues, type IdempotentRequest, noteAcceptance } from './idempotent-acceptance.ts';

/** Accepting any other operation on the Runtime waits for this lock, and so does closing its record. */
const lockRuntime = statement<{ id: RuntimeId; deleted: boolean; lost: boolean }>(
  'lock-runtime-of-operation',
  `SELECT runtime.id, runtime.deleted_at IS NOT NULL AS deleted, runtime.lost_at IS NOT NULL AS lost
  FROM runtime JOIN operation ON operation.runtime_id = runtime.id
  WHERE operation.id = $1 AND runtime.tenant = $2
  FOR NO KEY UPDATE OF runtime`,
);

const newestOfRuntime = statement<OperationRow & { readonly rolled_back: boolean | null }>(
  'newest-operation-of-runtime',
  `SELECT ${operationColumns()}, rolled_back_at IS NOT NULL AS rolled_back
  FROM operation LEFT JOIN configuration_change ON operation_id = operation.id
  WHERE runtime_id = $1 ORDER BY sequence DESC LIMIT 1`,
);

const insertRetry = statement<OperationRow>(
  'accept-retry',
  `WITH operation AS (
    INSERT INTO operation (id, runtime_id, kind, stage, message, event_count, notes, retry_of)
    SELECT $1, old.runtime_id, old.kind, old.stage, $3, 1, old.notes || jsonb_build_object('${repairNote}', true), old.id
    FROM operation old WHERE old.id = $2
    RETURNING *
  ), event AS (
    INSERT INTO operation_event (operation_id, sequence, type, stage, message)
    SELECT operation.id, 1, 'Accepted', operation.stage, operation.message FROM operation
  ), change AS (
    INSERT INTO configuration_change (operation_id, before, after)
    SELECT operation.id, old.before, old.after FROM operation, configuration_change old WHERE old.operation_id = $2
  ), ${noteAcceptance({ first: 4 })}
  SELECT ${operationColumns()}, pg_notify('${operationDueChannel}', '') FROM operation`,
);

/**
 * Stores an operation that takes up `retryOf` at the stage at which that one ended. Throws NOT_FOUND for an operation
 * that is not this tenant's, and NOT_RETRYABLE, CLUSTER_LOST or OPERATION_IN_PROGRESS with the reason. What it answers or
 * refuses is certain, as with `acceptProvision`.
 */
export async function acceptRetry(options: {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly retryOf: OperationId;
  readonly operationId: OperationId;
  readonly startMessage: string;
  /** The request that may be sent again. A second operation for it is refused by the database. */
  readonly request?: IdempotentRequest | undefined;
}): Promise<Operation> {
  const { database, tenant, retryOf, operationId, startMessage, request } = options;
  return acceptForCertain({
    database,
    operationId,
    attempt: () =>
      database.transaction(async (transaction) => {
        const [runtime] = await transaction.run(lockRuntime, [retryOf, tenant]);
        if (runtime === undefined) throw new Failure('NOT_FOUND', `Operation ${retryOf} not found`);
        const [newest] = await transaction.run(newestOfRuntime, [runtime.id]);
        if (newest === undefined) throw new Error(`Runtime ${runtime.id} has no operation`);
        const refusal = whyNot(retryOf, operationFromRow(newest), runtime);
        if (refusal !== undefined) throw refusal;
        if (newest.rolled_back) throw notRetryable(retryOf, 'it was rolled back; start another one');
        const [row] = await transaction.run(insertRetry, [
          ...[operationId, retryOf, startMessage],
          ...acceptanceValues(request),
        ]);
        if (row === undefined) throw new Error(`Operation ${retryOf} was there a moment ago and is not any more`);
        return operationFromRow(row);
      }),
  });
}

function whyNot(
  retryOf: OperationId,
  newest: Operation,
  { deleted, lost }: { readonly deleted: boolean; readonly lost: boolean },
): Failure | undefined {
  const { id, kind, state, runtimeId } = newest;
  if (state === 'InProgress') {
    const which = id === retryOf ? 'it is still in progress' : `${kind} ${id} is in progress on its Runtime`;
    return new Failure('OPERATION_IN_PROGRESS', `cannot retry operation ${retryOf}: ${which}`);
  }
  const refuse = (reason: string) => notRetryable(retryOf, reason);
  if (id !== retryOf) return refuse(`it is not the newest of its Runtime, which is ${kind} ${id} (${state})`);
  if (state === 'Succeeded') return refuse('it has succeeded');
  if (deleted) return refuse(`its Runtime ${runtimeId} is deprovisioned`);
  return lost && kind !== 'Deprovision' ? clusterLost(`cannot retry operation ${retryOf}`) : undefined;
}

function notRetryable(retryOf: OperationId, reason: string): Failure {
  return new Failure('NOT_RETRYABLE', `cannot retry operation ${retryOf}: ${reason}`);
}
