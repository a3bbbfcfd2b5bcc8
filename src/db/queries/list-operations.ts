import type { RuntimeId, Tenant } from '../../domain/ids.ts';
import type { Operation, OperationKind } from '../../domain/operation.ts';
import type { Runtime } from '../../domain/runtime.ts';
import type { Database } from '../database.ts';
import {
  boundValues,
  type ListBounds,
  type ListPosition,
  microsColumn,
  mostRows,
  withinBounds,
} from '../list-position.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import { type Statement, statement } from '../statement.ts';

/** All that is given must hold; a list holds when one of its values does. */
export interface OperationListFilter {
  readonly runtimeIds: readonly RuntimeId[] | undefined;
  readonly kinds: readonly OperationKind[] | undefined;
  readonly states: readonly string[] | undefined;
  readonly stages: readonly string[] | undefined;
  readonly providers: readonly string[] | undefined;
  readonly regions: readonly string[] | undefined;
}

export interface ListedOperation {
  readonly operation: Operation;
  /** Of its Runtime. */
  readonly registration: Runtime['registration'];
  readonly position: ListPosition;
}

type Row = OperationRow & { readonly micros: string; readonly registration: Runtime['registration'] };

const filters = `
      AND ($6::text[] IS NULL OR kind = ANY ($6)) AND ($7::text[] IS NULL OR state = ANY ($7))
      AND ($8::text[] IS NULL OR stage = ANY ($8))
      AND ($9::text[] IS NULL OR provider = ANY ($9)) AND ($10::text[] IS NULL OR region = ANY ($10))`;

/**
 * The page is found in an index alone; only its own rows are then read in full. Operations of certain Runtimes, and
 * those without filters, have a statement of their own: each is answered from another range.
 */
function listStatement(name: string, conditions: string): Statement<Row> {
  return statement(
    name,
    `WITH listed AS (
    SELECT id, started_at FROM operation
    WHERE tenant = $1 AND ${withinBounds('started_at', 'id')} ${conditions}
    ORDER BY started_at DESC, id DESC LIMIT ${mostRows}
  ), page AS (
    SELECT * FROM listed LIMIT $5
  )
  SELECT ${microsColumn('page.started_at')} AS micros, ${operationColumns()}, runtime.registration
  FROM page
  JOIN operation ON operation.id = page.id
  JOIN runtime ON runtime.id = operation.runtime_id
  ORDER BY page.started_at DESC, page.id DESC`,
  );
}

const plain = listStatement('list-operations', '');
const filtered = listStatement('list-operations-filtered', filters);
const ofRuntimes = listStatement('list-operations-of-runtimes', `${filters} AND runtime_id = ANY ($11::uuid[])`);

/** The operations on a tenant's Runtimes, newest first, at most `limit` (up to `mostRows`) of them. */
export async function listOperations(options: {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly filter: OperationListFilter;
  readonly bounds: ListBounds;
  readonly limit: number;
}): Promise<readonly ListedOperation[]> {
  const { database, tenant, filter, bounds, limit } = options;
  const { runtimeIds, kinds, states, stages, providers, regions } = filter;
  const values = [kinds ?? null, states ?? null, stages ?? null, providers ?? null, regions ?? null];
  const page = [tenant, ...boundValues(bounds), limit];
  const unfiltered = values.every((value) => value === null);
  const send = () => {
    if (runtimeIds) return database.run(ofRuntimes, [...page, ...values, runtimeIds]);
    return unfiltered ? database.run(plain, page) : database.run(filtered, [...page, ...values]);
  };
  const rows = await send();
  return rows.map((row) => ({
    operation: operationFromRow(row),
    registration: row.registration,
    position: { micros: BigInt(row.micros), id: row.operation_id },
  }));
}
