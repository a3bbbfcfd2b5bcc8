import type { Disturbance, FaultKind, History, Hold, Stretch } from '../history.ts';

/** In milliseconds. */
export const takeoverLimit = 15_000;
/** A commit that was on its way still lands. */
const inFlight = 300;
const deadly: ReadonlySet<FaultKind> = new Set(['kill', 'zombie', 'postgres-restart-in-recovery']);
const databaseFaults: ReadonlySet<FaultKind> = new Set([
  'postgres-restart',
  'postgres-kill',
  'postgres-restart-in-recovery',
]);

/** What became of an operation whose replica died or froze. */
export interface Takeover {
  readonly operationId: string;
  readonly process: number;
  readonly diedAt: number;
  /** Undefined: nobody has claimed it. */
  readonly claimedAt: number | undefined;
  /** The longest time before that in which the database was there and another replica at work, in milliseconds. */
  readonly undisturbed: number;
}

/**
 * Measured from the death to the next claim. While the database is away too, or no other replica is at work, nobody can
 * take over; what counts is the longest stretch without such a hindrance.
 */
export function takenOverInTime(history: History): readonly string[] {
  return takeovers(history)
    .filter(({ claimedAt, undisturbed }) => claimedAt === undefined || undisturbed > takeoverLimit)
    .map(({ operationId, process, claimedAt, diedAt, undisturbed }) => {
      const words = claimedAt === undefined ? 'was never claimed again' : `was claimed after ${claimedAt - diedAt} ms`;
      return `operation ${operationId} of process ${process} ${words}, ${undisturbed} ms of them undisturbed`;
    });
}

export function takeovers({ disturbances, holds, working, operations }: History): Takeover[] {
  const ended = new Map(operations.map(({ id, endings }) => [id, endings[0]]));
  const byOperation = Map.groupBy(holds, ({ operationId }) => operationId);
  return disturbances
    .filter(({ kind, process }) => deadly.has(kind) && process !== undefined)
    .flatMap(({ process = 0, from: diedAt }) =>
      holds
        .filter((hold) => isCutOff(hold, process, diedAt))
        .map(({ operationId }) => ({ operationId, process, diedAt })),
    )
    .map((death) => {
      const { operationId, diedAt, process } = death;
      const next = (byOperation.get(operationId) ?? [])
        .filter((hold) => hold.from > diedAt)
        .toSorted((one, other) => one.from - other.from)[0];
      const claimedAt = next?.from ?? ended.get(operationId);
      const until = claimedAt ?? Number.POSITIVE_INFINITY;
      return {
        ...death,
        claimedAt,
        undisturbed: longestCalm({ from: diedAt, to: until }, process, working, disturbances),
      };
    });
}

function isCutOff({ process, from, to = Number.POSITIVE_INFINITY }: Hold, dead: number, diedAt: number): boolean {
  return process === dead && from <= diedAt && to > diedAt + inFlight;
}

function longestCalm(
  { from, to }: Stretch,
  dead: number,
  working: readonly Stretch[],
  disturbances: readonly Disturbance[],
): number {
  const others = working.filter(({ process }) => process !== dead);
  const outages = disturbances.filter(({ kind }) => databaseFaults.has(kind));
  const edges = [...others, ...outages].flatMap((stretch) => [stretch.from, stretch.to]);
  const times = [from, ...edges.filter((time) => time > from && time < to).toSorted((a, b) => a - b), to];
  let longest = 0;
  let current = 0;
  for (const [index, begin] of times.slice(0, -1).entries()) {
    const end = times[index + 1] ?? begin;
    const middle = (begin + Math.min(end, begin + 1e9)) / 2;
    const covers = (stretch: Stretch) => stretch.from <= middle && middle <= stretch.to;
    const calm = others.some(covers) && !outages.some(covers);
    current = calm ? current + end - begin : 0;
    longest = Math.max(longest, current);
  }
  return Math.round(longest);
}
