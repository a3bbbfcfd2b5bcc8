import type { Pace } from '../domain/outcome.ts';

/** All in milliseconds. */
export interface EngineTiming {
  /** Between two signs of life. */
  readonly beat: number;
  /** Notifications of due operations are gathered until none came for `pause`, and no longer than `atMost`. */
  readonly gather: { readonly pause: number; readonly atMost: number };
  /** A replica that gave no sign of life for so long loses its operations. */
  readonly lease: number;
  /** After a throw: the first pause, doubled with each throw in a row up to the longest. */
  readonly retry: Pace;
  /** What a look gets that begins after the stage's deadline: the world may have become ready meanwhile. */
  readonly lastLook: number;
  /** How long a stage may take to end after its signal has aborted, before it is not waited for any more. */
  readonly abortGrace: number;
  /** How long telling the outside world of a failure may take. */
  readonly failureReport: number;
  /** How long finding out what a cancelled operation leaves may take. */
  readonly leftovers: number;
  /** For how long an operation at a stage that this version does not know is left to newer ones. */
  readonly strangeStage: number;
}

export const defaultTiming: EngineTiming = {
  beat: 3_000,
  gather: { pause: 40, atMost: 200 },
  lease: 10_000,
  retry: { from: 1_000, upTo: 60_000 },
  lastLook: 10_000,
  abortGrace: 5_000,
  failureReport: 10_000,
  leftovers: 5_000,
  strangeStage: 600_000,
};

const longestSpread = 60_000;

/** Before the next look in a stage that has had `looks` already. */
export function paceDelay({ from, upTo }: Pace, looks: number): number {
  return Math.min(upTo, from * 1.5 ** Math.min(looks, 60));
}

/** Before the next try after `failures` throws in a row; spread by a quarter, so that what failed together parts. */
export function retryDelay({ from, upTo }: Pace, failures: number, random: number): number {
  return Math.min(upTo, from * 2 ** Math.min(failures - 1, 60)) * (0.75 + random / 2);
}

/**
 * Before the next try when whoever refused the last one has said when to come back: no sooner, and the more spread out
 * the more often it refused, so that those who were refused together come back apart; by a minute at most.
 */
export function politeDelay(retryAfter: number, failures: number, random: number): number {
  return retryAfter + Math.min((retryAfter * Math.min(failures, 8)) / 2, longestSpread) * random;
}

/** As Go writes it: `250ms`, `1.5s`, `10m`, `1h30m`. */
export function formatMillis(millis: number): string {
  if (millis < 1_000) return `${Math.round(millis)}ms`;
  const hours = Math.floor(millis / 3_600_000);
  const minutes = Math.floor((millis % 3_600_000) / 60_000);
  const seconds = Math.round(millis % 60_000) / 1_000;
  return [hours > 0 && `${hours}h`, minutes > 0 && `${minutes}m`, seconds > 0 && `${seconds}s`]
    .filter(Boolean)
    .join('');
}
