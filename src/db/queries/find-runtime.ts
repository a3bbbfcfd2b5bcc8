import type { RuntimeId, Tenant } from '../../domain/ids.ts';
import type { Operation } from '../../domain/operation.ts';
import type { Runtime } from '../../domain/runtime.ts';
import type { Database } from '../database.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import { type RuntimeRow, runtimeColumns, runtimeFromRow } from '../runtime-row.ts';
import { statement } from '../statement.ts';

const runtimeWithNewestOperation = statement<RuntimeRow & OperationRow>(
  'find-runtime',
  `SELECT ${operationColumns('newest')}, ${runtimeColumns}
  FROM runtime
  JOIN LATERAL (
    SELECT * FROM operation WHERE operation.runtime_id = runtime.id ORDER BY operation.sequence DESC LIMIT 1
  ) newest ON true
  WHERE runtime.id = $1 AND runtime.tenant = $2`,
);

/**
 * A tenant's Runtime and its newest operation. Undefined when there is none, or when it is another tenant's. A Runtime
 * that was deprovisioned is still found, with `deletedAt`.
 */
export async function findRuntime(options: {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly runtimeId: RuntimeId;
}): Promise<{ runtime: Runtime; lastOperation: Operation } | undefined> {
  const { database, tenant, runtimeId } = options;
  const [row] = await database.run(runtimeWithNewestOperation, [runtimeId, tenant]);
  if (row === undefined) return undefined;
  return { runtime: runtimeFromRow(row, database.cipher), lastOperation: operationFromRow(row) };
}
