import { DatabaseUnavailable } from '../../db/database-unavailable.ts';
import { pause } from '../../db/pause.ts';
import type { Batch, Step, Track } from './track.ts';

/** Updates that may wait for a subscriber. One that takes them more slowly reads them from the database instead. */
const mostWaiting = 256;
const longestPause = 2_000;

/**
 * One subscription, taken from as fast as its client reads.
 *
 * `behind ⇄ live → ended`. While it is behind, it reads from the database; batches that are offered meanwhile are kept,
 * and bring it to the present without a gap. While it is live, batches are all it needs. When too many wait, they are
 * dropped and it is behind again, so that a client that does not read costs a bounded amount of memory and no query.
 *
 * `next` is called again only after it has answered, as `for await` does.
 */
export class Follower<Item> implements AsyncIterableIterator<Item, undefined> {
  readonly topic: string;
  readonly #track: Track<Item>;
  readonly #prepare: () => Promise<unknown>;
  readonly #read: (work: () => Promise<Step<Item>>) => Promise<Step<Item>>;
  readonly #onEnd: () => void;
  readonly #closing = new AbortController();
  #items: Item[] = [];
  #batches: Batch[] = [];
  #waiting = 0;
  #phase: 'behind' | 'live' | 'ended' = 'behind';
  /** Grows when batches are dropped: a read from before does not make up for them. */
  #dropped = 0;
  #wake: (() => void) | undefined;

  constructor(options: {
    readonly track: Track<Item>;
    /** Resolves when batches are offered from some moment on. */
    readonly prepare: () => Promise<unknown>;
    /** Keeps reads of many subscriptions apart. */
    readonly read: (work: () => Promise<Step<Item>>) => Promise<Step<Item>>;
    readonly onEnd: () => void;
  }) {
    this.#track = options.track;
    this.#prepare = options.prepare;
    this.#read = options.read;
    this.#onEnd = options.onEnd;
    this.topic = options.track.topic;
  }

  /** How many updates wait for it in memory. */
  get waiting(): number {
    return this.#waiting;
  }

  /** What has happened now. */
  offer(batch: Batch): void {
    if (this.#waiting + batch.updates.length > mostWaiting) {
      this.fallBehind();
      return;
    }
    this.#batches.push(batch);
    this.#waiting += batch.updates.length;
    this.#wake?.();
  }

  /** What has happened now has to be read from the database. */
  fallBehind(): void {
    this.#batches = [];
    this.#waiting = 0;
    this.#dropped += 1;
    if (this.#phase === 'live') this.#phase = 'behind';
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<Item, undefined>> {
    while (!this.#closing.signal.aborted) {
      const item = this.#items.shift();
      if (item !== undefined) return { done: false, value: item };
      if (this.#phase === 'ended') break;
      if (this.#phase === 'behind') await this.#catchUp();
      else await this.#takeBatch();
    }
    return this.return();
  }

  /** Ends the subscription, also while `next` waits. */
  async return(): Promise<IteratorResult<Item, undefined>> {
    this.#closing.abort(new Error('the subscription has ended'));
    this.#items = [];
    this.#batches = [];
    this.#wake?.();
    this.#onEnd();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<Item, undefined>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  /** A database that is away is waited for: nothing is lost by it. */
  async #catchUp(): Promise<void> {
    const { signal } = this.#closing;
    for (let delay = 50; !signal.aborted; delay = Math.min(delay * 2, longestPause)) {
      try {
        await this.#prepare();
        const dropped = this.#dropped;
        const { items, phase } = await this.#read(() => this.#track.read());
        this.#items.push(...items);
        this.#phase = phase === 'live' && dropped !== this.#dropped ? 'behind' : phase;
        return;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) {
          if (!signal.aborted) await this.return();
          throw error;
        }
      }
      await pause(delay, signal).catch(() => undefined);
    }
  }

  async #takeBatch(): Promise<void> {
    const batch = this.#batches.shift();
    if (batch === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
      return;
    }
    this.#waiting -= batch.updates.length;
    const { items, phase } = this.#track.take(batch);
    this.#items.push(...items);
    this.#phase = phase;
  }
}
