import type { OperationId } from '../../domain/ids.ts';
import type { Notes } from '../../domain/operation.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

/** Not counted as a revision: the same notes again are the same notes. */
const mergeNotes = statement<{ notes: Notes }>(
  'store-notes',
  `UPDATE operation SET notes = notes || $4::jsonb
  WHERE id = $1 AND owner = $2 AND attempt = $3 AND state = 'InProgress'
  RETURNING notes`,
);

/** Adds to an operation's notes and answers all of them; undefined when the operation is not ours any more. */
export async function storeNotes(options: {
  readonly database: Database;
  readonly operationId: OperationId;
  readonly replicaId: string;
  readonly attempt: number;
  readonly notes: Notes;
}): Promise<Notes | undefined> {
  const { database, operationId, replicaId, attempt, notes } = options;
  const [row] = await database.run(mergeNotes, [operationId, replicaId, attempt, JSON.stringify(notes)]);
  return row?.notes;
}
