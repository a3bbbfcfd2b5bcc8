import type { History } from '../history.ts';

/** Every order has one operation, and every operation was ordered. */
export function nothingTwice({ accepted, operations }: History): readonly string[] {
  const keysOf = Map.groupBy(accepted, ({ operationId }) => operationId);
  const unordered = operations
    .filter(({ id }) => !keysOf.has(id))
    .map(({ id, kind, runtimeId }) => `${kind} ${id} of Runtime ${runtimeId} was ordered by nobody`);
  const shared = [...keysOf]
    .filter(([, orders]) => orders.length > 1)
    .map(
      ([id, orders]) => `operation ${id} is the answer to several orders: ${orders.map(({ key }) => key).join(', ')}`,
    );
  return [...unordered, ...shared];
}
