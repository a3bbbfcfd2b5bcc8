import type { Database } from '../database.ts';
import { parseSnapshot, type Snapshot } from '../snapshot.ts';
import { statement } from '../statement.ts';

/**
 * Events that came with the data of another server (a restored backup) carry numbers of transactions that this server
 * has not reached. They are as old as those from before events were followed, and lose theirs. In the order of the
 * index, there is nothing to do in any other case.
 */
const forgetForeign = statement<never>(
  'forget-foreign-transactions',
  `UPDATE operation_event SET transaction = NULL, position = NULL
  WHERE position >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
);

const current = statement<{ snapshot: string }>('current-snapshot', 'SELECT pg_current_snapshot()::text AS snapshot');

/** What is committed now: where following begins. */
export async function beginToFollow({ database }: { database: Database }): Promise<Snapshot> {
  await database.run(forgetForeign, []);
  const [row] = await database.run(current, []);
  const snapshot = parseSnapshot(row?.snapshot ?? '');
  if (snapshot === undefined) throw new Error('the database does not tell its snapshot');
  return snapshot;
}
