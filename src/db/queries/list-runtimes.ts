import type { Tenant } from '../../domain/ids.ts';
import type { Operation, OperationKind } from '../../domain/operation.ts';
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
import {
  type SealedRuntime,
  type SealedRuntimeRow,
  sealedRuntimeColumns,
  sealedRuntimeFromRow,
} from '../runtime-row.ts';
import { plannedByValues, statement } from '../statement.ts';

/** All that is given must hold; a list holds when one of its values does. */
export interface RuntimeListFilter {
  /** Of the newest operation. */
  readonly states: readonly string[] | undefined;
  /** Of the newest operation. */
  readonly kinds: readonly OperationKind[] | undefined;
  readonly names: readonly string[] | undefined;
  readonly labels: Readonly<Record<string, unknown>> | undefined;
  readonly providers: readonly string[] | undefined;
  readonly regions: readonly string[] | undefined;
  readonly kymaVersions: readonly string[] | undefined;
  readonly kubernetesVersions: readonly string[] | undefined;
  readonly lost: boolean | undefined;
}

export interface ListedRuntime {
  readonly runtime: SealedRuntime;
  readonly lastOperation: Operation;
  readonly position: ListPosition;
}

type Row = SealedRuntimeRow & OperationRow & { readonly micros: string };

const filters = `
      AND ($6::text[] IS NULL OR operation_state = ANY ($6)) AND ($7::text[] IS NULL OR operation_kind = ANY ($7))
      AND ($8::text[] IS NULL OR name = ANY ($8)) AND ($9::jsonb IS NULL OR labels @> $9)
      AND ($10::text[] IS NULL OR provider = ANY ($10)) AND ($11::text[] IS NULL OR region = ANY ($11))
      AND ($12::text[] IS NULL OR kyma_version = ANY ($12))
      AND ($13::text[] IS NULL OR kubernetes_version = ANY ($13)) AND ($14::boolean IS NULL OR lost = $14)`;

/** The page is found on the narrow rows alone; only its own rows are then read in full. */
function listText(conditions: string): string {
  return `WITH listed AS (
    SELECT runtime_id, created_at FROM runtime_listing
    WHERE tenant = $1 AND ${withinBounds('created_at', 'runtime_id')} ${conditions}
    ORDER BY created_at DESC, runtime_id DESC ${shortList}
  ), page AS (
    SELECT * FROM listed LIMIT $5
  )
  SELECT ${microsColumn('page.created_at')} AS micros, ${operationColumns('newest')}, ${sealedRuntimeColumns}
  FROM page
  JOIN runtime ON runtime.id = page.runtime_id
  JOIN LATERAL (
    SELECT * FROM operation WHERE operation.runtime_id = runtime.id ORDER BY operation.sequence DESC LIMIT 1
  ) newest ON true
  ORDER BY page.created_at DESC, page.runtime_id DESC`;
}

// The server knows how many rows a value matches, and so whether to read in order or to look the value up.
const alive = 'AND NOT deleted';
const statements = {
  plain: {
    alive: statement<Row>('list-runtimes', listText(alive)),
    all: statement<Row>('list-runtimes-with-deleted', listText('')),
  },
  filtered: {
    alive: plannedByValues<Row>(listText(`${alive} ${filters}`)),
    all: plannedByValues<Row>(listText(filters)),
  },
};

/** A tenant's Runtimes, newest first, at most `limit` (up to 1,001) of them. */
export async function listRuntimes(options: {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly filter: RuntimeListFilter;
  readonly withDeleted: boolean;
  readonly bounds: ListBounds;
  readonly limit: number;
}): Promise<readonly ListedRuntime[]> {
  const { database, tenant, filter, withDeleted, bounds, limit } = options;
  const values = filterValues(filter);
  const page = [tenant, ...boundValues(bounds), limitValue(limit)];
  const scope = withDeleted ? 'all' : 'alive';
  const rows = values.every((value) => value === null)
    ? await database.run(statements.plain[scope], page)
    : await database.run(statements.filtered[scope], [...page, ...values]);
  return rows.map((row) => ({
    runtime: sealedRuntimeFromRow(row),
    lastOperation: operationFromRow(row),
    position: { micros: BigInt(row.micros), id: row.runtime_id },
  }));
}

function filterValues(filter: RuntimeListFilter): readonly unknown[] {
  const { states, kinds, names, labels, providers, regions, kymaVersions, kubernetesVersions, lost } = filter;
  return [
    ...[states ?? null, kinds ?? null, names ?? null, labels ? JSON.stringify(labels) : null],
    ...[providers ?? null, regions ?? null, kymaVersions ?? null, kubernetesVersions ?? null],
    lost ?? null,
  ];
}
