import { type DeadlineName, type Deadlines, deadlineNames } from '../../../src/domain/flow.ts';

/** A minute for everything that is not given. */
export function deadlines(some: Partial<Record<DeadlineName, number>> = {}): Deadlines {
  const all = Object.fromEntries(deadlineNames.map((name) => [name, 60_000])) as Record<DeadlineName, number>;
  return { ...all, ...some };
}
