import type { OperationId, Tenant } from '../../domain/ids.ts';
import type { Operation } from '../../domain/operation.ts';
import type { Database } from '../database.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import { statement } from '../statement.ts';

const operationOfTenant = statement<OperationRow>(
  'find-operation',
  `SELECT ${operationColumns()}
  FROM operation JOIN runtime ON runtime.id = operation.runtime_id
  WHERE operation.id = $1 AND runtime.tenant = $2`,
);

/** Undefined when there is none, or when its Runtime is another tenant's. */
export async function findOperation(options: {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly operationId: OperationId;
}): Promise<Operation | undefined> {
  const { database, tenant, operationId } = options;
  const [row] = await database.run(operationOfTenant, [operationId, tenant]);
  return row === undefined ? undefined : operationFromRow(row);
}
