import type { History } from '../history.ts';

/** Numbers 1, 2, 3 and so on, as many as the operation counts, in the order in which all events are followed. */
export function eventsInOrder({ operations, events }: History): readonly string[] {
  const byOperation = Map.groupBy(events, ({ operationId }) => operationId);
  return operations.flatMap(({ id, kind, events: counted }) => {
    const own = byOperation.get(id) ?? [];
    const numbers = own.map(({ sequence }) => sequence);
    const what = `${kind} ${id}`;
    const broken: string[] = [];
    if (numbers.some((number, index) => number !== index + 1))
      broken.push(`${what} has the events ${numbers.join(', ')}`);
    if (numbers.length !== counted) broken.push(`${what} counts ${counted} events and has ${numbers.length}`);
    if (own[0]?.type !== 'Accepted') broken.push(`${what} begins with ${own[0]?.type ?? 'nothing'}`);
    const backwards = own.find(({ position }, index) => position < (own[index - 1]?.position ?? position));
    if (backwards) broken.push(`${what}: event ${backwards.sequence} is followed before the one before it`);
    return broken;
  });
}
