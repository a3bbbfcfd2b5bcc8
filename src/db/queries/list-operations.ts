import type { RuntimeId, Tenant } from '../../domain/ids.ts';
import type { Operation, OperationKind } from '../../domain/operation.ts';
import type { Runtime } from '../../domain/runtime.ts';
import type { Database } from '../database.ts';
import {
  boundValues,
  type ListBounds,
  type ListPosition,
  limitValue,
  microsColumn,
  shortList,
  withinBounds,
} from '../list-position.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import { plannedByValues, type Statement, statement } from '../statement.ts';

/** All that is given must hold; a list holds when one of its values does. */
export interface OperationListFilter {
  readonly runtimeIds: readonly RuntimeId[] | undefined;
  readonly kinds: readonly OperationKind[] | undefined;
  readonly states: readonly string[] | undefined;
  readonly stages: readonly string[] | undefined;
  readonly providers: readonly string[] | undefined;
  readonly regions: readonly string[] | undefined;
  /** Of the Runtime as it is now, as are the versions. */
  readonly labels: Readonly<Record<string, unknown>> | undefined;
  readonly kymaVersions: readonly string[] | undefined;
  readonly kubernetesVersions: readonly string[] | undefined;
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
      AND ($9::text[] IS NULL OR provider = ANY ($9)) AND ($10::text[] IS NULL OR region = ANY ($10))
      AND ($11::uuid[] IS NULL OR runtime_id = ANY ($11))`;

/** Not beside an `OR`: there, the server could not join, and would look at every operation. */
const runtimeFilters = `
      AND runtime_id IN (
        SELECT runtime_id FROM runtime_listing
        WHERE tenant = $1 AND ($12::jsonb IS NULL OR labels @> $12) AND ($13::text[] IS NULL OR kyma_version = ANY ($13))
          AND ($14::text[] IS NULL OR kubernetes_version = ANY ($14)))`;

/** The page is found in an index alone; only its own rows are then read in full. */
function listText(conditions: string): string {
  return `WITH listed AS (
    SELECT id, started_at FROM operation
    WHERE tenant = $1 AND ${withinBounds('started_at', 'id')} ${conditions}
    ORDER BY started_at DESC, id DESC ${shortList}
  ), page AS (
    SELECT * FROM listed LIMIT $5
  )
  SELECT ${microsColumn('page.started_at')} AS micros, ${operationColumns()}, runtime.registration
  FROM page
  JOIN operation ON operation.id = page.id
  JOIN runtime ON runtime.id = operation.runtime_id
  ORDER BY page.started_at DESC, page.id DESC`;
}

// The server knows how many rows a value matches, and so whether to read in order or to look the value up.
const plain = statement<Row>('list-operations', listText(''));
const filtered = plannedByValues<Row>(listText(filters));
const filteredByRuntime = plannedByValues<Row>(listText(filters + runtimeFilters));

/** The operations on a tenant's Runtimes, newest first, at most `limit` (up to 1,001) of them. */
export async function listOperations(options: {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly filter: OperationListFilter;
  readonly bounds: ListBounds;
  readonly limit: number;
}): Promise<readonly ListedOperation[]> {
  const { database, tenant, filter, bounds, limit } = options;
  const page = [tenant, ...boundValues(bounds), limitValue(limit)];
  const rows = await database.run(...statementFor(page, filter));
  return rows.map((row) => ({
    operation: operationFromRow(row),
    registration: row.registration,
    position: { micros: BigInt(row.micros), id: row.operation_id },
  }));
}

function statementFor(page: readonly unknown[], filter: OperationListFilter): [Statement<Row>, readonly unknown[]] {
  const { runtimeIds, kinds, states, stages, providers, regions, labels, kymaVersions, kubernetesVersions } = filter;
  const own = [kinds, states, stages, providers, regions, runtimeIds].map((list) => list ?? null);
  const ofRuntime = [labels ? JSON.stringify(labels) : null, kymaVersions ?? null, kubernetesVersions ?? null];
  if (ofRuntime.some((value) => value !== null)) return [filteredByRuntime, [...page, ...own, ...ofRuntime]];
  return own.some((value) => value !== null) ? [filtered, [...page, ...own]] : [plain, page];
}
