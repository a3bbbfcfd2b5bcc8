import { DatabaseUnavailable } from '../db/database-unavailable.ts';
import { pause } from '../db/pause.ts';
import type { Logger } from '../domain/logger.ts';
import { describeError } from './describe-error.ts';

const longestPause = 1_000;
/** What the database refuses for another reason than being away, it will refuse again. */
const databaseTries = 3;

/**
 * Repeats `work` until the database answers, or `signal` aborts. What is written is guarded, so it does no harm to
 * try for longer than the operation may be ours.
 */
export async function whileDatabaseIsAway<Result>(
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
  work: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1, delay = 50; ; tries += 1, delay = Math.min(delay * 2, longestPause)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      const away = error instanceof DatabaseUnavailable;
      if (!away && tries >= databaseTries) throw error;
      log.warn({ error: describeError(away ? error.cause : error).message, tries }, 'cannot write; trying again');
    }
    await pause(delay, signal);
  }
}
