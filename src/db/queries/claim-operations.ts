import type { Tenant } from '../../domain/ids.ts';
import type { Operation, OperationKind } from '../../domain/operation.ts';
import type { Runtime, Target } from '../../domain/runtime.ts';
import { operationDueChannel } from '../channels.ts';
import type { Database } from '../database.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import { type RuntimeRow, runtimeColumns, runtimeFromRow } from '../runtime-row.ts';
import { statement } from '../statement.ts';
import { openTarget, type StoredTarget } from '../stored-target.ts';

interface ClaimRow extends RuntimeRow, Omit<OperationRow, 'operation_id'> {
  readonly upcoming_millis: number | null;
  readonly candidates: number;
  /** Null when nothing was claimed: the row then only tells what is upcoming. */
  readonly operation_id: string | null;
  readonly looks: number;
  readonly failures: number;
  readonly revision: number;
  readonly wake_key: string | null;
  readonly wake_seq: string;
  readonly stage_age_millis: number;
  readonly target: StoredTarget | null;
}

/** An operation that is ours to run: no other replica has it until we let go of it or fall silent. */
export interface ClaimedOperation {
  readonly operation: Operation;
  readonly tenant: Tenant;
  /** Throws when a confidential entry cannot be opened. */
  readonly read: () => { readonly runtime: Runtime; readonly target: Target | undefined };
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
  /** As much was due as was asked for, so there may be more. */
  readonly moreIsDue: boolean;
}

/** Due, nobody's, and something that the claiming replica is to take. */
const due = `state = 'InProgress' AND owner IS NULL AND next_look <= now()
      AND (kind || '/' || stage = ANY ($3) OR (kind = ANY ($7) AND next_look < now() - $8 * interval '1 millisecond'))
      AND id <> ALL ($5::uuid[]) AND ($6::timestamptz IS NULL OR started_at >= $6)`;

const claim = `claimed AS (
    UPDATE operation SET owner = $1, attempt = operation.attempt + 1
    FROM due
    WHERE operation.id = due.id
      AND EXISTS (SELECT FROM replica WHERE replica.id = $1 AND replica.seen > now() - $4 * interval '1 millisecond')
    RETURNING operation.*
  )
  SELECT upcoming.millis AS upcoming_millis, (SELECT count(*)::int FROM candidate) AS candidates,
    ${operationColumns('claimed')}, ${runtimeColumns},
    claimed.looks, claimed.failures, claimed.revision, claimed.wake_key, claimed.wake_seq,
    (extract(epoch FROM now() - claimed.stage_started_at) * 1000)::float8 AS stage_age_millis,
    configuration_change.after AS target
  FROM (
    SELECT (extract(epoch FROM min(next_look) - now()) * 1000)::float8 AS millis FROM operation
    WHERE state = 'InProgress' AND owner IS NULL AND next_look > now()
  ) upcoming
  LEFT JOIN (
    claimed JOIN runtime ON runtime.id = claimed.runtime_id
    LEFT JOIN configuration_change ON configuration_change.operation_id = claimed.id
  ) ON true`;

/**
 * Rows that another replica is claiming, waking or committing are passed over, not waited for: whoever holds them tells
 * afterwards. A replica that was given up claims nothing.
 */
const claimInOrder = statement<ClaimRow>(
  'claim-operations',
  `WITH due AS (
    SELECT id FROM operation WHERE ${due} ORDER BY next_look LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ), candidate AS (
    SELECT id FROM due
  ), ${claim}`,
);

/**
 * The same while more is due than is claimed at once. Tenants take turns, those first that have the fewest operations at
 * work here: the thousand operations of one do not stand before the only one of another. `tenant` walks the index from
 * tenant to tenant, so that it costs a few index entries for each, however many operations wait.
 */
const claimInTurns = statement<ClaimRow>(
  'claim-operations-in-turns',
  `WITH RECURSIVE waiting AS (
    (SELECT tenant FROM operation WHERE state = 'InProgress' AND owner IS NULL ORDER BY tenant LIMIT 1)
    UNION ALL
    SELECT (
      SELECT tenant FROM operation WHERE state = 'InProgress' AND owner IS NULL AND tenant > waiting.tenant
      ORDER BY tenant LIMIT 1
    ) FROM waiting WHERE waiting.tenant IS NOT NULL
  ), candidate AS (
    SELECT first.id FROM waiting CROSS JOIN LATERAL (
      SELECT id, next_look, row_number() OVER (ORDER BY next_look) + coalesce(($9::jsonb->>waiting.tenant)::int, 0) AS turn
      FROM (
        SELECT id, next_look FROM operation WHERE tenant = waiting.tenant AND ${due} ORDER BY next_look LIMIT $2
      ) earliest
    ) first
    WHERE first.turn <= $10
    ORDER BY first.turn, first.next_look LIMIT $2
  ), due AS (
    SELECT id FROM operation
    WHERE id IN (SELECT id FROM candidate) AND state = 'InProgress' AND owner IS NULL
    FOR NO KEY UPDATE SKIP LOCKED
  ), ${claim}`,
);

/** Takes up to `limit` operations that are due and nobody's: in the order in which they became due, or in turns. */
export async function claimOperations(options: {
  readonly database: Database;
  readonly replicaId: string;
  readonly leaseMillis: number;
  readonly limit: number;
  /** Stages that this replica knows, such as `Provision/CreatingCluster`. */
  readonly stages: readonly string[];
  /** For so long the others are left to newer versions, in milliseconds. Of these kinds, they are claimed after that. */
  readonly strangeAfterMillis: number;
  readonly kinds: readonly OperationKind[];
  /**
   * More is due than is claimed at once: tenants take turns. Holds how many operations each has at work here, and how many
   * it may have.
   */
  readonly inTurns?: { readonly atWork: ReadonlyMap<string, number>; readonly mostOfTenant: number } | undefined;
  /** Operations to leave alone. */
  readonly except: readonly string[];
  /** Leaves alone what was accepted before. */
  readonly acceptedSince?: Date | undefined;
}): Promise<Claim> {
  const { database, replicaId, leaseMillis, limit, stages, except, acceptedSince = null, inTurns } = options;
  const values = [replicaId, limit, [...stages], leaseMillis, [...except], acceptedSince];
  values.push([...options.kinds], options.strangeAfterMillis);
  const rows = await (inTurns === undefined
    ? database.run(claimInOrder, values)
    : database.run(claimInTurns, [
        ...values,
        JSON.stringify(Object.fromEntries(inTurns.atWork)),
        inTurns.mostOfTenant,
      ]));
  return {
    claimed: rows.flatMap((row) =>
      row.operation_id === null ? [] : [claimedFromRow(row, row.operation_id, database)],
    ),
    upcomingMillis: rows[0]?.upcoming_millis ?? undefined,
    moreIsDue: rows[0]?.candidates === limit,
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
    tenant: row.runtime_tenant as Tenant,
    read: () => ({
      runtime: runtimeFromRow(row, database.cipher),
      target: row.target ? openTarget(row.target, { cipher: database.cipher, runtimeId: row.runtime_id }) : undefined,
    }),
    looks: row.looks,
    failures: row.failures,
    revision: row.revision,
    wakeKey: row.wake_key ?? undefined,
    wakeSeq: row.wake_seq,
    stageAgeMillis: row.stage_age_millis,
  };
}
