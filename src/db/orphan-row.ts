import type { Orphan, OrphanReason, OrphanSource } from '../domain/orphan.ts';

/** What a SELECT with `orphanColumns` answers. */
export interface OrphanRow {
  readonly id: string;
  readonly source: OrphanSource;
  readonly scope: string;
  readonly uid: string;
  readonly name: string;
  readonly place: string;
  readonly runtime_id: string;
  readonly reason: OrphanReason;
  readonly created_at: Date | null;
  readonly found_at: Date;
  readonly removal_requested_at: Date | null;
  readonly gone_at: Date | null;
  readonly problem: string | null;
}

export const orphanColumns = [
  ...['id', 'source', 'scope', 'uid', 'name', 'place', 'runtime_id', 'reason'],
  ...['created_at', 'found_at', 'removal_requested_at', 'gone_at', 'problem'],
]
  .map((column) => `orphan.${column}`)
  .join(', ');

export function orphanFromRow(row: OrphanRow): Orphan {
  const { id, source, scope, uid, name, place, reason } = row;
  return {
    ...{ id, source, scope, uid, name, place, reason },
    runtimeId: row.runtime_id,
    createdAt: row.created_at ?? undefined,
    foundAt: row.found_at,
    removalRequestedAt: row.removal_requested_at ?? undefined,
    goneAt: row.gone_at ?? undefined,
    problem: row.problem ?? undefined,
  };
}
