import type pg from 'pg';
import type { Logger } from '../domain/logger.ts';
import type { Database } from './database.ts';
import { pause } from './pause.ts';

export interface ListenerOptions {
  readonly database: Database;
  readonly channels: readonly string[];
  readonly onNotification: (channel: string, payload: string) => void;
  /** Listening (again). Whatever was announced while it was down was missed: look for it. */
  readonly onUp: () => void;
  /** Not listening any more; connecting again has begun. */
  readonly onDown: () => void;
  readonly log: Logger;
}

const longestPause = 5_000;
/** A connection that died without a word is found out by asking. */
const checkMillis = 15_000;

/**
 * Hears notifications over one connection of its own.
 *
 * `stopped → connecting → listening → connecting → … → stopped`. It connects again, with growing pauses, for as long
 * as it is not closed.
 */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #stop = new AbortController();
  #loop: Promise<void> | undefined;
  #listening = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  get listening(): boolean {
    return this.#listening;
  }

  start(): void {
    this.#loop ??= this.#listenForever();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #listenForever(): Promise<void> {
    const { log, onDown } = this.#options;
    const { signal } = this.#stop;
    let delay = 100;
    while (!signal.aborted) {
      try {
        await this.#listenOnce();
        delay = 100;
      } catch (error) {
        log.warn({ error: (error as Error).message, retryInMillis: delay }, 'cannot listen to the database');
      }
      if (this.#listening) {
        this.#listening = false;
        if (!signal.aborted) onDown();
      }
      await pause(delay, signal).catch(() => {});
      delay = Math.min(delay * 2, longestPause);
    }
  }

  /** Resolves when the connection is lost or `close` was called; throws when it cannot be made. */
  async #listenOnce(): Promise<void> {
    const { database, channels, onNotification, onUp } = this.#options;
    const { signal } = this.#stop;
    const client = await database.connect();
    try {
      const ended = new Promise<void>((resolve) => {
        client.once('end', resolve);
        client.once('error', () => resolve());
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      client.on('notification', ({ channel, payload }) => onNotification(channel, payload ?? ''));
      for (const channel of channels) await client.query(`LISTEN ${channel}`);
      if (signal.aborted) return;
      this.#listening = true;
      onUp();
      const check = setInterval(() => checkAlive(client), checkMillis);
      await ended;
      clearInterval(check);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** A failed check makes the client emit its end. */
function checkAlive(client: pg.Client): void {
  client.query('SELECT 1').catch(() => client.end().catch(() => {}));
}
