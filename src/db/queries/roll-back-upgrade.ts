import { Failure } from '../../domain/failures.ts';
import type { OperationId, RuntimeId, Tenant } from '../../domain/ids.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

/** Accepting any operation on the Runtime waits for this lock, and so does each commit of one. */
const lockRuntime = statement<{ deleted: boolean }>(
  'lock-runtime',
  'SELECT deleted_at IS NOT NULL AS deleted FROM runtime WHERE id = $1 AND tenant = $2 FOR UPDATE',
);

const newestOperation = statement<{ id: OperationId; kind: string; state: string; rolled_back: boolean | null }>(
  'newest-operation-with-change',
  `SELECT operation.id, kind, state, rolled_back_at IS NOT NULL AS rolled_back
  FROM operation LEFT JOIN configuration_change ON operation_id = operation.id
  WHERE runtime_id = $1 ORDER BY sequence DESC LIMIT 1`,
);

/** A part that the upgrade did not change stays as it is. */
function restored(part: string, column: string, value: string): string {
  return `${column} = CASE WHEN change.before ? '${part}' THEN ${value} ELSE runtime.${column} END`;
}

const restoration = [
  restored('cluster', 'cluster_config', `change.before->'cluster'`),
  restored('cluster', 'kubernetes_version', `change.before->'cluster'->>'kubernetesVersion'`),
  restored('kyma', 'kyma_installer', `change.before->'kyma'->>'installer'`),
  restored('kyma', 'kyma_version', `change.before->'kyma'->'config'->>'version'`),
  restored('kyma', 'kyma_config', `change.before->'kyma'->'config'`),
  restored('kyma', 'kyma_plan', `change.before->'kyma'->'plan'`),
].join(',\n      ');

const restoreConfiguration = statement<{ id: string }>(
  'roll-back-upgrade',
  `WITH change AS (
    UPDATE configuration_change SET rolled_back_at = now() WHERE operation_id = $2 AND rolled_back_at IS NULL RETURNING *
  )
  UPDATE runtime SET ${restoration},
      configuration_revision = runtime.configuration_revision + 1, updated_at = now()
  FROM change WHERE runtime.id = $1
  RETURNING runtime.id`,
);

/**
 * Makes the configuration that a Runtime had before its newest operation, an upgrade that has ended, the active one
 * again, once; after that it answers without doing anything. Throws NOT_FOUND, or ROLLBACK_REFUSED with the reason.
 */
export async function rollBackUpgrade(options: {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly runtimeId: RuntimeId;
}): Promise<{ readonly operationId: OperationId; readonly done: boolean }> {
  const { database, tenant, runtimeId } = options;
  return database.transaction(async (transaction) => {
    const [runtime] = await transaction.run(lockRuntime, [runtimeId, tenant]);
    if (runtime === undefined || runtime.deleted) throw new Failure('NOT_FOUND', `Runtime ${runtimeId} not found`);
    const [newest] = await transaction.run(newestOperation, [runtimeId]);
    if (newest === undefined) throw new Error(`Runtime ${runtimeId} has no operation`);
    if (newest.kind !== 'Upgrade' || newest.state === 'InProgress') throw refusal(newest);
    if (newest.rolled_back) return { operationId: newest.id, done: false };
    const rows = await transaction.run(restoreConfiguration, [runtimeId, newest.id]);
    if (rows.length !== 1) throw new Error(`Upgrade ${newest.id} has no record of what it changed`);
    return { operationId: newest.id, done: true };
  });
}

function refusal({ id, kind, state }: { id: string; kind: string; state: string }): Failure {
  const words = 'error: upgrade can be rolled back only if it is the last operation that is already finished';
  return new Failure('ROLLBACK_REFUSED', `${words}; the last one is ${kind} ${id} (${state})`);
}
