import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

const now = statement<{ now: Date }>('database-time', 'SELECT now()');

/** What the database's clock says. Times in rows are by it. */
export async function databaseTime({ database }: { database: Database }): Promise<Date> {
  const [row] = await database.run(now, []);
  if (row === undefined) throw new Error('the database does not tell the time');
  return row.now;
}
