import type { OperationId } from '../../domain/ids.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

/** Tenants take turns, so of each other one no more operations come first than of the operation's own. */
const positionInQueue = statement<{ position: number }>(
  'queue-position',
  `WITH own AS (
    SELECT tenant, next_look FROM operation
    WHERE id = $1 AND state = 'InProgress' AND owner IS NULL AND next_look <= now()
  ), place AS (
    SELECT count(*) AS in_tenant FROM operation, own
    WHERE operation.tenant = own.tenant AND state = 'InProgress' AND owner IS NULL AND operation.next_look <= own.next_look
  ), others AS (
    SELECT count(*) AS due FROM operation, own
    WHERE operation.tenant <> own.tenant AND state = 'InProgress' AND owner IS NULL AND operation.next_look <= now()
    GROUP BY operation.tenant
  )
  SELECT (in_tenant + coalesce((SELECT sum(least(due, in_tenant)) FROM others), 0))::int AS position
  FROM place WHERE EXISTS (SELECT FROM own)`,
);

/** Which an operation is among those that wait to be worked at, counted from 1; undefined when it does not wait for that. */
export async function queuePosition(options: {
  readonly database: Database;
  readonly operationId: OperationId;
}): Promise<number | undefined> {
  const [row] = await options.database.run(positionInQueue, [options.operationId]);
  return row?.position;
}
