import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '../db/database.ts';
import { beat, joinReplicas, leaveReplicas, takeOver } from '../db/queries/replicas.ts';
import type { Logger } from '../domain/logger.ts';
import type { EngineEvents } from './engine-events.ts';
import type { EngineTiming } from './timing.ts';

interface ReplicaOptions {
  readonly database: Database;
  readonly timing: EngineTiming;
  readonly events: EngineEvents;
  readonly log: Logger;
  /** How many operations this process runs now; for the record only. */
  readonly running: () => number;
  /** This incarnation is dead: whatever it runs must end. */
  readonly onExpired: () => void;
  /** After each sign of life: until the next operation is due that nobody runs, and which of ours are to end. */
  readonly onBeat: (upcomingMillis: number | undefined, cancelling: readonly string[]) => void;
}

const soonAgain = 500;
/** Of the lease, after which this process gives itself up. */
const ownShare = 0.75;

/**
 * This process as the others see it: a row that says when it was last alive.
 *
 * `joining → alive → (expired → joining → alive)* → left`. An incarnation that could not say for a whole lease that it
 * lives may have been given up by the others, and one that learns that it was, is dead: its id never comes back, and the
 * process goes on under a new one. Time is measured from before a sign of life was sent, on a clock that runs on while
 * the process is frozen, so that we always give up before the others do.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  #id = randomUUID() as string;
  #state: 'joining' | 'alive' | 'left' = 'joining';
  #provenAt = Number.NEGATIVE_INFINITY;
  #beatTimer: NodeJS.Timeout | undefined;
  #leaseTimer: NodeJS.Timeout | undefined;
  #atWork: Promise<void> = Promise.resolve();

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  /** Of this incarnation. */
  get id(): string {
    return this.#id;
  }

  /** True while nobody can have given us up. */
  get alive(): boolean {
    return this.#state === 'alive' && this.#sinceProven() < this.#ownLease();
  }

  /** Resolves after the first try to join; while the database is away, more follow. */
  async start(): Promise<void> {
    this.#atWork = this.#step();
    await this.#atWork;
  }

  /** Lets go of everything this incarnation owns. */
  async leave(): Promise<void> {
    this.#state = 'left';
    clearTimeout(this.#beatTimer);
    clearTimeout(this.#leaseTimer);
    await this.#atWork;
    await leaveReplicas({ database: this.#options.database, replicaId: this.#id });
  }

  #ownLease(): number {
    return this.#options.timing.lease * ownShare;
  }

  #sinceProven(): number {
    return performance.now() - this.#provenAt;
  }

  #beatAfter(millis: number): void {
    clearTimeout(this.#beatTimer);
    if (this.#state === 'left') return;
    this.#beatTimer = setTimeout(() => {
      this.#atWork = this.#step();
    }, millis);
  }

  async #step(): Promise<void> {
    const { timing, log } = this.#options;
    try {
      this.#expireIfSilent();
      if (this.#state === 'joining') await this.#join();
      else await this.#beat();
      this.#beatAfter(this.#state === 'joining' ? 0 : timing.beat);
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'cannot tell the other replicas that this one lives');
      this.#beatAfter(Math.min(soonAgain, timing.beat));
    }
  }

  async #join(): Promise<void> {
    const { database, events } = this.#options;
    const sentAt = performance.now();
    await joinReplicas({ database, replicaId: this.#id, host: hostname(), process: process.pid });
    if (this.#state === 'left') return;
    this.#state = 'alive';
    events.tell(['replica:joined', { replicaId: this.#id }]);
    this.#proven(sentAt);
    if (this.alive) await this.#beat();
  }

  async #beat(): Promise<void> {
    const { database, timing, onBeat } = this.#options;
    const sentAt = performance.now();
    const { alive, someoneIsGone, upcomingMillis, cancelling } = await beat({
      ...{ database, replicaId: this.#id, leaseMillis: timing.lease },
    });
    if (this.#state !== 'alive') return;
    if (!alive) return this.#expire();
    this.#proven(sentAt);
    // The answer may have waited for a process that was frozen.
    if (!this.alive) return;
    if (someoneIsGone) await this.#takeOver();
    onBeat(upcomingMillis, cancelling);
  }

  async #takeOver(): Promise<void> {
    const { database, timing, events } = this.#options;
    for (const taken of await takeOver({ database, leaseMillis: timing.lease })) {
      events.tell(['takeover', taken]);
    }
  }

  #proven(sentAt: number): void {
    this.#provenAt = sentAt;
    clearTimeout(this.#leaseTimer);
    this.#leaseTimer = setTimeout(() => this.#expireIfSilent(), this.#ownLease() - this.#sinceProven());
    this.#expireIfSilent();
  }

  #expireIfSilent(): void {
    if (this.#state === 'alive' && this.#sinceProven() >= this.#ownLease()) this.#expire();
  }

  #expire(): void {
    const { events, running, onExpired } = this.#options;
    const replicaId = this.#id;
    this.#id = randomUUID();
    this.#state = 'joining';
    clearTimeout(this.#leaseTimer);
    events.tell(['replica:expired', { replicaId, running: running() }]);
    onExpired();
    this.#beatAfter(0);
  }
}
