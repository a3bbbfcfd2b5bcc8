import type { EventRecord, History, Hold, OperationRecord } from './history.ts';

/** How an operation came to its end once nothing was done to the service any more. */
export interface Recovery {
  readonly operation: OperationRecord;
  /** From the last fault, or from its acceptance after that, to its end; undefined when it has none. In milliseconds. */
  readonly took: number | undefined;
  /** Where it stood for longest meanwhile. */
  readonly longest: Standstill;
}

interface Standstill {
  readonly millis: number;
  /** The process that had it; undefined: nobody. */
  readonly process: number | undefined;
  /** What its history told last. */
  readonly after: EventRecord | undefined;
}

/** The operations that took longest after the last fault, those first that have not ended. */
export function slowestRecoveries(history: History, count: number): readonly Recovery[] {
  const { operations, events, holds, disturbances, working } = history;
  const calmSince = Math.max(0, ...disturbances.map(({ to }) => to));
  const eventsOf = Map.groupBy(events, ({ operationId }) => operationId);
  const holdsOf = Map.groupBy(holds, ({ operationId }) => operationId);
  const lastKnown = Math.max(calmSince, ...working.map(({ to }) => to));
  return operations
    .flatMap((operation): Recovery[] => {
      const from = Math.max(calmSince, operation.appearedAt);
      const [endedAt] = operation.endings;
      if (endedAt !== undefined && endedAt <= from) return [];
      const own = { events: eventsOf.get(operation.id) ?? [], holds: holdsOf.get(operation.id) ?? [] };
      const longest = longestStandstill({ ...own, from, to: endedAt ?? lastKnown });
      return [{ operation, took: endedAt === undefined ? undefined : endedAt - from, longest }];
    })
    .toSorted((one, other) => tookOf(other) - tookOf(one))
    .slice(0, count);
}

export function describeRecovery({ operation, took, longest }: Recovery): string {
  const { kind, id } = operation;
  const { process, after } = longest;
  const words = took === undefined ? 'has not ended' : `ended ${seconds(took)} after the last fault`;
  const who = process === undefined ? 'nobody had it' : `process ${process} had it`;
  const what =
    after === undefined ? 'its acceptance' : `${after.type} ${after.stage}${after.message && `: ${after.message}`}`;
  return `${kind} ${id} ${words}; for ${seconds(longest.millis)} of them ${who}, after ${what}`;
}

function tookOf({ took }: Recovery): number {
  return took ?? Number.POSITIVE_INFINITY;
}

function longestStandstill(own: {
  readonly events: readonly EventRecord[];
  readonly holds: readonly Hold[];
  readonly from: number;
  readonly to: number;
}): Standstill {
  const { events, holds, from, to } = own;
  const edges = [...events.map(({ at }) => at), ...holds.flatMap((hold) => [hold.from, hold.to ?? to])];
  const times = [from, ...edges.filter((time) => time > from && time < to).toSorted((one, other) => one - other), to];
  const stretches = times.slice(1).map((end, index) => ({ begin: times[index] ?? end, end }));
  const { begin, end } = stretches.reduce(
    (one, other) => (other.end - other.begin > one.end - one.begin ? other : one),
    {
      begin: from,
      end: from,
    },
  );
  const holder = holds.find((hold) => hold.from <= begin && (hold.to ?? to) > begin);
  return { millis: end - begin, process: holder?.process, after: events.findLast(({ at }) => at <= begin) };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
