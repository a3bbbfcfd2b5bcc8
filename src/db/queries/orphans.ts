import type { Orphan, OrphanReason, OrphanSource } from '../../domain/orphan.ts';
import type { OwnedObject } from '../../domain/owned-objects.ts';
import type { Database } from '../database.ts';
import {
  boundValues,
  type ListBounds,
  type ListPosition,
  limitValue,
  microsColumn,
  withinBounds,
} from '../list-position.ts';
import { type OrphanRow, orphanColumns, orphanFromRow } from '../orphan-row.ts';
import { statement } from '../statement.ts';
import type { OrphanScope } from './orphan-searches.ts';

export interface FoundOrphan {
  readonly object: OwnedObject;
  readonly reason: OrphanReason;
  readonly tenantMark: string | undefined;
}

const list = statement<OrphanRow & { readonly is_new: boolean }>(
  'list-orphan',
  `INSERT INTO orphan (source, scope, uid, name, place, runtime_id, tenant_mark, reason, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT ON CONSTRAINT orphan_is_found_once DO UPDATE SET
    scope = excluded.scope, reason = excluded.reason, gone_at = NULL,
    tenant_mark = coalesce(excluded.tenant_mark, orphan.tenant_mark)
  RETURNING ${orphanColumns}, xmax = 0 AS is_new`,
);

/** Lists an orphan, or lists it again. */
export async function listOrphan(options: {
  readonly database: Database;
  readonly scope: OrphanScope;
  readonly found: FoundOrphan;
}): Promise<{ readonly orphan: Orphan; readonly isNew: boolean }> {
  const { database, scope, found } = options;
  const { uid, name, place, runtimeId, createdAt } = found.object;
  const [row] = await database.run(list, [
    ...[scope.source, scope.scope, uid, name, place, runtimeId],
    ...[found.tenantMark ?? null, found.reason, createdAt ?? null],
  ]);
  if (row === undefined) throw new Error(`orphan ${uid} was not listed`);
  return { orphan: orphanFromRow(row), isNew: row.is_new };
}

const close = statement<OrphanRow>(
  'close-orphans',
  `UPDATE orphan SET gone_at = now(), problem = NULL
  WHERE source = $1 AND scope = $2 AND gone_at IS NULL AND found_at < $3 AND uid <> ALL ($4)
  RETURNING ${orphanColumns}`,
);

/** What was listed before `before`, and was not among `uids` in a search since, is no orphan any more. Answers those. */
export async function closeOrphans(options: {
  readonly database: Database;
  readonly scope: OrphanScope;
  readonly before: Date;
  readonly uids: readonly string[];
}): Promise<readonly Orphan[]> {
  const { database, scope, before, uids } = options;
  const rows = await database.run(close, [scope.source, scope.scope, before, uids]);
  return rows.map(orphanFromRow);
}

const noteTrouble = statement('note-orphan-trouble', 'UPDATE orphan SET problem = $2 WHERE id = $1');

/** Why an orphan cannot be removed now; undefined: it is being removed. */
export async function noteOrphanTrouble(options: {
  readonly database: Database;
  readonly id: string;
  readonly problem: string | undefined;
}): Promise<void> {
  const { database, id, problem } = options;
  await database.run(noteTrouble, [id, problem ?? null]);
}

const request = statement<OrphanRow>(
  'request-orphan-removal',
  `UPDATE orphan SET removal_requested_at = coalesce(removal_requested_at, now())
  WHERE id = $1 AND tenant_mark = $2 AND gone_at IS NULL RETURNING ${orphanColumns}`,
);
const find = statement<OrphanRow>(
  'find-orphan',
  `SELECT ${orphanColumns} FROM orphan WHERE id = $1 AND tenant_mark = $2`,
);

/** An orphan of the tenant with that mark, gone ones too. */
export async function findOrphan(options: {
  readonly database: Database;
  readonly tenantMark: string;
  readonly id: string;
}): Promise<Orphan | undefined> {
  const { database, tenantMark, id } = options;
  const [row] = await database.run(find, [id, tenantMark]);
  return row && orphanFromRow(row);
}

/** Writes down that an orphan is to be removed; one that is gone is left as it is. Undefined: the tenant has no such one. */
export async function requestOrphanRemoval(options: {
  readonly database: Database;
  readonly tenantMark: string;
  readonly id: string;
}): Promise<Orphan | undefined> {
  const { database, tenantMark, id } = options;
  const [row] = await database.run(request, [id, tenantMark]);
  return row ? orphanFromRow(row) : findOrphan(options);
}

export interface ListedOrphan {
  readonly orphan: Orphan;
  readonly position: ListPosition;
}

const page = statement<OrphanRow & { readonly micros: string }>(
  'list-orphans',
  `SELECT ${microsColumn('found_at')} AS micros, ${orphanColumns} FROM orphan
  WHERE tenant_mark = $1 AND gone_at IS NULL AND ${withinBounds('found_at', 'id')}
  ORDER BY found_at DESC, id DESC LIMIT $5`,
);

/** The orphans of a tenant, newest first, at most `limit` (up to 1,001) of them. */
export async function listOrphans(options: {
  readonly database: Database;
  readonly tenantMark: string;
  readonly bounds: ListBounds;
  readonly limit: number;
}): Promise<readonly ListedOrphan[]> {
  const { database, tenantMark, bounds, limit } = options;
  const rows = await database.run(page, [tenantMark, ...boundValues(bounds), limitValue(limit)]);
  return rows.map((row) => ({
    orphan: orphanFromRow(row),
    position: { micros: BigInt(row.micros), id: row.id },
  }));
}

const count = statement<{ source: OrphanSource; count: number }>(
  'count-orphans',
  'SELECT source, count(*)::int AS count FROM orphan WHERE gone_at IS NULL GROUP BY source',
);

export async function countOrphans(options: {
  readonly database: Database;
}): Promise<Readonly<Partial<Record<OrphanSource, number>>>> {
  const rows = await options.database.run(count, []);
  return Object.fromEntries(rows.map((row) => [row.source, row.count]));
}
