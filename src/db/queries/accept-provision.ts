import { Failure } from '../../domain/failures.ts';
import type { OperationId } from '../../domain/ids.ts';
import type { Operation } from '../../domain/operation.ts';
import type { NewRuntime, Runtime } from '../../domain/runtime.ts';
import { operationDueChannel } from '../channels.ts';
import type { Database } from '../database.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import { newRuntimeColumns, newRuntimeValues } from '../runtime-row.ts';
import { statement } from '../statement.ts';
import { acceptForCertain, violatedConstraint } from './accept-for-certain.ts';
import { acceptanceValues, type IdempotentRequest, noteAcceptance } from './idempotent-acceptance.ts';

const firstRuntimeParameter = 5;
const runtimeParameters = newRuntimeColumns.map((_, index) => `$${firstRuntimeParameter + index}`).join(', ');

/**
 * Runtime, operation, its first event and the end of the intent: one statement, so that there are all of them or none.
 * An intent that the sweeper has claimed is on its way to being undone: then nothing is stored.
 */
const insertAll = statement<OperationRow>(
  'accept-provision',
  `WITH intent AS (
    DELETE FROM registration_intent WHERE id = $4 AND claimed_until IS NULL RETURNING id
  ), new_runtime AS (
    INSERT INTO runtime (${newRuntimeColumns.join(', ')})
    SELECT ${runtimeParameters} WHERE $4::uuid IS NULL OR EXISTS (SELECT FROM intent)
    RETURNING id
  ), operation AS (
    INSERT INTO operation (id, runtime_id, kind, stage, message, event_count)
    SELECT $1, new_runtime.id, 'Provision', $2, $3, 1 FROM new_runtime
    RETURNING *
  ), event AS (
    INSERT INTO operation_event (operation_id, sequence, type, stage, message)
    SELECT operation.id, 1, 'Accepted', operation.stage, operation.message FROM operation
  ), ${noteAcceptance({ first: firstRuntimeParameter + newRuntimeColumns.length })}
  SELECT ${operationColumns()}, pg_notify('${operationDueChannel}', '') FROM operation`,
);

export interface AcceptProvisionOptions {
  readonly database: Database;
  readonly runtime: NewRuntime;
  readonly operationId: OperationId;
  readonly startMessage: string;
  readonly firstStage: string;
  /** The id of the intent under which the Runtime was registered in the Director. */
  readonly registrationIntent?: string;
  /** The request that may be sent again. A second operation for it is refused by the database. */
  readonly request?: IdempotentRequest | undefined;
}

/**
 * Stores a new Runtime together with the operation that provisions it. What it answers or refuses is certain, also when
 * the connection was lost on the way; DATABASE_UNAVAILABLE means that it could not be found out in time.
 */
export async function acceptProvision(options: AcceptProvisionOptions): Promise<Operation> {
  const { database, runtime, operationId, startMessage, firstStage, registrationIntent, request } = options;
  const values = [
    ...[operationId, firstStage, startMessage, registrationIntent ?? null],
    ...newRuntimeValues(runtime, database.cipher),
    ...acceptanceValues(request),
  ];
  return acceptForCertain({
    database,
    operationId,
    attempt: async () => {
      try {
        const [row] = await database.run(insertAll, values);
        if (row !== undefined) return operationFromRow(row);
      } catch (error) {
        throw refusal(error, runtime) ?? error;
      }
      throw new Failure('DIRECTOR_UNAVAILABLE', 'the registration in the Director took too long and was given up');
    },
  });
}

function refusal(error: unknown, runtime: AcceptProvisionOptions['runtime']): Failure | undefined {
  switch (violatedConstraint(error)) {
    case 'runtime_pkey':
      return alreadyProvisioned(runtime);
    case 'runtime_cluster_name':
      return clusterNameTaken(runtime);
    default:
      return undefined;
  }
}

export function alreadyProvisioned({ id }: Pick<Runtime, 'id'>): Failure {
  const cure =
    'take up a provisioning that failed with retryOperation, or deprovision it and call cleanupRuntimeData first';
  return new Failure('ALREADY_EXISTS', `cannot provision runtime. Runtime ${id} already provisioned; ${cure}`);
}

export function clusterNameTaken({ cluster }: Pick<Runtime, 'cluster'>): Failure {
  return new Failure('CLUSTER_NAME_TAKEN', `the cluster name ${cluster.name} belongs to another Runtime`);
}
