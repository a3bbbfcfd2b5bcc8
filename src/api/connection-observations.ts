import type { ConnectionObservation } from '../agent/runtime-agent.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import { Failure } from '../domain/failures.ts';
import type { Logger } from '../domain/logger.ts';
import { orAbort } from '../domain/or-abort.ts';
import type { ConnectedRuntime } from './dependencies.ts';

/** What is known of a connection. */
export interface ConnectionLook {
  /** Undefined: the cluster never answered. */
  readonly last: { readonly observation: ConnectionObservation; readonly at: Date } | undefined;
  /** Why this is not of now. */
  readonly trouble: string | undefined;
}

interface Entry {
  readonly version: string;
  last: ConnectionLook['last'];
  trouble: string | undefined;
  /** Until then nobody looks again. */
  settledUntil: number;
  /** Resolves when the look is over, or has taken as long as a caller is to wait. */
  looking: Promise<void> | undefined;
}

/** In milliseconds. */
export interface LookTimes {
  /** An observation counts for so long; a connection that stands changes rarely. */
  readonly fresh: Readonly<Record<ConnectionObservation['state'], number>>;
  /** After a look that failed, for so long there is no other. */
  readonly afterFailure: number;
  /** For so long callers wait for a look, from its beginning. */
  readonly patience: number;
  /** A look that takes longer is given up. */
  readonly look: number;
}

const usualTimes: LookTimes = {
  fresh: { connected: 15_000, disconnected: 2_000, pending: 2_000 },
  afterFailure: 5_000,
  patience: 2_000,
  look: 8_000,
};
const mostRuntimes = 10_000;

/**
 * Looks at the connections of Runtime Agents as rarely as it can: a status that is asked for a thousand times in a second
 * costs its cluster one request, and a cluster that is slow or does not answer holds no caller up for long.
 */
export class ConnectionObservations {
  readonly #observe: (runtime: ConnectedRuntime, signal: AbortSignal) => Promise<ConnectionObservation>;
  readonly #times: LookTimes;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** By the Runtime's id, in the order of last use. */
  readonly #entries = new Map<string, Entry>();

  constructor({
    observe,
    times = {},
    clock = systemClock,
    log,
  }: {
    observe: (runtime: ConnectedRuntime, signal: AbortSignal) => Promise<ConnectionObservation>;
    times?: Partial<LookTimes>;
    clock?: Clock;
    log: Logger;
  }) {
    this.#observe = observe;
    this.#times = { ...usualTimes, ...times };
    this.#clock = clock;
    this.#log = log;
  }

  /** Throws nothing. `version` is another one when what was seen before may be over. */
  async look(runtime: ConnectedRuntime, version: string): Promise<ConnectionLook> {
    const entry = this.#entry(runtime.id, version);
    if (this.#clock.now() >= entry.settledUntil) {
      entry.looking ??= this.#begin(entry, runtime);
      await entry.looking;
      if (entry.looking !== undefined) {
        const trouble = `the cluster has not answered within ${this.#times.patience / 1_000} s`;
        return { last: entry.last, trouble };
      }
    }
    return { last: entry.last, trouble: entry.trouble };
  }

  #entry(id: string, version: string): Entry {
    const known = this.#entries.get(id);
    const entry =
      known?.version === version
        ? known
        : { version, last: known?.last, trouble: undefined, settledUntil: 0, looking: undefined };
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > mostRuntimes && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }

  #begin(entry: Entry, runtime: ConnectedRuntime): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const patience = setTimeout(resolve, this.#times.patience);
    void this.#lookInto(entry, runtime).then(() => {
      clearTimeout(patience);
      entry.looking = undefined;
      resolve();
    });
    return over;
  }

  async #lookInto(entry: Entry, runtime: ConnectedRuntime): Promise<void> {
    const signal = AbortSignal.timeout(this.#times.look);
    try {
      const observation = await orAbort(this.#observe(runtime, signal), signal);
      entry.last = { observation, at: new Date(this.#clock.now()) };
      entry.trouble = undefined;
      entry.settledUntil = this.#clock.now() + this.#times.fresh[observation.state];
    } catch (error) {
      this.#log.info({ err: error, runtimeId: runtime.id }, 'cannot look at the Runtime Agent connection');
      entry.trouble = error instanceof Failure ? error.message : 'the cluster does not answer';
      entry.settledUntil = this.#clock.now() + this.#times.afterFailure;
    }
  }
}
