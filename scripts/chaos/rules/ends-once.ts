import { stateAfter } from '../../../src/domain/operation-event.ts';
import type { History } from '../history.ts';

/** One end in the row, and one in the history, which is the last event and tells the same. */
export function endsOnce({ operations, events }: History): readonly string[] {
  const byOperation = Map.groupBy(events, ({ operationId }) => operationId);
  return operations.flatMap(({ id, kind, state, endings }) => {
    const broken: string[] = [];
    const own = byOperation.get(id) ?? [];
    const ends = own.filter(({ type }) => stateAfter(type) !== 'InProgress');
    const expected = state === 'InProgress' ? 0 : 1;
    if (endings.length !== expected) broken.push(`${kind} ${id} is ${state} and was ended ${endings.length} times`);
    if (ends.length !== expected) {
      broken.push(`${kind} ${id} is ${state} and has the ends ${ends.map(({ type }) => type).join(', ') || 'none'}`);
    }
    const last = own.at(-1);
    if (expected === 1 && last && stateAfter(last.type) !== state) {
      broken.push(`${kind} ${id} is ${state}, and its last event is ${last.type}`);
    }
    return broken;
  });
}
