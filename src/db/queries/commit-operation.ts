import type { RecordedError } from '../../domain/failures.ts';
import type { OperationId } from '../../domain/ids.ts';
import type { OperationState } from '../../domain/operation.ts';
import type { OperationEventType } from '../../domain/operation-event.ts';
import type { RuntimeChanges, TargetPart } from '../../domain/runtime.ts';
import { operationDueChannel } from '../channels.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

/** A commit lands only on the operation as this run has left it. */
export interface CommitGuard {
  readonly operationId: OperationId;
  readonly replicaId: string;
  readonly attempt: number;
  readonly revision: number;
  /** A wake beyond this one has not been seen by the look that is being committed. */
  readonly wakeSeq: string;
}

export interface NewEvent {
  readonly type: OperationEventType;
  readonly stage: string;
  readonly message: string;
  readonly progress?: number;
  readonly error?: RecordedError;
}

/** What the operation is from now on. */
export interface OperationChange {
  readonly state: OperationState;
  readonly stage: string;
  /** True when the stage begins with this commit. */
  readonly entersStage: boolean;
  readonly message: string;
  readonly progress: number | undefined;
  readonly lastError: RecordedError | undefined;
  readonly looks: number;
  readonly failures: number;
  readonly wakeKey: string | undefined;
  readonly events: readonly NewEvent[];
  readonly runtime: RuntimeChanges | undefined;
  /** Of an operation that ends because the caller asked for it. */
  readonly residue?: readonly string[];
}

/** Keep it and go on; or let go of it, due after so many milliseconds, or at once if it was woken since. */
export type Hold = { readonly kind: 'keep' } | { readonly kind: 'release'; readonly dueInMillis: number };

export type Committed =
  /** It landed, at that time of the database. `dueInMillis`: 0 when it was woken meanwhile. */
  | {
      readonly landed: true;
      readonly revision: number;
      readonly wakeSeq: string;
      readonly dueInMillis: number;
      readonly at: Date;
      /** The caller wants the operation to end. */
      readonly cancelRequested: boolean;
    }
  /** The operation is not ours any more, or not as we left it. Nothing was changed. */
  | { readonly landed: false };

interface CommitRow {
  readonly revision: number;
  readonly wake_seq: string;
  readonly due_in_millis: number;
  readonly at: Date;
  readonly cancel_requested: boolean;
}

/** From when a creation was cut off: no API server lets a request live that long, and clocks may differ. */
const creationSettlesSeconds = 150;

const guard = `operation.id = $1 AND operation.owner = $2 AND operation.attempt = $3 AND operation.revision = $4
    AND operation.state = 'InProgress'`;

/**
 * A wake locks the row as this does, so one of the two comes first. If the wake did, wake_seq has grown and the
 * operation is due at once; if this did, the wake finds the key and the time to bring forward.
 */
const hold = `owner = CASE WHEN $5 THEN owner END,
    next_look = CASE WHEN $5 OR wake_seq > $7::bigint THEN now() ELSE now() + $6 * interval '1 millisecond' END`;

const answer = (source: string) => `${source}.revision, ${source}.wake_seq,
    greatest(0, extract(epoch FROM ${source}.next_look - now()) * 1000)::float8 AS due_in_millis,
    now() AS at, ${source}.cancel_requested_at IS NOT NULL AS cancel_requested`;

/** The part of `configuration_change.after` that becomes the Runtime's own, or what that is now. */
function adopted(part: TargetPart, column: string, value: string): string {
  return `${column} = CASE WHEN '${part}' = ANY ($23::text[]) AND change.after ? '${part}' THEN ${value}
        ELSE runtime.${column} END`;
}

const adoption = [
  adopted('cluster', 'cluster_config', `change.after->'cluster'`),
  adopted('cluster', 'kubernetes_version', `change.after->'cluster'->>'kubernetesVersion'`),
  adopted('kyma', 'kyma_installer', `change.after->'kyma'->>'installer'`),
  adopted('kyma', 'kyma_version', `change.after->'kyma'->'config'->>'version'`),
  adopted('kyma', 'kyma_config', `change.after->'kyma'->'config'`),
  adopted('kyma', 'kyma_plan', `change.after->'kyma'->'plan'`),
  adopted(
    'administrators',
    'administrators',
    `ARRAY(SELECT jsonb_array_elements_text(change.after->'administrators'))`,
  ),
  'configuration_revision = runtime.configuration_revision + (cardinality($23::text[]) > 0)::int',
].join(',\n      ');

/** Operation, events, Runtime and notifications in one statement. */
const commitChange = statement<CommitRow>(
  'commit-operation',
  `WITH changed AS (
    UPDATE operation SET
      ${hold},
      state = $8, stage = $9, message = $10, progress = $11, last_error = $12, looks = $13, failures = $14,
      wake_key = $15,
      stage_started_at = CASE WHEN $16 THEN now() ELSE stage_started_at END,
      ended_at = CASE WHEN $8 <> 'InProgress' THEN now() END,
      cancel_residue = $21,
      revision = operation.revision + 1, event_count = event_count + jsonb_array_length($17::jsonb), updated_at = now()
    WHERE ${guard}
    RETURNING *
  ), event AS (
    INSERT INTO operation_event (operation_id, sequence, type, stage, message, progress, error)
    SELECT changed.id, changed.event_count - jsonb_array_length($17::jsonb) + new.position,
      new.type, new.stage, new.message, new.progress, new.error
    FROM changed, jsonb_to_recordset($17::jsonb)
      AS new (position int, type text, stage text, message text, progress smallint, error jsonb)
  ), runtime_changed AS (
    UPDATE runtime SET
      domain = coalesce($18, runtime.domain), seed = coalesce($19, runtime.seed),
      deleted_at = CASE WHEN $20 THEN coalesce(runtime.deleted_at, now()) ELSE runtime.deleted_at END,
      creation_settles_at = CASE WHEN $22 THEN now() + interval '${creationSettlesSeconds} seconds'
        ELSE runtime.creation_settles_at END,
      ${adoption},
      updated_at = now()
    FROM changed LEFT JOIN configuration_change change ON change.operation_id = changed.id
    WHERE runtime.id = changed.runtime_id
      AND ($18::text IS NOT NULL OR $19::text IS NOT NULL OR $20 OR $22 OR cardinality($23::text[]) > 0)
  ), adopted AS (
    UPDATE configuration_change SET adopted_at = now()
    FROM changed WHERE configuration_change.operation_id = changed.id AND cardinality($23::text[]) > 0
  )
  SELECT ${answer('changed')},
    CASE WHEN changed.state = 'InProgress' AND changed.owner IS NULL AND changed.next_look <= now()
      THEN pg_notify('${operationDueChannel}', '') END
  FROM changed`,
);

/** Nothing to tell: one row, no event. */
const commitLook = statement<CommitRow>(
  'commit-look',
  `UPDATE operation SET ${hold}, last_error = NULL, looks = $8, failures = 0, revision = operation.revision + 1
  WHERE ${guard}
  RETURNING ${answer('operation')}`,
);

const current = statement<Omit<CommitRow, 'due_in_millis'> & { attempt: number; owned: boolean }>(
  'operation-revision',
  `SELECT attempt, revision, wake_seq, updated_at AS at, cancel_requested_at IS NOT NULL AS cancel_requested,
    coalesce(owner = $2, false) AS owned
  FROM operation WHERE id = $1`,
);

/** Commits a change with its events. May be repeated after an uncertain answer: the same commit lands once. */
export async function commitOperation(options: {
  readonly database: Database;
  readonly guard: CommitGuard;
  readonly change: OperationChange;
  readonly hold: Hold;
}): Promise<Committed> {
  const { database, guard, change, hold } = options;
  const events = change.events.map((event, index) => ({ ...event, position: index + 1 }));
  const rows = await database.run(commitChange, [
    ...guardAndHold(guard, hold),
    ...[change.state, change.stage, change.message, change.progress ?? null],
    change.lastError === undefined ? null : JSON.stringify(change.lastError),
    ...[change.looks, change.failures, change.wakeKey ?? null, change.entersStage, JSON.stringify(events)],
    ...[change.runtime?.domain ?? null, change.runtime?.seed ?? null, change.runtime?.deleted === true],
    ...[change.residue ?? null, change.runtime?.creationCutOff === true, [...(change.runtime?.adopts ?? [])]],
  ]);
  return landed(rows[0]) ?? whetherItLandedBefore(database, guard, hold);
}

/** Commits a look that found nothing new. */
export async function commitUnchangedLook(options: {
  readonly database: Database;
  readonly guard: CommitGuard;
  readonly looks: number;
  readonly hold: Hold;
}): Promise<Committed> {
  const { database, guard, looks, hold } = options;
  const rows = await database.run(commitLook, [...guardAndHold(guard, hold), looks]);
  return landed(rows[0]) ?? whetherItLandedBefore(database, guard, hold);
}

function guardAndHold(guard: CommitGuard, hold: Hold): readonly unknown[] {
  const { operationId, replicaId, attempt, revision, wakeSeq } = guard;
  const dueInMillis = hold.kind === 'release' ? hold.dueInMillis : 0;
  return [operationId, replicaId, attempt, revision, hold.kind === 'keep', dueInMillis, wakeSeq];
}

function landed(row: CommitRow | undefined): Committed | undefined {
  if (row === undefined) return undefined;
  const { revision, wake_seq: wakeSeq, due_in_millis: dueInMillis, at, cancel_requested: cancelRequested } = row;
  return { landed: true, revision, wakeSeq, dueInMillis, at, cancelRequested };
}

/**
 * The same commit may have landed in an earlier try whose answer was lost: only it can have made the next revision
 * within our attempt. If it was to keep the operation and somebody took it since, it is lost all the same.
 */
async function whetherItLandedBefore(database: Database, guard: CommitGuard, hold: Hold): Promise<Committed> {
  const [row] = await database.run(current, [guard.operationId, guard.replicaId]);
  if (row === undefined || row.attempt !== guard.attempt || row.revision !== guard.revision + 1)
    return { landed: false };
  if (hold.kind === 'keep' && !row.owned) return { landed: false };
  const { revision, wake_seq: wakeSeq, at, cancel_requested: cancelRequested } = row;
  return { landed: true, revision, wakeSeq, dueInMillis: 0, at, cancelRequested };
}
