import type { Operation, OperationKind } from '../../domain/operation.ts';
import type { Runtime } from '../../domain/runtime.ts';
import { operationDueChannel } from '../channels.ts';
import type { Database } from '../database.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import { type RuntimeRow, runtimeColumns, runtimeFromRow } from '../runtime-row.ts';
import { statement } from '../statement.ts';

interface ClaimRow extends RuntimeRow, Omit<OperationRow, 'operation_id'> {
  readonly upcoming_millis: number | null;
  /** Null when nothing was claimed: the row then only tells what is upcoming. */
  readonly operation_id: string | null;
  readonly looks: number;
  readonly failures: number;
  readonly revision: number;
  readonly wake_key: string | null;
  readonly wake_seq: string;
  readonly stage_age_millis: number;
}

/** An operation that is ours to run: no other replica has it until we let go of it or fall silent. */
export interface ClaimedOperation {
  readonly operation: Operation;
  /** Throws when a confidential entry cannot be opened. */
  readonly readRuntime: () => Runtime;
  /** Looks that the stage has had. */
  readonly looks: number;
  /** Throws in a row. */
  readonly failures: number;
  /** Commits so far; the next one is guarded by it. */
  readonly revision: number;
  readonly wakeKey: string | undefined;
  /** Wakes so far; a wake after this one was not yet seen by any look. */
  readonly wakeSeq: string;
  /** By the database's clock. */
  readonly stageAgeMillis: number;
}

export interface Claim {
  readonly claimed: readonly ClaimedOperation[];
  /** Until the next operation is due that nobody runs now; undefined when none waits. */
  readonly upcomingMillis: number | undefined;
}

/**
 * Rows that another replica is claiming, waking or committing are passed over, not waited for: whoever holds them tells
 * afterwards. A replica that was given up claims nothing.
 */
const claimDue = statement<ClaimRow>(
  'claim-operations',
  `WITH due AS (
    SELECT id FROM operation
    WHERE state = 'InProgress' AND owner IS NULL AND next_look <= now() AND kind = ANY ($3)
      AND id <> ALL ($5::uuid[]) AND ($6::timestamptz IS NULL OR started_at >= $6)
    ORDER BY next_look
    LIMIT $2
    FOR NO KEY UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE operation SET owner = $1, attempt = operation.attempt + 1
    FROM due
    WHERE operation.id = due.id
      AND EXISTS (SELECT FROM replica WHERE replica.id = $1 AND replica.seen > now() - $4 * interval '1 millisecond')
    RETURNING operation.*
  )
  SELECT upcoming.millis AS upcoming_millis, ${operationColumns('claimed')}, ${runtimeColumns},
    claimed.looks, claimed.failures, claimed.revision, claimed.wake_key, claimed.wake_seq,
    (extract(epoch FROM now() - claimed.stage_started_at) * 1000)::float8 AS stage_age_millis
  FROM (
    SELECT (extract(epoch FROM min(next_look) - now()) * 1000)::float8 AS millis FROM operation
    WHERE state = 'InProgress' AND owner IS NULL AND next_look > now()
  ) upcoming
  LEFT JOIN (claimed JOIN runtime ON runtime.id = claimed.runtime_id) ON true`,
);

/** Takes up to `limit` operations that are due and nobody's, in the order in which they became due. */
export async function claimOperations(options: {
  readonly database: Database;
  readonly replicaId: string;
  readonly leaseMillis: number;
  readonly limit: number;
  readonly kinds: readonly OperationKind[];
  /** Operations to leave alone. */
  readonly except: readonly string[];
  /** Leaves alone what was accepted before. */
  readonly acceptedSince?: Date | undefined;
}): Promise<Claim> {
  const { database, replicaId, leaseMillis, limit, kinds, except, acceptedSince = null } = options;
  const rows = await database.run(claimDue, [replicaId, limit, [...kinds], leaseMillis, [...except], acceptedSince]);
  return {
    claimed: rows.flatMap((row) =>
      row.operation_id === null ? [] : [claimedFromRow(row, row.operation_id, database)],
    ),
    upcomingMillis: rows[0]?.upcoming_millis ?? undefined,
  };
}

const letGo = statement<{ released: number }>(
  'release-strays',
  `WITH released AS (
    UPDATE operation SET owner = NULL, next_look = now() WHERE owner = $1 AND id <> ALL ($2::uuid[]) RETURNING id
  )
  SELECT count(*)::int AS released, CASE WHEN count(*) > 0 THEN pg_notify('${operationDueChannel}', '') END
  FROM released`,
);

/**
 * Lets go of what this replica owns without running it, such as after a claim whose answer was lost. Answers how many
 * there were. Must not run at the same time as a claim of the same replica.
 */
export async function releaseStrays(options: {
  readonly database: Database;
  readonly replicaId: string;
  readonly running: readonly string[];
}): Promise<number> {
  const { database, replicaId, running } = options;
  const [row] = await database.run(letGo, [replicaId, [...running]]);
  return row?.released ?? 0;
}

function claimedFromRow(row: ClaimRow, operationId: string, database: Database): ClaimedOperation {
  return {
    operation: operationFromRow({ ...row, operation_id: operationId }),
    readRuntime: () => runtimeFromRow(row, database.cipher),
    looks: row.looks,
    failures: row.failures,
    revision: row.revision,
    wakeKey: row.wake_key ?? undefined,
    wakeSeq: row.wake_seq,
    stageAgeMillis: row.stage_age_millis,
  };
}
