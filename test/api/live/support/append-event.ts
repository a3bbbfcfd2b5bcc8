import type pg from 'pg';
import type { Database } from '../../../../src/db/database.ts';
import type { Operation } from '../../../../src/domain/operation.ts';

/** A writer that takes the operation's row and nothing else: the least that any writer of events does. */
const append = `WITH changed AS (
  UPDATE operation SET event_count = event_count + 1 WHERE id = $1 RETURNING *
)
INSERT INTO operation_event (operation_id, sequence, type, stage, message)
SELECT id, event_count, 'Waiting', stage, $2 FROM changed`;

/** Appends one event and commits it. */
export async function appendEvent(database: Database, { id }: Pick<Operation, 'id'>, message: string): Promise<void> {
  await database.run({ name: 'test-append-event', text: append }, [id, message]);
}

/** Appends many events in one transaction. */
export async function appendEvents(
  database: Database,
  { id }: Pick<Operation, 'id'>,
  { count, message }: { count: number; message: string },
): Promise<void> {
  await database.run(
    {
      name: 'test-append-events',
      text: `WITH changed AS (
        UPDATE operation SET event_count = event_count + $2::int WHERE id = $1 RETURNING *
      )
      INSERT INTO operation_event (operation_id, sequence, type, stage, message)
      SELECT id, event_count - $2::int + number, 'Waiting', stage, $3 FROM changed, generate_series(1, $2::int) number`,
    },
    [id, count, message],
  );
}

export interface OpenTransaction {
  append(operation: Pick<Operation, 'id'>, message: string): Promise<void>;
  commit(): Promise<void>;
}

/** A transaction that has its number, and is committed when the test says so. */
export async function openTransaction(database: Database): Promise<OpenTransaction> {
  const client: pg.Client = await database.connect();
  await client.query('BEGIN');
  await client.query('SELECT pg_current_xact_id()');
  return {
    append: async ({ id }, message) => {
      await client.query(append, [id, message]);
    },
    commit: async () => {
      await client.query('COMMIT');
      await client.end();
    },
  };
}
