import type { History } from '../history.ts';

/** The next operation of a Runtime appears after the one before has ended. */
export function oneAtATime({ operations }: History): readonly string[] {
  return [...Map.groupBy(operations, ({ runtimeId }) => runtimeId)].flatMap(([runtimeId, own]) => {
    const inOrder = own.toSorted((one, other) => one.appearedAt - other.appearedAt);
    return inOrder.slice(1).flatMap((operation, index) => {
      const before = inOrder[index];
      const endedAt = before?.endings[0] ?? Number.POSITIVE_INFINITY;
      if (before === undefined || endedAt <= operation.appearedAt) return [];
      return [
        `Runtime ${runtimeId}: ${operation.kind} ${operation.id} began before ${before.kind} ${before.id} had ended`,
      ];
    });
  });
}
