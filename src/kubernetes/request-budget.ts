import type { Clock } from '../domain/clock.ts';

export interface RequestBudgetSettings {
  /** Requests in the long run. */
  readonly perSecond: number;
  /** Requests that may go at once after a time of rest. */
  readonly burst: number;
  readonly clock?: Clock;
}

/** A clock that is set back must not hold requests up. */
const steadyClock: Clock = { now: () => performance.now() };

interface Waiting {
  readonly go: () => void;
}

/**
 * How often an upstream may be asked: a token bucket. Parties take turns, so that the thousand requests of one do not
 * stand before the only one of another; those of one party go in the order in which they came. In no stretch of time go
 * more requests than `burst` and `perSecond` for each second of it.
 */
export class RequestBudget {
  readonly #perMillisecond: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** Each party with its requests, none of them empty; the first one is the next. */
  readonly #queues = new Map<string, Set<Waiting>>();
  #tokens: number;
  /** When `#tokens` was right; in the future while the upstream wants to be left alone. */
  #countedAt: number;
  #timer: NodeJS.Timeout | undefined;

  constructor({ perSecond, burst, clock = steadyClock }: RequestBudgetSettings) {
    this.#perMillisecond = perSecond / 1_000;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#countedAt = clock.now();
  }

  /** Requests that wait for their turn. */
  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** False when a request would have to wait. */
  takeNow(): boolean {
    this.#count();
    if (this.#queues.size > 0 || this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Resolves when a request may go. An abort gives the place in the queue to the next, and throws its reason. */
  take({ signal, party = '' }: { signal?: AbortSignal | undefined; party?: string } = {}): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.takeNow()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const abort = () => {
        queue.delete(waiting);
        if (queue.size === 0) this.#queues.delete(party);
        this.#arm();
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        go: () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      const queue = this.#queues.get(party) ?? new Set();
      this.#queues.set(party, queue.add(waiting));
      this.#arm();
    });
  }

  /** The upstream wants to be left alone for so long. After that requests go one by one, not all at once. */
  pause(milliseconds: number): void {
    this.#count();
    this.#tokens = 0;
    this.#countedAt = Math.max(this.#countedAt, this.#clock.now() + milliseconds);
    this.#arm();
  }

  /** Adds what has come since the last count. */
  #count(): void {
    const now = this.#clock.now();
    const passed = now - this.#countedAt;
    if (passed <= 0) return;
    this.#tokens = Math.min(this.#burst, this.#tokens + passed * this.#perMillisecond);
    this.#countedAt = now;
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#queues.size === 0) return;
    const untilCounted = Math.max(0, this.#countedAt - this.#clock.now());
    const untilToken = Math.max(0, 1 - this.#tokens) / this.#perMillisecond;
    this.#timer = setTimeout(() => this.#serve(), Math.ceil(untilCounted + untilToken));
  }

  #serve(): void {
    this.#count();
    for (const [party, queue] of this.#queues) {
      if (this.#tokens < 1) break;
      const [next] = queue;
      if (next === undefined) continue;
      this.#tokens -= 1;
      queue.delete(next);
      // Whoever has had a turn stands behind all others.
      this.#queues.delete(party);
      if (queue.size > 0) this.#queues.set(party, queue);
      next.go();
    }
    this.#arm();
  }
}
