import { Failure } from '../../domain/failures.ts';
import type { OperationId, RuntimeId, Tenant } from '../../domain/ids.ts';
import type { Operation, OperationKind } from '../../domain/operation.ts';
import { operationDueChannel } from '../channels.ts';
import type { Database } from '../database.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import { statement } from '../statement.ts';
import { acceptForCertain, violatedConstraint } from './accept-for-certain.ts';
import { acceptanceValues, type IdempotentRequest, noteAcceptance } from './idempotent-acceptance.ts';

/**
 * The share lock makes a deletion that is about to be committed visible before the operation is stored. A Runtime that is
 * gone can be deprovisioned once more, so that a caller whose answer was lost may simply ask again.
 */
const insertOperation = statement<OperationRow>(
  'accept-operation',
  `WITH target AS (
    SELECT id FROM runtime
    WHERE id = $2 AND tenant = $3 AND (deleted_at IS NULL OR $4 = 'Deprovision')
    FOR SHARE
  ), operation AS (
    INSERT INTO operation (id, runtime_id, kind, stage, message, event_count)
    SELECT $1, target.id, $4, $5, $6, 1 FROM target
    RETURNING *
  ), event AS (
    INSERT INTO operation_event (operation_id, sequence, type, stage, message)
    SELECT operation.id, 1, 'Accepted', operation.stage, operation.message FROM operation
  ), ${noteAcceptance({ first: 7 })}
  SELECT ${operationColumns()}, pg_notify('${operationDueChannel}', '') FROM operation`,
);

const inProgress = statement<{ id: string; kind: string }>(
  'operation-in-progress',
  `SELECT id, kind FROM operation WHERE runtime_id = $1 AND state = 'InProgress'`,
);

export interface AcceptOperationOptions {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly runtimeId: RuntimeId;
  readonly operationId: OperationId;
  readonly kind: Exclude<OperationKind, 'Provision'>;
  readonly startMessage: string;
  readonly firstStage: string;
  /** The request that may be sent again. A second operation for it is refused by the database. */
  readonly request?: IdempotentRequest | undefined;
}

/**
 * Stores a new operation on a Runtime. Throws NOT_FOUND for a Runtime that does not exist, belongs to another tenant, or
 * is deleted (unless it is to be deprovisioned again), and OPERATION_IN_PROGRESS, naming it, while another operation is
 * not finished. What it answers or refuses is certain, as with `acceptProvision`.
 */
export async function acceptOperation(options: AcceptOperationOptions): Promise<Operation> {
  const { database, tenant, runtimeId, operationId, kind, startMessage, firstStage, request } = options;
  const values = [operationId, runtimeId, tenant, kind, firstStage, startMessage, ...acceptanceValues(request)];
  return acceptForCertain({
    database,
    operationId,
    attempt: async () => {
      for (;;) {
        try {
          const [row] = await database.run(insertOperation, values);
          if (row === undefined) throw new Failure('NOT_FOUND', `Runtime ${runtimeId} not found`);
          return operationFromRow(row);
        } catch (error) {
          if (violatedConstraint(error) !== 'operation_one_in_progress') throw error;
        }
        const [other] = await database.run(inProgress, [runtimeId]);
        if (other !== undefined) throw operationInProgress(runtimeId, other);
        // It ended in between, so that there is nothing to refuse any more.
      }
    },
  });
}

/** `other` is in progress. */
export function operationInProgress(runtimeId: RuntimeId, other: { id: string; kind: string }): Failure {
  const message = `cannot start new operation for ${runtimeId} Runtime while previous one is in progress`;
  return new Failure('OPERATION_IN_PROGRESS', `${message}: ${other.kind} ${other.id}`);
}
