import type { OperationKind } from '../../domain/operation.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

const countByKind = statement<{ kind: OperationKind; count: number }>(
  'operations-in-progress',
  `SELECT kind, count(*)::int AS count FROM operation WHERE state = 'InProgress' GROUP BY kind`,
);

/** How many operations of all tenants and replicas are in progress; a kind without any is left out. */
export async function operationsInProgress(options: {
  readonly database: Database;
}): Promise<Partial<Record<OperationKind, number>>> {
  const rows = await options.database.run(countByKind, []);
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}
