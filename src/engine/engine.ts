import { operationCancelChannel, operationDueChannel } from '../db/channels.ts';
import type { Database } from '../db/database.ts';
import { DatabaseUnavailable } from '../db/database-unavailable.ts';
import { Listener } from '../db/listener.ts';
import { type ClaimedOperation, claimOperations, releaseStrays } from '../db/queries/claim-operations.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import { type CrashPoint, crashAt } from '../domain/crash-point.ts';
import type { Deadlines, Flow } from '../domain/flow.ts';
import type { Tenant } from '../domain/ids.ts';
import type { Logger } from '../domain/logger.ts';
import { onBehalfOf } from '../domain/on-behalf-of.ts';
import type { OperationKind } from '../domain/operation.ts';
import type { WakeKey } from '../domain/outcome.ts';
import { EngineEvents } from './engine-events.ts';
import { OperationRun } from './operation-run.ts';
import { Replica } from './replica.ts';
import { defaultTiming, type EngineTiming } from './timing.ts';
import { WakeQueue } from './wake-queue.ts';

export interface EngineOptions<Tools> {
  /** Up and migrated. The engine does not close it. */
  readonly database: Database;
  readonly flows: readonly Flow<Tools>[];
  readonly tools: Tools;
  readonly deadlines: Deadlines;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Operations that this process runs at once; 200. High, because stages wait for others rather than work. */
  readonly concurrency?: number;
  readonly timing?: Partial<EngineTiming>;
  /** By the database's clock: what was accepted before is left to other replicas. Everything is taken up when not given. */
  readonly acceptedSince?: Date | undefined;
  /** Told of the places around each commit, for tests to crash at. */
  readonly crashPoint?: CrashPoint;
}

export interface EngineState {
  readonly phase: 'new' | 'running' | 'stopping' | 'stopped';
  /** False while this process may have been given up by the others, such as while the database is away. */
  readonly alive: boolean;
  /** False while notifications are missed; the beat then finds what is due. */
  readonly listening: boolean;
  readonly replicaId: string;
  readonly running: number;
  readonly capacity: number;
}

/** At most so many in one claim, so that replicas share a burst. */
const claimAtOnce = 10;
/** Every so many beats, what is owned without being run is looked for. */
const strayBeats = 10;
const claimAgainMillis = 500;
/**
 * A tenant may have so many times as many operations at work as more would have room. So some room is left for whoever
 * comes next, however many tenants there are and however long their operations take: with one, a tenth of all.
 */
const mostTimesFree = 9;

/**
 * Executes operations durably. Any number of engines share one database.
 *
 * `new → running → stopping → stopped`. While it runs, it claims what is due and lets an OperationRun carry each claim.
 * It learns of due operations, and of those that the caller wants to end, from notifications (new, woken), from a timer for the nearest time that it knows of, and
 * at the latest from its own beat. A waiting operation holds nothing here.
 */
export class Engine<Tools> {
  readonly events: EngineEvents;
  readonly #options: EngineOptions<Tools>;
  readonly #timing: EngineTiming;
  readonly #flows: ReadonlyMap<OperationKind, Flow<Tools>>;
  readonly #stages: readonly string[];
  readonly #capacity: number;
  readonly #log: Logger;
  readonly #replica: Replica;
  readonly #listener: Listener;
  readonly #wakes: WakeQueue;
  readonly #closing = new AbortController();
  readonly #runs = new Map<
    OperationRun<Tools>,
    { operationId: string; tenant: Tenant; replicaId: string; ended: Promise<void> }
  >();
  #phase: EngineState['phase'] = 'new';
  #claiming: Promise<void> | undefined;
  #claimAgain = false;
  #mayHaveStrays = false;
  #beats = 0;
  /** More was due than the last claim took. */
  #backlog = false;
  /** Some tenant has as many operations at work as it may have. */
  #holdsBack = false;
  #dueTimer: NodeJS.Timeout | undefined;
  #gathering: { readonly since: number; timer: NodeJS.Timeout } | undefined;
  #dueAt = Number.POSITIVE_INFINITY;

  constructor(options: EngineOptions<Tools>) {
    const { database, flows, log, concurrency = 200, timing } = options;
    this.#options = options;
    this.#timing = { ...defaultTiming, ...timing };
    this.#flows = new Map(flows.map((flow) => [flow.kind, flow]));
    this.#stages = flows.flatMap(({ kind, steps }) => steps.map(({ stage }) => `${kind}/${stage}`));
    this.#capacity = concurrency;
    this.#log = log;
    this.events = new EngineEvents(log);
    this.#wakes = new WakeQueue({ database, closing: this.#closing.signal, log });
    this.#replica = new Replica({
      ...{ database, timing: this.#timing, events: this.events, log },
      running: () => this.#runs.size,
      onExpired: () => this.#abortRuns('not-ours'),
      onBeat: (upcomingMillis, cancelling) => this.#onBeat(upcomingMillis, cancelling),
    });
    this.#listener = new Listener({
      ...{ database, channels: [operationDueChannel, operationCancelChannel], log },
      onNotification: (channel, payload) => {
        if (channel === operationCancelChannel) this.#cancelRuns([payload]);
        else this.#claimGathered();
      },
      onUp: () => this.#claimSoon(),
      onDown: () => log.warn({}, 'not listening to the database; due operations are found by looking'),
    });
  }

  get state(): EngineState {
    return {
      phase: this.#phase,
      alive: this.#replica.alive,
      listening: this.#listener.listening,
      replicaId: this.#replica.id,
      running: this.#runs.size,
      capacity: this.#capacity,
    };
  }

  /** Begins to claim, as soon as the database lets it. */
  async start(): Promise<void> {
    if (this.#phase !== 'new') throw new Error(`the engine is ${this.#phase}`);
    this.#phase = 'running';
    await this.#replica.start();
    this.#listener.start();
    this.#claimSoon();
  }

  /**
   * Something outside has changed: every unfinished operation that waits on `key` looks again at once, on whatever
   * replica. Resolves when that is stored. No wake is lost, also not one that comes while the operation is looking.
   */
  async wake(key: WakeKey): Promise<void> {
    await this.#wakes.wake(key);
  }

  /**
   * Claims nothing more, lets each run end its look and commit it, aborts after `graceSeconds` what still looks, and
   * lets go of everything, so that other replicas have it at once.
   */
  async stop({ graceSeconds }: { graceSeconds: number }): Promise<void> {
    if (this.#phase !== 'running') return;
    this.#phase = 'stopping';
    clearTimeout(this.#dueTimer);
    await within(graceSeconds * 1_000, this.#claiming);
    for (const run of this.#runs.keys()) run.finishSoon();
    await this.#runsEnd(graceSeconds * 1_000);
    this.#abortRuns('stopping');
    await this.#runsEnd(this.#timing.abortGrace + 1_000);
    this.#closing.abort(new Error('the engine is stopped'));
    await this.#runsEnd(1_000);
    await this.#listener.close();
    try {
      await this.#replica.leave();
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, 'could not let go of operations; others take them over');
    }
    this.#phase = 'stopped';
  }

  #onBeat(upcomingMillis: number | undefined, cancelling: readonly string[]): void {
    // What was told while nobody listened.
    this.#cancelRuns(cancelling);
    this.#beats += 1;
    if (this.#beats % strayBeats === 0) this.#mayHaveStrays = true;
    if (this.#mayHaveStrays) this.#claimSoon();
    else this.#lookIn(upcomingMillis);
  }

  /** Arms the timer for what is due in so many milliseconds, unless it is armed for something sooner. */
  #lookIn(millis: number | undefined): void {
    if (millis === undefined || this.#phase !== 'running') return;
    if (millis <= 0) {
      this.#claimSoon();
      return;
    }
    const dueAt = performance.now() + millis;
    if (dueAt >= this.#dueAt) return;
    this.#dueAt = dueAt;
    clearTimeout(this.#dueTimer);
    // A timer may fire early by less than a millisecond, and cannot be set for longer than 24 days.
    this.#dueTimer = setTimeout(() => this.#claimSoon(), Math.min(Math.ceil(millis) + 1, 2 ** 31 - 1));
  }

  /**
   * Claims once notifications have paused, or after a while in any case. Requests that arrive together are answered
   * before their operations compete with them for this process, and one claim takes them all.
   */
  #claimGathered(): void {
    const { pause, atMost } = this.#timing.gather;
    const now = performance.now();
    const since = this.#gathering?.since ?? now;
    clearTimeout(this.#gathering?.timer);
    const delay = Math.max(0, Math.min(pause, since + atMost - now));
    const timer = setTimeout(() => {
      this.#gathering = undefined;
      this.#claimSoon();
    }, delay);
    this.#gathering = { since, timer };
  }

  #claimSoon(): void {
    if (this.#phase !== 'running') return;
    if (this.#claiming !== undefined) {
      this.#claimAgain = true;
      return;
    }
    this.#claiming = this.#claim().finally(() => {
      this.#claiming = undefined;
      if (this.#claimAgain) this.#claimSoon();
    });
  }

  /** Never throws. One at a time. */
  async #claim(): Promise<void> {
    this.#claimAgain = false;
    clearTimeout(this.#dueTimer);
    this.#dueAt = Number.POSITIVE_INFINITY;
    const free = this.#capacity - this.#runs.size;
    // The fewer have room, the fewer at once, so that no claim takes what is to be left.
    const limit = Math.min(claimAtOnce, Math.ceil(free / 2));
    // At capacity, the end of a run claims. A replica that is not alive claims after it has joined again.
    if (limit <= 0 || !this.#replica.alive) return;
    const { database, acceptedSince } = this.#options;
    const replicaId = this.#replica.id;
    const atWork = this.#runsOfTenants();
    const mostOfTenant = free * mostTimesFree;
    const holdsBack = Math.max(0, ...atWork.values()) + limit > mostOfTenant;
    try {
      await this.#releaseStrays(replicaId);
      const { claimed, upcomingMillis, moreIsDue } = await claimOperations({
        ...{ database, replicaId, limit, leaseMillis: this.#timing.lease, acceptedSince },
        ...{ kinds: [...this.#flows.keys()], stages: this.#stages, strangeAfterMillis: this.#timing.strangeStage },
        inTurns: this.#backlog || holdsBack ? { atWork, mostOfTenant } : undefined,
        // What a dead incarnation of this process has not let end yet.
        except: [...this.#runs.values()].flatMap((run) => (run.replicaId === replicaId ? [] : [run.operationId])),
      });
      for (const each of claimed) this.#begin(each, replicaId);
      this.#backlog = moreIsDue;
      this.#holdsBack = holdsBack;
      if (moreIsDue) this.#claimAgain = true;
      this.#lookIn(upcomingMillis);
    } catch (error) {
      // The claim may have been made all the same.
      this.#mayHaveStrays = true;
      const cause = error instanceof DatabaseUnavailable ? error.cause : error;
      this.#log.warn({ error: (cause as Error).message }, 'cannot claim operations; trying again');
      this.#lookIn(claimAgainMillis);
    }
  }

  async #releaseStrays(replicaId: string): Promise<void> {
    if (!this.#mayHaveStrays) return;
    const running = [...this.#runs.values()].map(({ operationId }) => operationId);
    const released = await releaseStrays({ database: this.#options.database, replicaId, running });
    this.#mayHaveStrays = false;
    if (released > 0) this.#log.warn({ released }, 'let go of operations that were claimed but not run');
  }

  #begin(claimed: ClaimedOperation, replicaId: string): void {
    const flow = this.#flows.get(claimed.operation.kind);
    // While the answer was on its way, this incarnation may have died, or only seemed so until its beat was answered.
    if (flow === undefined || !this.#replica.alive || this.#replica.id !== replicaId) {
      this.#mayHaveStrays = true;
      return;
    }
    const { database, tools, deadlines, clock = systemClock, crashPoint = crashAt(undefined), log } = this.#options;
    const run = new OperationRun<Tools>({
      environment: {
        ...{ database, tools, deadlines, clock, timing: this.#timing, events: this.events, crashPoint },
        closing: this.#closing.signal,
        onReleased: (dueInMillis) => this.#lookIn(dueInMillis),
      },
      ...{ claimed, flow, replicaId, log },
    });
    if (this.#phase === 'stopping') run.finishSoon();
    const ended = onBehalfOf({ kind: 'operation', tenant: claimed.tenant }, () => run.run()).finally(() => {
      const mayHaveHeldUp = this.#holdsBack || this.#runs.size >= this.#capacity || this.#replica.id !== replicaId;
      this.#runs.delete(run);
      if (mayHaveHeldUp) this.#claimSoon();
    });
    this.#runs.set(run, { operationId: claimed.operation.id, tenant: claimed.tenant, replicaId, ended });
  }

  #runsOfTenants(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { tenant } of this.#runs.values()) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
    return counts;
  }

  #abortRuns(reason: 'not-ours' | 'stopping'): void {
    for (const run of this.#runs.keys()) run.abort(reason);
  }

  #cancelRuns(operationIds: readonly string[]): void {
    for (const [run, { operationId }] of this.#runs) {
      if (operationIds.includes(operationId)) run.cancel();
    }
  }

  /** Resolves when all runs have ended, or after so many milliseconds. */
  async #runsEnd(millis: number): Promise<void> {
    await within(millis, Promise.all([...this.#runs.values()].map(({ ended }) => ended)));
  }
}

async function within(millis: number, work: Promise<unknown> | undefined): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, millis);
  await Promise.race([work, over]);
  clearTimeout(timer);
}
