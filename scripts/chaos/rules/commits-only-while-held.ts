import type { OperationEventType } from '../../../src/domain/operation-event.ts';
import type { History } from '../history.ts';

/** What callers' requests append; everything else is appended by runs. */
const byCallers: ReadonlySet<OperationEventType> = new Set(['Accepted', 'CancelRequested']);
/** An event's time is that of the beginning of its transaction, which a run sends after its claim has answered. */
const tolerance = 1;

export function commitsOnlyWhileHeld({ events, holds }: History): readonly string[] {
  const byOperation = Map.groupBy(holds, ({ operationId }) => operationId);
  return events
    .filter(({ operationId, type, at }) => {
      if (byCallers.has(type)) return false;
      const own = byOperation.get(operationId) ?? [];
      return !own.some(({ from, to = Number.POSITIVE_INFINITY }) => at >= from - tolerance && at <= to + tolerance);
    })
    .map(({ operationId, sequence, type, stage }) => {
      return `event ${sequence} of operation ${operationId}, ${type} ${stage}, was written while nobody had it`;
    });
}
