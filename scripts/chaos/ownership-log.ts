import type pg from 'pg';
import type { Hold } from './history.ts';

/** What became of an operation's row. */
export interface OwnershipChange {
  readonly operationId: string;
  readonly runtimeId: string;
  readonly what: 'appeared' | 'claimed' | 'let-go' | 'ended';
  /** Of a claim: the process id of the replica. */
  readonly process: number | null;
  readonly attempt: number;
  readonly at: number;
}

/**
 * The database itself writes down who had which operation when, in a schema of its own. The time is taken within the
 * transaction: after what made it possible, and before anybody can learn of it.
 */
const install = `
  CREATE SCHEMA chaos;
  CREATE TABLE chaos.replica (id uuid PRIMARY KEY, process integer NOT NULL);
  CREATE TABLE chaos.ownership (
    number bigint GENERATED ALWAYS AS IDENTITY, operation_id uuid NOT NULL, runtime_id uuid NOT NULL,
    what text NOT NULL, owner uuid, attempt integer NOT NULL, at timestamptz NOT NULL
  );
  CREATE FUNCTION chaos.note_replica() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO chaos.replica VALUES (NEW.id, NEW.process) ON CONFLICT DO NOTHING; RETURN NULL; END $$;
  CREATE FUNCTION chaos.note_operation() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE what text;
  BEGIN
    IF TG_OP = 'INSERT' THEN what := 'appeared';
    ELSIF NEW.state <> OLD.state THEN what := 'ended';
    ELSIF NEW.owner IS NOT NULL AND NEW.attempt <> OLD.attempt THEN what := 'claimed';
    ELSIF NEW.owner IS NULL AND OLD.owner IS NOT NULL THEN what := 'let-go';
    ELSE RETURN NULL;
    END IF;
    INSERT INTO chaos.ownership (operation_id, runtime_id, what, owner, attempt, at)
      VALUES (NEW.id, NEW.runtime_id, what, NEW.owner, NEW.attempt, clock_timestamp());
    RETURN NULL;
  END $$;
  CREATE TRIGGER chaos_note AFTER INSERT ON public.replica FOR EACH ROW EXECUTE FUNCTION chaos.note_replica();
  CREATE TRIGGER chaos_note AFTER INSERT OR UPDATE ON public.operation
    FOR EACH ROW EXECUTE FUNCTION chaos.note_operation();
  INSERT INTO chaos.replica SELECT id, process FROM public.replica;
`;

/** Into a database that is migrated and in which nothing has been accepted yet. */
export async function installOwnershipLog(client: pg.Client): Promise<void> {
  await client.query(install);
}

export async function readOwnershipLog(client: pg.Client): Promise<readonly OwnershipChange[]> {
  const { rows } = await client.query<OwnershipChange>(`
    SELECT operation_id AS "operationId", runtime_id AS "runtimeId", what, attempt, replica.process,
      extract(epoch FROM at)::float8 * 1000 AS at
    FROM chaos.ownership LEFT JOIN chaos.replica ON replica.id = ownership.owner ORDER BY number`);
  return rows;
}

/** Each claim with its end. */
export function holdsOf(changes: readonly OwnershipChange[]): Hold[] {
  const holds: Hold[] = [];
  const open = new Map<string, Omit<Hold, 'to'>>();
  const close = (operationId: string, to: number | undefined) => {
    const hold = open.get(operationId);
    if (hold) holds.push({ ...hold, to });
    open.delete(operationId);
  };
  for (const { operationId, runtimeId, what, process, attempt, at } of changes) {
    if (what !== 'appeared') close(operationId, at);
    if (what === 'claimed') open.set(operationId, { operationId, runtimeId, attempt, process: process ?? 0, from: at });
  }
  for (const operationId of [...open.keys()]) close(operationId, undefined);
  return holds;
}
