import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

const read = statement<{ id: string }>('installation', 'SELECT id FROM installation');

/** The mark of this installation, which is that of its database: replicas share it, and a backup keeps it. */
export async function findInstallation({ database }: { database: Database }): Promise<string> {
  const [row] = await database.run(read, []);
  if (row === undefined) throw new Error('the database does not say which installation it belongs to');
  return row.id;
}
