import type { Target } from './faults.ts';

export interface LoggedRequest {
  readonly at: string;
  readonly target: Target;
  readonly method: string;
  readonly path: string;
  /** 0 when the connection was broken instead of an answer. */
  readonly status: number;
}

const capacity = 10_000;

/** The last 10,000 requests, and counters of all of them by `target method`. */
export class RequestLog {
  #entries: LoggedRequest[] = [];
  readonly #counters = new Map<string, number>();

  add(entry: Omit<LoggedRequest, 'at'>): void {
    this.#entries.push({ at: new Date().toISOString(), ...entry });
    // Halving now and then costs less than a shift with every request.
    if (this.#entries.length > 2 * capacity) this.#entries = this.#entries.slice(-capacity);
    const key = `${entry.target} ${entry.method}`;
    this.#counters.set(key, (this.#counters.get(key) ?? 0) + 1);
  }

  entries(target?: Target): LoggedRequest[] {
    const last = this.#entries.slice(-capacity);
    return target === undefined ? last : last.filter((entry) => entry.target === target);
  }

  counters(): Record<string, number> {
    return Object.fromEntries([...this.#counters].sort());
  }

  clear(): void {
    this.#entries = [];
    this.#counters.clear();
  }
}
