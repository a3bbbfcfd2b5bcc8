import { Failure } from '../../domain/failures.ts';
import type { OperationId, RuntimeId, Tenant } from '../../domain/ids.ts';
import type { Operation, OperationKind } from '../../domain/operation.ts';
import type { Target } from '../../domain/runtime.ts';
import { operationDueChannel } from '../channels.ts';
import type { Database } from '../database.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import { statement } from '../statement.ts';
import { storeTarget } from '../stored-target.ts';
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
    WHERE id = $2 AND tenant = $3 AND (deleted_at IS NULL AND lost_at IS NULL OR $4 = 'Deprovision')
      AND ($7::integer IS NULL OR configuration_revision = $7)
    FOR SHARE
  ), operation AS (
    INSERT INTO operation (id, runtime_id, kind, stage, message, event_count)
    SELECT $1, target.id, $4, $5, $6, 1 FROM target
    RETURNING *
  ), event AS (
    INSERT INTO operation_event (operation_id, sequence, type, stage, message)
    SELECT operation.id, 1, 'Accepted', operation.stage, operation.message FROM operation
  ), change AS (
    INSERT INTO configuration_change (operation_id, before, after)
    SELECT operation.id, $8::jsonb, $9::jsonb FROM operation WHERE $7::integer IS NOT NULL
  ), ${noteAcceptance({ first: 10 })}
  SELECT ${operationColumns()}, pg_notify('${operationDueChannel}', '') FROM operation`,
);

const inProgress = statement<{ id: string; kind: string }>(
  'operation-in-progress',
  `SELECT id, kind FROM operation WHERE runtime_id = $1 AND state = 'InProgress'`,
);

/** What an operation is to change. Both have the same parts. */
export interface ConfigurationChange {
  /** The Runtime's `configurationRevision` that it was made for. */
  readonly revision: number;
  readonly before: Target;
  readonly after: Target;
}

export interface AcceptOperationOptions {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly runtimeId: RuntimeId;
  readonly operationId: OperationId;
  readonly kind: Exclude<OperationKind, 'Provision'>;
  readonly startMessage: string;
  readonly firstStage: string;
  /** Undefined: the configuration stays as it is. */
  readonly change?: ConfigurationChange | undefined;
  /** The request that may be sent again. A second operation for it is refused by the database. */
  readonly request?: IdempotentRequest | undefined;
}

/**
 * Stores a new operation on a Runtime. Throws NOT_FOUND for a Runtime that does not exist, belongs to another tenant, or
 * is deleted (unless it is to be deprovisioned again), CLUSTER_LOST when its cluster was deleted outside of this service
 * (with the same exception), OPERATION_IN_PROGRESS, naming it, while another operation is not finished, and
 * CONFIGURATION_CHANGED when `change` was made for a configuration that the Runtime does not have any more. What it
 * answers or refuses is certain, as with `acceptProvision`.
 */
export async function acceptOperation(options: AcceptOperationOptions): Promise<Operation> {
  const { database, tenant, runtimeId, operationId, kind, startMessage, firstStage, change, request } = options;
  const place = { cipher: database.cipher, runtimeId };
  const stored = (target: Target | undefined) => (target ? JSON.stringify(storeTarget(target, place)) : null);
  const values = [
    ...[operationId, runtimeId, tenant, kind, firstStage, startMessage],
    ...[change?.revision ?? null, stored(change?.before), stored(change?.after)],
    ...acceptanceValues(request),
  ];
  return acceptForCertain({
    database,
    operationId,
    attempt: async () => {
      for (;;) {
        try {
          const [row] = await database.run(insertOperation, values);
          if (row !== undefined) return operationFromRow(row);
          const refusal = await whyNot({ database, tenant, runtimeId, changes: change !== undefined });
          if (refusal !== undefined) throw refusal;
          // What was in the way a moment ago is not any more.
          continue;
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

const alive = statement<{ alive: boolean; lost: boolean }>(
  'runtime-is-alive',
  'SELECT deleted_at IS NULL AS alive, lost_at IS NOT NULL AS lost FROM runtime WHERE id = $1 AND tenant = $2',
);

/** Why the statement found no Runtime to store the operation for. */
async function whyNot(options: {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly runtimeId: RuntimeId;
  readonly changes: boolean;
}): Promise<Failure | undefined> {
  const { database, tenant, runtimeId, changes } = options;
  const [found] = await database.run(alive, [runtimeId, tenant]);
  if (!found?.alive) return new Failure('NOT_FOUND', `Runtime ${runtimeId} not found`);
  if (found.lost) return clusterLost(`cannot start new operation for ${runtimeId} Runtime`);
  if (!changes) return undefined;
  const message = `the configuration of Runtime ${runtimeId} was changed meanwhile; nothing was started, send the same again`;
  return new Failure('CONFIGURATION_CHANGED', message);
}

export function clusterLost(what: string): Failure {
  const why = 'its cluster was deleted, but not through this service. Deprovision the Runtime and provision a new one.';
  return new Failure('CLUSTER_LOST', `${what}: ${why}`);
}

/** `other` is in progress. */
export function operationInProgress(runtimeId: RuntimeId, other: { id: string; kind: string }): Failure {
  const message = `cannot start new operation for ${runtimeId} Runtime while previous one is in progress`;
  return new Failure('OPERATION_IN_PROGRESS', `${message}: ${other.kind} ${other.id}`);
}
