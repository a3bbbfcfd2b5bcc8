import { Failure } from '../../domain/failures.ts';
import type { OperationId } from '../../domain/ids.ts';
import type { Operation } from '../../domain/operation.ts';
import type { Database } from '../database.ts';
import { DatabaseUnavailable, errorCode } from '../database-unavailable.ts';
import { type OperationRow, operationColumns, operationFromRow } from '../operation-row.ts';
import { pause } from '../pause.ts';
import { statement } from '../statement.ts';

const byId = statement<OperationRow>('accepted-operation', `SELECT ${operationColumns()} FROM operation WHERE id = $1`);

/** A caller waits for the answer. */
const patienceMillis = 5_000;

/**
 * Makes the answer to "was it accepted?" certain. A statement whose connection was lost may have been carried out or
 * not: it is sent again, and if it is then refused because it was carried out the first time, that first one counts.
 * The operation's id, chosen by the caller, tells.
 */
export async function acceptForCertain(options: {
  readonly database: Database;
  readonly operationId: OperationId;
  readonly attempt: () => Promise<Operation>;
}): Promise<Operation> {
  const { database, operationId, attempt } = options;
  const giveUpAt = performance.now() + patienceMillis;
  let uncertain = false;
  for (let delay = 50; ; delay *= 2) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof DatabaseUnavailable) {
        uncertain ||= error.uncertain;
        if (!uncertain || performance.now() + delay > giveUpAt) throw error;
      } else {
        const refused = error instanceof Failure || violatedConstraint(error) !== undefined;
        if (!uncertain || !refused) throw error;
        const [row] = await database.run(byId, [operationId]);
        if (row === undefined) throw error;
        return operationFromRow(row);
      }
    }
    await pause(delay);
  }
}

/** The name of the unique constraint or index that a statement ran into. */
export function violatedConstraint(error: unknown): string | undefined {
  if (errorCode(error) !== '23505') return undefined;
  return (error as { constraint?: string }).constraint;
}
