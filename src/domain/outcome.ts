import type { Failure, FailureCode } from './failures.ts';
import type { RuntimeChanges } from './runtime.ts';

/** Names something outside whose change is worth another look, such as `shoot:garden-dev/c-1a2b3c4`. */
export type WakeKey = string;

/**
 * When to look again if nothing wakes the operation first, in milliseconds. The engine starts at `from` and grows by
 * half with each look in the same stage, up to `upTo`.
 */
export interface Pace {
  readonly from: number;
  readonly upTo: number;
}

/** For stages that an event wakes: the look is only the safety net. */
export const whenWoken: Pace = { from: 30_000, upTo: 120_000 };
/** For stages that observe a cluster directly: quick at first, for what is nearly done. */
export const observing: Pace = { from: 40, upTo: 5_000 };

/** Something in the way of what is waited for: it is told as the cause when the time limit passes meanwhile. */
export interface Obstacle {
  /** TIMEOUT when not given. */
  readonly code?: FailureCode;
  /** The code(s) of whoever knows of it, such as `ERR_INFRA_RESOURCES_DEPLETED`. */
  readonly reason?: string;
  readonly nextStep?: string;
}

/** What a stage found: finished, still waiting, or failed for good. A throw means: transient, try again. */
export type Outcome =
  | { readonly kind: 'done'; readonly message?: string; readonly runtime?: RuntimeChanges }
  | {
      readonly kind: 'wait';
      /** What the caller reads meanwhile. */
      readonly message: string;
      /** 0 to 100, of this stage. */
      readonly progress?: number;
      readonly obstacle?: Obstacle | undefined;
      readonly wakeOn?: WakeKey;
      readonly lookAgain: Pace;
      readonly runtime?: RuntimeChanges;
    }
  | { readonly kind: 'fail'; readonly failure: Failure };

type Waiting = Extract<Outcome, { kind: 'wait' }>;

/** `runtime` holds what became known of the Runtime; it is stored in the same commit. */
export function done(details: { message?: string; runtime?: RuntimeChanges } = {}): Outcome {
  return { kind: 'done', ...details };
}

export function wait(details: Omit<Waiting, 'kind'>): Outcome {
  return { kind: 'wait', ...details };
}

export function fail(failure: Failure): Outcome {
  return { kind: 'fail', failure };
}
