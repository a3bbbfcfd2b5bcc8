import type { History } from './history.ts';
import { actsOnlyWhileHeld } from './rules/acts-only-while-held.ts';
import { commitsOnlyWhileHeld } from './rules/commits-only-while-held.ts';
import { endsOnce } from './rules/ends-once.ts';
import { eventsInOrder } from './rules/events-in-order.ts';
import { failsForAReason } from './rules/fails-for-a-reason.ts';
import { nothingLeftBehind } from './rules/nothing-left-behind.ts';
import { nothingLost } from './rules/nothing-lost.ts';
import { nothingTwice } from './rules/nothing-twice.ts';
import { oneAtATime } from './rules/one-at-a-time.ts';
import { takenOverInTime } from './rules/taken-over-in-time.ts';

/** Says of each place where a history breaks it what is wrong there, a line each. */
export type Rule = (history: History) => readonly string[];

/** What must hold whatever happens. */
export const rules = {
  'no operation is lost': nothingLost,
  'nothing is accepted twice': nothingTwice,
  'every operation ends once': endsOnce,
  'no operation fails because of what was done to the service': failsForAReason,
  'operations of one Runtime never overlap': oneAtATime,
  'events are in order and without gaps': eventsInOrder,
  'nothing is sent outside by a run that does not hold its operation': actsOnlyWhileHeld,
  'nothing is committed by a run that does not hold its operation': commitsOnlyWhileHeld,
  'operations of a dead replica are taken over in time': takenOverInTime,
  'outside exists what is stored, and nothing else': nothingLeftBehind,
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;

export interface Violation {
  readonly rule: RuleName;
  readonly what: string;
}

export function checkHistory(history: History): readonly Violation[] {
  return Object.entries(rules).flatMap(([rule, check]) =>
    check(history).map((what) => ({ rule: rule as RuleName, what })),
  );
}
