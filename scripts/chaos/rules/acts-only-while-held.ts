import type { History, Hold } from '../history.ts';
import { writtenFor } from '../written-for.ts';

/** Of the clocks: a request's time is cut to the millisecond. */
const tolerance = 2;

/**
 * A request with an effect leaves a process only while the database says that this process has an operation of the
 * Runtime that it is for. A process that was frozen and given up may not act on what it knew before.
 */
export function actsOnlyWhileHeld({ sent, runtimes, holds }: History): readonly string[] {
  const runtimeOf = writtenFor(runtimes);
  const byRuntime = Map.groupBy(holds, ({ runtimeId }) => runtimeId);
  return sent.flatMap((request) => {
    const runtimeId = runtimeOf(request);
    if (runtimeId === undefined) return [];
    const { at, process, method, url, mutation } = request;
    const ofProcess = (byRuntime.get(runtimeId) ?? []).filter((hold) => hold.process === process);
    if (ofProcess.some((hold) => isWithin(at, hold))) return [];
    const last = ofProcess.filter(({ from }) => from <= at).at(-1);
    const lost = last?.to === undefined ? 'never had it' : `had let go of it ${Math.round(at - last.to)} ms before`;
    return [`process ${process} sent ${mutation ?? `${method} ${url}`} for Runtime ${runtimeId} and ${lost}`];
  });
}

function isWithin(at: number, { from, to = Number.POSITIVE_INFINITY }: Hold): boolean {
  return at >= from - tolerance && at <= to + tolerance;
}
