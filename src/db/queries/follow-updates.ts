import type { RecordedError } from '../../domain/failures.ts';
import type { OperationId, RuntimeId, Tenant } from '../../domain/ids.ts';
import type { OperationKind } from '../../domain/operation.ts';
import type { FollowedEvent, OperationEventType } from '../../domain/operation-event.ts';
import type { Database } from '../database.ts';
import { parseSnapshot, type Snapshot } from '../snapshot.ts';
import { type Statement, statement } from '../statement.ts';

/** An update, and what tells where it stands among all others. */
export interface PlacedUpdate extends FollowedEvent {
  readonly tenant: Tenant;
  /** That wrote it. */
  readonly transaction: bigint;
  /** With the operation and the sequence a total order of all updates, in which no operation runs backwards. */
  readonly position: bigint;
}

export type Place = Pick<PlacedUpdate, 'position' | 'operationId' | 'sequence'>;

/** What one read has found. */
export interface UpdatePage {
  /** In their order. */
  readonly updates: readonly PlacedUpdate[];
  /** What the read could see. */
  readonly snapshot: Snapshot;
  /** There are more than were asked for. */
  readonly more: boolean;
}

interface UpdateRow {
  readonly snapshot: string;
  /** Null when there is no update: the row then only tells the snapshot. */
  readonly operation_id: string | null;
  readonly runtime_id: string;
  readonly tenant: string;
  readonly kind: OperationKind;
  readonly sequence: number;
  readonly at: Date;
  readonly type: OperationEventType;
  readonly stage: string;
  readonly message: string;
  readonly progress: number | null;
  readonly error: RecordedError | null;
  readonly transaction: string;
  readonly position: string;
}

/** The snapshot is that of the statement itself, so that both come from the same view of the data. */
function followStatement(name: string, condition: string): Statement<UpdateRow> {
  return statement<UpdateRow>(
    name,
    `SELECT now_shown.snapshot, found.* FROM (SELECT pg_current_snapshot()::text AS snapshot) now_shown
    LEFT JOIN LATERAL (
      SELECT event.operation_id, operation.runtime_id, operation.tenant, operation.kind, event.sequence, event.at,
        event.type, event.stage, event.message, event.progress, event.error,
        event.transaction::text AS transaction, event.position
      FROM operation_event event JOIN operation ON operation.id = event.operation_id
      WHERE event.position >= $3 AND NOT pg_visible_in_snapshot(event.transaction, $2::pg_snapshot) AND ${condition}
      ORDER BY event.position, event.operation_id, event.sequence
      LIMIT $1
    ) found ON true
    ORDER BY found.position, found.operation_id, found.sequence`,
  );
}

const behindPlace = `pg_visible_in_snapshot(event.transaction, $4::pg_snapshot)
  AND (event.position, event.operation_id, event.sequence) > ($5::bigint, $6::uuid, $7::integer)`;
const newOfAll = followStatement('follow-all', 'true');
const newOfTenant = followStatement('follow-tenant', 'operation.tenant = $4');
const newOfRuntime = followStatement('follow-runtime', 'operation.tenant = $4 AND operation.runtime_id = $5');
const restOfTenant = followStatement('follow-tenant-on', `${behindPlace} AND operation.tenant = $8`);
const restOfRuntime = followStatement(
  'follow-runtime-on',
  `${behindPlace} AND operation.tenant = $8 AND operation.runtime_id = $9`,
);

/** Whose updates are followed. */
export interface Followed {
  readonly tenant: Tenant;
  /** One Runtime of the tenant; all of them when not given. */
  readonly runtimeId: RuntimeId | undefined;
}

/** What has been committed since `from`, of all tenants. */
export async function readNewUpdates(options: {
  readonly database: Database;
  readonly from: Snapshot;
  readonly limit: number;
}): Promise<UpdatePage> {
  const { database, from, limit } = options;
  return pageOf(await database.run(newOfAll, [limit + 1, from.text, String(from.floor)]), limit);
}

/**
 * What was committed after `from`: all of it until now, or, to go on in what an earlier read began, what `rest.until`
 * shows behind `rest.place`.
 */
export async function readUpdates(options: {
  readonly database: Database;
  readonly followed: Followed;
  readonly from: Snapshot;
  readonly rest: { readonly until: Snapshot; readonly place: Place } | undefined;
  readonly limit: number;
}): Promise<UpdatePage> {
  const { database, followed, from, rest, limit } = options;
  const { tenant, runtimeId } = followed;
  const whose = runtimeId === undefined ? [tenant] : [tenant, runtimeId];
  const since = [limit + 1, from.text, String(from.floor)];
  if (rest === undefined) {
    return pageOf(
      await database.run(runtimeId === undefined ? newOfTenant : newOfRuntime, [...since, ...whose]),
      limit,
    );
  }
  const { position, operationId, sequence } = rest.place;
  const behind = [rest.until.text, String(position), operationId, sequence];
  const following = runtimeId === undefined ? restOfTenant : restOfRuntime;
  return pageOf(await database.run(following, [...since, ...behind, ...whose]), limit);
}

function pageOf(rows: readonly UpdateRow[], limit: number): UpdatePage {
  const snapshot = parseSnapshot(rows[0]?.snapshot ?? '');
  if (snapshot === undefined) throw new Error('the database does not tell its snapshot');
  const updates = rows.flatMap((row) => (row.operation_id === null ? [] : [updateFromRow(row, row.operation_id)]));
  return { updates: updates.slice(0, limit), snapshot, more: updates.length > limit };
}

function updateFromRow(row: UpdateRow, operationId: string): PlacedUpdate {
  return {
    operationId: operationId as OperationId,
    runtimeId: row.runtime_id as RuntimeId,
    tenant: row.tenant as Tenant,
    kind: row.kind,
    sequence: row.sequence,
    at: row.at,
    type: row.type,
    stage: row.stage,
    message: row.message,
    progress: row.progress ?? undefined,
    error: row.error ?? undefined,
    transaction: BigInt(row.transaction),
    position: BigInt(row.position),
  };
}
