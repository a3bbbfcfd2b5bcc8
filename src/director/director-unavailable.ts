/**
 * What is known of the effect of a call that failed:
 * `not-done`: the Director never took it on; `answered`: the Director has ended its work on it, so what it did can be
 * looked up; `unknown`: it may still be at work, so that finding nothing now proves nothing.
 */
export type Fate = 'not-done' | 'answered' | 'unknown';

/** The Director could not be reached, is too busy, or its answer was lost. It may heal: try again later. */
export class DirectorUnavailable extends Error {
  override readonly name = 'DirectorUnavailable';
  readonly fate: Fate;
  /** How long the Director asked us to stay away. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(message: string, details: { fate: Fate; retryAfterMilliseconds?: number; cause?: unknown }) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.fate = details.fate;
    this.retryAfterMilliseconds = details.retryAfterMilliseconds;
  }
}
