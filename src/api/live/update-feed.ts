import { operationEventChannel } from '../../db/channels.ts';
import type { Database } from '../../db/database.ts';
import { Listener } from '../../db/listener.ts';
import { beginToFollow } from '../../db/queries/begin-to-follow.ts';
import { type PlacedUpdate, readNewUpdates } from '../../db/queries/follow-updates.ts';
import type { Snapshot } from '../../db/snapshot.ts';
import type { Logger } from '../../domain/logger.ts';
import { atMost } from './at-most.ts';
import { Follower } from './follower.ts';
import { type Track, topicsOf } from './track.ts';

/** More at once are not handed round: every subscriber reads its own. */
const mostAtOnce = 1_000;
/** Reads of subscribers that are behind; they leave most of the connections to requests. */
const readsAtOnce = 3;
/** Between two reads: what happens within is read together. */
const gatherMillis = 10;
const retryMillis = 500;
/** In case a notification was lost. */
const pollMillis = 30_000;

/**
 * What happens, handed to the subscriptions of this process as it is committed, on whatever replica.
 *
 * `idle ⇄ following → stopped`. It listens from the first subscriber on. A notification makes it read once, however many
 * subscribe: what has been committed since the snapshot that it read before, of all operations. So nothing is left out
 * that was written before and committed after something else, and nobody waits for a transaction that takes long. While
 * nothing happens or nobody subscribes, there is no query but the poll.
 */
export class UpdateFeed {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #listener: Listener;
  readonly #followers = new Map<string, Set<Follower<unknown>>>();
  readonly #inTurn = atMost(readsAtOnce);
  /** All that it shows has been handed round. None while nobody subscribes. */
  #snapshot: Snapshot | undefined;
  #beginning: Promise<Snapshot> | undefined;
  #reading = false;
  #readAgain = false;
  #poll: NodeJS.Timeout | undefined;
  #pause: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor({ database, log }: { database: Database; log: Logger }) {
    this.#database = database;
    this.#log = log;
    this.#listener = new Listener({
      ...{ database, channels: [operationEventChannel], log },
      onNotification: () => this.#wake(),
      onUp: () => this.#wake(),
      onDown: () => log.warn({}, 'not listening to the database; live updates wait'),
    });
  }

  /** How many subscriptions there are. */
  get size(): number {
    let size = 0;
    for (const followers of this.#followers.values()) size += followers.size;
    return size;
  }

  /** Ends when the track ends, when it is returned from, or when the feed stops. */
  follow<Item>(track: Track<Item>): Follower<Item> {
    const follower: Follower<Item> = new Follower<Item>({
      track,
      prepare: () => this.begin(),
      read: (work) => this.#inTurn(work),
      onEnd: () => this.#remove(follower as Follower<unknown>),
    });
    if (this.#stopped) {
      void follower.return();
      return follower;
    }
    const followers = this.#followers.get(track.topic) ?? new Set();
    this.#followers.set(track.topic, followers.add(follower as Follower<unknown>));
    this.#listener.start();
    this.#poll ??= setInterval(() => this.#wake(), pollMillis).unref();
    return follower;
  }

  /** What a subscriber reads after this does not show is handed round; so is at least what the answer does not show. */
  async begin(): Promise<Snapshot> {
    if (this.#snapshot !== undefined) return this.#snapshot;
    this.#beginning ??= beginToFollow({ database: this.#database })
      .then((snapshot) => {
        this.#snapshot ??= snapshot;
        return this.#snapshot;
      })
      .finally(() => {
        this.#beginning = undefined;
      });
    return this.#beginning;
  }

  /** Ends all subscriptions. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    clearTimeout(this.#pause);
    for (const followers of [...this.#followers.values()]) {
      for (const follower of [...followers]) await follower.return();
    }
    await this.#listener.close();
  }

  #remove(follower: Follower<unknown>): void {
    const followers = this.#followers.get(follower.topic);
    followers?.delete(follower);
    if (followers?.size === 0) this.#followers.delete(follower.topic);
    if (this.#followers.size === 0) this.#snapshot = undefined;
  }

  #wake(): void {
    if (this.#stopped || this.#snapshot === undefined) return;
    if (this.#reading) {
      this.#readAgain = true;
      return;
    }
    this.#reading = true;
    this.#readAgain = false;
    void this.#read().then((pauseMillis) => {
      this.#pause = setTimeout(() => {
        this.#reading = false;
        if (this.#readAgain) this.#wake();
      }, pauseMillis);
    });
  }

  /** Answers for how long not to read again. Never throws. */
  async #read(): Promise<number> {
    const from = this.#snapshot;
    if (from === undefined) return 0;
    try {
      const page = await readNewUpdates({ database: this.#database, from, limit: mostAtOnce });
      if (this.#followers.size === 0) return 0;
      this.#snapshot = page.snapshot;
      if (page.more) this.#allFallBehind();
      else this.#handRound(from, page.snapshot, page.updates);
      return gatherMillis;
    } catch (error) {
      this.#log.warn({ error: (error as Error).message, retryInMillis: retryMillis }, 'cannot read live updates');
      this.#readAgain = true;
      return retryMillis;
    }
  }

  #handRound(from: Snapshot, to: Snapshot, updates: readonly PlacedUpdate[]): void {
    const ofTopics = new Map<string, PlacedUpdate[]>();
    for (const update of updates) {
      for (const topic of topicsOf(update)) {
        if (!this.#followers.has(topic)) continue;
        const ofTopic = ofTopics.get(topic);
        if (ofTopic === undefined) ofTopics.set(topic, [update]);
        else ofTopic.push(update);
      }
    }
    for (const [topic, ofTopic] of ofTopics) {
      const batch = { from, to, updates: ofTopic };
      for (const follower of this.#followers.get(topic) ?? []) follower.offer(batch);
    }
  }

  #allFallBehind(): void {
    for (const followers of this.#followers.values()) {
      for (const follower of followers) follower.fallBehind();
    }
  }
}
