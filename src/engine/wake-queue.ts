import type { Database } from '../db/database.ts';
import { DatabaseUnavailable } from '../db/database-unavailable.ts';
import { pause } from '../db/pause.ts';
import { wakeOperations } from '../db/queries/wake-operations.ts';
import type { Logger } from '../domain/logger.ts';
import type { WakeKey } from '../domain/outcome.ts';

const longestPause = 1_000;

/**
 * Carries wakes to the database. Those that come while one statement is on its way go together in the next, each key
 * once; while the database is away they are kept.
 */
export class WakeQueue {
  readonly #database: Database;
  readonly #closing: AbortSignal;
  readonly #log: Logger;
  #waiting = new Set<WakeKey>();
  #next: Promise<void> | undefined;
  #current: Promise<void> = Promise.resolve();

  constructor({ database, closing, log }: { database: Database; closing: AbortSignal; log: Logger }) {
    this.#database = database;
    this.#closing = closing;
    this.#log = log;
  }

  /** Resolves when the wake is stored; throws when the queue was closed before that. */
  wake(key: WakeKey): Promise<void> {
    this.#waiting.add(key);
    if (this.#next === undefined) {
      const carried = this.#current.catch(() => {}).then(() => this.#carry());
      this.#next = carried;
      // Whoever asked is told; nobody has to listen.
      carried.catch(() => {});
    }
    return this.#next;
  }

  #carry(): Promise<void> {
    const keys = [...this.#waiting];
    this.#waiting = new Set();
    this.#next = undefined;
    this.#current = this.#store(keys);
    return this.#current;
  }

  async #store(keys: readonly WakeKey[]): Promise<void> {
    for (let delay = 50; ; delay = Math.min(delay * 2, longestPause)) {
      this.#closing.throwIfAborted();
      try {
        await wakeOperations({ database: this.#database, keys });
        return;
      } catch (error) {
        const { message } = (error instanceof DatabaseUnavailable ? error.cause : error) as Error;
        this.#log.warn({ error: message, keys: keys.length }, 'cannot store wakes; trying again');
      }
      await pause(delay, this.#closing);
    }
  }
}
