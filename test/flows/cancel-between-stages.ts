import { sql } from 'kysely';
import { eventually } from '../harness/eventually.ts';
import type { World } from './world.ts';

/**
 * Sends `cancel` and then lets the stage at work end, while both have to wait in the database for the operation's row, in
 * this order: so the cancellation is read together with the commit that enters the next stage.
 */
export async function cancelBetweenStages<Answer>(
  { stored }: World,
  { operationId, cancel, endStage }: { operationId: string; cancel(): Promise<Answer>; endStage(): void },
): Promise<Answer> {
  const { cancelling } = await stored.kysely.transaction().execute(async (transaction) => {
    await sql`SELECT FROM operation WHERE id = ${operationId} FOR UPDATE`.execute(transaction);
    const isWaitedForBy = async (count: number) => {
      // Whoever waits for somebody who waits is counted, too.
      const { rows } = await sql<{ count: number }>`
        WITH RECURSIVE waiting (pid) AS (
          SELECT pg_backend_pid()
          UNION
          SELECT locks.pid FROM pg_locks locks JOIN waiting ON waiting.pid = ANY (pg_blocking_pids(locks.pid))
          WHERE NOT locks.granted
        ) SELECT count(*)::int - 1 AS count FROM waiting`.execute(transaction);
      return rows[0]?.count === count;
    };
    const cancelling = cancel();
    await eventually('the cancellation to wait for the row', () => isWaitedForBy(1));
    endStage();
    await eventually('the commit to wait for the row', () => isWaitedForBy(2));
    return { cancelling };
  });
  return cancelling;
}
