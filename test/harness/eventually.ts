import { setTimeout as delay } from 'node:timers/promises';

const patience = 60_000;

/**
 * Waits until `look` answers something other than undefined or false, and answers that. Fails with `what` and the last
 * error when it takes longer than `within` milliseconds (60 s): a bound against hanging, not an expectation of speed.
 */
export async function eventually<Answer>(
  what: string,
  look: () => Promise<Answer | undefined | false> | Answer | undefined | false,
  { within = patience, every = 20 }: { within?: number; every?: number } = {},
): Promise<Answer> {
  const startedAt = performance.now();
  for (;;) {
    let lastError: unknown;
    try {
      const answer = await look();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() - startedAt > within) {
      throw new Error(`waited ${within / 1000} s for: ${what}`, { cause: lastError });
    }
    await delay(every);
  }
}
