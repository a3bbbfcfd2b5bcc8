import { Failure, waitedOut } from '../domain/failures.ts';
import { fail, type Obstacle, type Outcome } from '../domain/outcome.ts';
import { retryAfterOf } from '../domain/retry-after.ts';
import { describeError } from './describe-error.ts';
import { type AbortReason, RunAbort } from './run-abort.ts';
import type { Answer } from './transition.ts';

/** The stage was told to end, and it left no answer. */
export interface Interrupted {
  readonly kind: 'interrupted';
  readonly reason: Exclude<AbortReason, 'deadline'>;
}

interface LookOptions {
  readonly run: (signal: AbortSignal) => Promise<Outcome>;
  /** Aborted by others with a RunAbort; aborted here when the stage's time is over. */
  readonly controller: AbortController;
  /** The stage's deadline, and how long it is at work already. */
  readonly deadline: number;
  readonly stageMillis: number;
  /** What a look gets when the deadline has passed already. */
  readonly lastLook: number;
  /** How long an aborted stage is waited for. */
  readonly abortGrace: number;
}

/**
 * Lets a stage look once, and says what it came to. An answer counts even when it comes late: what happened, happened.
 * A Failure is final, unless it is one that is waited out; so is a deadline; anything else thrown is transient.
 */
export async function look(options: LookOptions): Promise<Answer | Interrupted> {
  const { controller, deadline, stageMillis, lastLook } = options;
  const beganAt = performance.now();
  const remaining = deadline - stageMillis;
  const time = remaining > 0 ? remaining : Math.min(lastLook, deadline);
  // Longer than a timer can be is longer than a look should take.
  const timer = setTimeout(() => controller.abort(new RunAbort('deadline')), Math.min(time, 2 ** 31 - 1));
  try {
    const result = await settle(options);
    const isOver = () => stageMillis + performance.now() - beganAt >= deadline;
    return judge(result, controller.signal, isOver, deadline);
  } finally {
    clearTimeout(timer);
  }
}

type Settled = { readonly outcome: Outcome } | { readonly error: unknown } | 'no answer';

function judge(settled: Settled, signal: AbortSignal, isOver: () => boolean, limit: number): Answer | Interrupted {
  const abort = signal.reason instanceof RunAbort ? signal.reason.reason : undefined;
  const timedOut = (lastWords: string | undefined, obstacle?: Obstacle): Answer => ({
    ...{ kind: 'timed-out', limit, lastWords, obstacle },
  });
  if (settled !== 'no answer' && 'outcome' in settled) {
    const { outcome } = settled;
    return outcome.kind === 'wait' && isOver()
      ? timedOut(outcome.message, outcome.obstacle)
      : { kind: 'outcome', outcome };
  }
  if (abort !== undefined && abort !== 'deadline') return { kind: 'interrupted', reason: abort };
  if (settled === 'no answer') return timedOut('the stage did not answer');
  const { error } = settled;
  if (abort === 'deadline') return timedOut(error instanceof RunAbort ? undefined : describeError(error).message);
  if (error instanceof Failure && !waitedOut.has(error.code)) return { kind: 'outcome', outcome: fail(error) };
  const recorded = describeError(error);
  return isOver() ? timedOut(recorded.message) : { kind: 'threw', error: recorded, retryAfter: retryAfterOf(error) };
}

/** A stage that does not end when told to is left to itself: it can commit nothing any more. */
async function settle({ run, controller, abortGrace }: LookOptions): Promise<Settled> {
  const { signal } = controller;
  let timer: NodeJS.Timeout | undefined;
  const left = new Promise<'no answer'>((resolve) => {
    const giveUp = () => {
      timer = setTimeout(() => resolve('no answer'), abortGrace);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
  const answered = Promise.try(run, signal).then(
    (outcome) => ({ outcome }),
    (error: unknown) => ({ error }),
  );
  try {
    return await Promise.race([answered, left]);
  } finally {
    clearTimeout(timer);
  }
}
