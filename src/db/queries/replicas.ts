import { operationDueChannel } from '../channels.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

export interface Beat {
  /** False: this replica was silent for too long, or was given up by the others. It is dead and must not go on. */
  readonly alive: boolean;
  /** Somebody fell silent, or an operation belongs to nobody that lives. */
  readonly someoneIsGone: boolean;
  /** Until the next unowned operation is due; 0 when one is. */
  readonly upcomingMillis: number | undefined;
  /** Operations of this replica that the caller wants to end. */
  readonly cancelling: readonly string[];
}

const insertReplica = statement<never>(
  'join-replicas',
  `INSERT INTO replica (id, host, process) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET seen = now()`,
);

/** One row and three small indexes: what a beat costs, however many operations are in flight. */
const updateSeen = statement<{
  alive: boolean;
  someone_is_gone: boolean;
  upcoming_millis: number | null;
  cancelling: string[];
}>(
  'beat',
  `WITH me AS (
    UPDATE replica SET seen = now() WHERE id = $1 AND seen > now() - $2 * interval '1 millisecond' RETURNING id
  )
  SELECT
    EXISTS (SELECT FROM me) AS alive,
    EXISTS (SELECT FROM replica WHERE seen <= now() - $2 * interval '1 millisecond' AND id <> $1)
      OR EXISTS (
        SELECT FROM operation
        WHERE owner IS NOT NULL AND NOT EXISTS (SELECT FROM replica WHERE replica.id = operation.owner)
      ) AS someone_is_gone,
    (SELECT greatest(0, extract(epoch FROM min(next_look) - now()) * 1000)::float8 FROM operation
      WHERE state = 'InProgress' AND owner IS NULL) AS upcoming_millis,
    ARRAY (SELECT id FROM operation WHERE owner = $1 AND state = 'InProgress' AND cancel_requested_at IS NOT NULL)
      AS cancelling`,
);

/**
 * An owner that is silent or has no row loses its operations; its own commits then find another owner and land nowhere.
 * Only owners that this very statement found gone count: one that beats, or joins, at the same moment keeps what it has.
 */
const releaseFromSilent = statement<{ id: string; previous_owner: string }>(
  'take-over',
  `WITH silent AS (
    DELETE FROM replica WHERE seen <= now() - $1 * interval '1 millisecond' RETURNING id
  ), gone AS MATERIALIZED (
    SELECT id FROM silent
    UNION
    SELECT owner FROM operation
    WHERE owner IS NOT NULL AND NOT EXISTS (SELECT FROM replica WHERE replica.id = operation.owner)
  ), orphan AS (
    SELECT id, owner FROM operation WHERE owner IN (SELECT id FROM gone) ORDER BY id FOR NO KEY UPDATE
  ), released AS (
    UPDATE operation SET owner = NULL, next_look = now() FROM orphan WHERE operation.id = orphan.id
    RETURNING operation.id, orphan.owner AS previous_owner
  )
  SELECT id, previous_owner, pg_notify('${operationDueChannel}', '') FROM released`,
);

const removeReplica = statement<never>(
  'leave-replicas',
  `WITH released AS (
    UPDATE operation SET owner = NULL, next_look = now() WHERE owner = $1
  ), gone AS (
    DELETE FROM replica WHERE id = $1
  )
  SELECT pg_notify('${operationDueChannel}', '')`,
);

/** Makes a replica known to the others. */
export async function joinReplicas(options: {
  readonly database: Database;
  readonly replicaId: string;
  readonly host: string;
  readonly process: number;
}): Promise<void> {
  const { database, replicaId, host, process } = options;
  await database.run(insertReplica, [replicaId, host, process]);
}

/** Says that this replica lives, and asks what there is to do. */
export async function beat(options: {
  readonly database: Database;
  readonly replicaId: string;
  readonly leaseMillis: number;
}): Promise<Beat> {
  const { database, replicaId, leaseMillis } = options;
  const [row] = await database.run(updateSeen, [replicaId, leaseMillis]);
  return {
    alive: row?.alive === true,
    someoneIsGone: row?.someone_is_gone === true,
    upcomingMillis: row?.upcoming_millis ?? undefined,
    cancelling: row?.cancelling ?? [],
  };
}

/** Takes the operations of replicas that fell silent away from them; they are due at once, for anybody. */
export async function takeOver(options: {
  readonly database: Database;
  readonly leaseMillis: number;
}): Promise<readonly { operationId: string; previousOwner: string }[]> {
  const rows = await options.database.run(releaseFromSilent, [options.leaseMillis]);
  return rows.map((row) => ({ operationId: row.id, previousOwner: row.previous_owner }));
}

/** Ends a replica in order: what it still owns is due at once, for anybody. */
export async function leaveReplicas(options: {
  readonly database: Database;
  readonly replicaId: string;
}): Promise<void> {
  await options.database.run(removeReplica, [options.replicaId]);
}
