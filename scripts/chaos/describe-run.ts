import type { Violation } from './check-history.ts';
import { takeoverLimit, takeovers } from './rules/taken-over-in-time.ts';
import type { ChaosRun } from './run-chaos.ts';
import { describeRecovery, slowestRecoveries } from './slowest-recoveries.ts';
import { writtenFor } from './written-for.ts';

const shown = 10;

/** The figures of a run, and what it broke. */
export function describeRun({ history, journal, notMade, took }: ChaosRun, violations: readonly Violation[]): string {
  const { operations, disturbances, runtimes, holds, sent } = history;
  const runtimeOf = writtenFor(runtimes);
  const taken = takeovers(history).toSorted((one, other) => other.undisturbed - one.undisturbed);
  const [slowest] = taken;
  const ends = operations.map(({ state, cancelled }) => (state === 'Failed' && cancelled ? 'Cancelled' : state));
  const lines = [
    `${operations.length} operations of ${runtimes.length} Runtimes in ${(took / 1_000).toFixed(0)} s`,
    `  by kind: ${counted(operations.map(({ kind }) => kind))}`,
    `  by end: ${counted(ends)}`,
    `${disturbances.length} faults: ${counted(disturbances.map(({ kind }) => kind))}; ${notMade} could not be made`,
    `${holds.length} claims, ${sent.filter((request) => runtimeOf(request) !== undefined).length} requests with an effect outside`,
    `${taken.length} operations taken over${slowest ? `; the slowest after ${slowest.undisturbed} ms (at most ${takeoverLimit})` : ''}`,
    'the slowest after the last fault:',
    ...slowestRecoveries(history, shown).map((recovery) => `  ${describeRecovery(recovery)}`),
    `requests sent again: ${counted([...journal.resent].flatMap(([why, count]) => Array.from({ length: count }, () => why)))}`,
    `orders refused: ${counted(journal.refusals.map(({ code }) => code))}`,
    ...journal.refusals.map(({ order, code, message }) => `  ${order}: ${code}: ${message}`),
    ...journal.complaints.map((complaint) => `WRONG: ${complaint}`),
    ...violations.map(({ rule, what }) => `BROKEN: ${rule}: ${what}`),
  ];
  return lines.join('\n');
}

function counted(values: readonly string[]): string {
  const counts = Map.groupBy(values, (value) => value);
  const words = [...counts].toSorted(([, one], [, other]) => other.length - one.length);
  return words.map(([value, { length }]) => `${length} ${value}`).join(', ') || 'none';
}
