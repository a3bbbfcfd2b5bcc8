import type { WakeKey } from '../../domain/outcome.ts';
import { operationDueChannel } from '../channels.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

/** Locked in the order of their ids, so that two wakes never wait for each other in a circle. */
const wakeByKeys = statement<{ woken: number }>(
  'wake-operations',
  `WITH target AS (
    SELECT id FROM operation WHERE state = 'InProgress' AND wake_key = ANY ($1) ORDER BY id FOR NO KEY UPDATE
  ), woken AS (
    UPDATE operation SET wake_seq = operation.wake_seq + 1, next_look = least(operation.next_look, now())
    FROM target
    WHERE operation.id = target.id
    RETURNING operation.id
  )
  SELECT count(*)::int AS woken, CASE WHEN count(*) > 0 THEN pg_notify('${operationDueChannel}', '') END FROM woken`,
);

/** Makes every unfinished operation that waits on one of `keys`, or is about to, due now. Answers how many. */
export async function wakeOperations(options: {
  readonly database: Database;
  readonly keys: readonly WakeKey[];
}): Promise<number> {
  const [row] = await options.database.run(wakeByKeys, [[...options.keys]]);
  return row?.woken ?? 0;
}
