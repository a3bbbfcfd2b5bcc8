import type { Database } from '../db/database.ts';
import type { ClaimedOperation } from '../db/queries/claim-operations.ts';
import {
  type CommitGuard,
  type Committed,
  commitOperation,
  commitUnchangedLook,
} from '../db/queries/commit-operation.ts';
import { storeNotes } from '../db/queries/store-notes.ts';
import type { Clock } from '../domain/clock.ts';
import type { CrashPoint } from '../domain/crash-point.ts';
import { Failure } from '../domain/failures.ts';
import type { Deadlines, Flow, Run, Step } from '../domain/flow.ts';
import type { Logger } from '../domain/logger.ts';
import { type Notes, type Operation, repairNote } from '../domain/operation.ts';
import { fail, type Outcome } from '../domain/outcome.ts';
import type { Runtime, Target } from '../domain/runtime.ts';
import { cancelled } from './cancelled.ts';
import { describeError } from './describe-error.ts';
import type { EngineEvents } from './engine-events.ts';
import { findLeftovers, tellFailure } from './last-words.ts';
import { type Interrupted, look } from './look.ts';
import { type AbortReason, RunAbort } from './run-abort.ts';
import { withChanges } from './runtime-changes.ts';
import type { EngineTiming } from './timing.ts';
import {
  type Answer,
  failureOf,
  operationAfter,
  type Position,
  retryLater,
  type Transition,
  transitionFor,
} from './transition.ts';
import { whileDatabaseIsAway } from './while-database-is-away.ts';

/** What every run of an engine shares. */
export interface RunEnvironment<Tools> {
  readonly database: Database;
  readonly tools: Tools;
  readonly deadlines: Deadlines;
  readonly timing: EngineTiming;
  readonly clock: Clock;
  readonly events: EngineEvents;
  readonly crashPoint: CrashPoint;
  /** Aborts when nothing more is to be written, because the process ends. */
  readonly closing: AbortSignal;
  /** Told when an operation was let go of, and when it is due again. */
  readonly onReleased: (dueInMillis: number) => void;
}

type OutsideReason = Exclude<AbortReason, 'deadline' | 'cancelled'>;

/**
 * One claimed operation, from its claim until it is let go of.
 *
 * `looking → committing → looking → … → ended`: each look is at one stage, outside any transaction, with a signal of its
 * own; each commit lands only if the operation is as this run left it. After a stage is done the same run goes on with
 * the next one. It ends when the operation waits, has ended, or is not ours any more.
 *
 * Once the caller wants the operation to end, no look begins any more, and the one at work is aborted. If that one has
 * finished the stage or failed all the same, its outcome is committed; otherwise the operation ends here and says what
 * it leaves.
 */
export class OperationRun<Tools> {
  readonly #environment: RunEnvironment<Tools>;
  readonly #flow: Flow<Tools>;
  readonly #read: ClaimedOperation['read'];
  readonly #log: Logger;
  #operation: Operation;
  #guard: CommitGuard;
  #looks: number;
  #failures: number;
  #wakeKey: string | undefined;
  #declaredKey = false;
  #stageBeganAt: number;
  #controller = new AbortController();
  #aborted: OutsideReason | undefined;
  #cancelRequested: boolean;
  #mayHaveActed: boolean;
  #goesOn = true;
  #target: Target | undefined;

  constructor(options: {
    readonly environment: RunEnvironment<Tools>;
    readonly claimed: ClaimedOperation;
    readonly flow: Flow<Tools>;
    /** The incarnation of this process that made the claim. */
    readonly replicaId: string;
    readonly log: Logger;
  }) {
    const { environment, claimed, flow, replicaId, log } = options;
    const { id, runtimeId, kind, attempt } = claimed.operation;
    this.#environment = environment;
    this.#flow = flow;
    this.#read = claimed.read;
    this.#log = log.child({ operation: id, runtime: runtimeId, kind, attempt });
    this.#operation = claimed.operation;
    this.#guard = { operationId: id, replicaId, attempt, revision: claimed.revision, wakeSeq: claimed.wakeSeq };
    this.#looks = claimed.looks;
    this.#failures = claimed.failures;
    this.#wakeKey = claimed.wakeKey;
    this.#cancelRequested = claimed.operation.cancellation !== undefined;
    // An earlier run may have been cut off in the middle of its look.
    this.#mayHaveActed = attempt > 1;
    this.#stageBeganAt = performance.now() - claimed.stageAgeMillis;
  }

  /** Lets go of the operation after the next commit. */
  finishSoon(): void {
    this.#goesOn = false;
  }

  /** Ends the look at work. An outcome that is known already is still committed, if that is still ours to do. */
  abort(reason: OutsideReason): void {
    this.#goesOn = false;
    this.#aborted ??= reason;
    this.#controller.abort(new RunAbort(reason));
  }

  /** The caller wants the operation to end. */
  cancel(): void {
    if (this.#cancelRequested) return;
    this.#cancelRequested = true;
    this.#controller.abort(new RunAbort('cancelled'));
  }

  /** Never throws. */
  async run(): Promise<void> {
    try {
      await this.#lookAndCommit();
    } catch (error) {
      if (this.#environment.closing.aborted) return;
      this.#log.error({ err: error, stage: this.#operation.stage }, 'a run failed; the operation is tried again later');
      const step = this.#step();
      const transition = retryLater(
        { error: describeError(error) },
        { ...this.#circumstances(step), standing: this.#position() },
      );
      await this.#commit(transition).catch(() => this.#tell('operation:lost'));
    }
  }

  async #lookAndCommit(): Promise<void> {
    const { events, clock } = this.#environment;
    this.#tell('operation:claimed');
    if (this.#operation.attempt === 1) {
      events.tell(['stage:started', { operation: this.#operation, stage: this.#operation.stage }]);
    }
    const found = this.#read();
    this.#target = found.target;
    let { runtime } = found;
    for (;;) {
      const step = this.#step();
      const answer = this.#cancelRequested ? cutOff : await this.#look(step, runtime);
      if (answer.kind === 'interrupted' && answer.reason !== 'cancelled') return this.#interrupted(answer.reason);
      if (answer.kind === 'interrupted' || (this.#cancelRequested && leavesOpen(answer)))
        return this.#endCancelled(runtime);
      const standing = { ...this.#position(), runtime, target: this.#target };
      const transition = transitionFor(answer, { ...this.#circumstances(step), flow: this.#flow, standing });
      const failure = failureOf(answer, step);
      if (failure !== undefined) await this.#reportFailure(failure, runtime);
      if (!(await this.#commit(transition))) return;
      runtime = withChanges(standing, transition.change?.runtime, clock.now());
    }
  }

  /** A stage that no flow knows any more is one that fails. */
  #step(): Step<Tools> {
    const { stage } = this.#operation;
    const step = this.#flow.steps.find((candidate) => candidate.stage === stage);
    if (step !== undefined) return step;
    const failure = new Failure('STAGE_NOT_FOUND', `error: step ${stage} not found in installation stages`);
    return { stage, through: '', deadline: 'clusterCreation', run: async () => fail(failure) };
  }

  #position(): Position {
    return {
      operation: this.#operation,
      looks: this.#looks,
      failures: this.#failures,
      wakeKey: this.#wakeKey,
      declaredKey: this.#declaredKey,
      stageMillis: performance.now() - this.#stageBeganAt,
    };
  }

  #circumstances(step: Step<Tools>) {
    const { deadlines, timing } = this.#environment;
    return { step, deadline: deadlines[step.deadline], timing, random: Math.random() };
  }

  async #look(step: Step<Tools>, runtime: Runtime): Promise<Answer | Interrupted> {
    const { deadlines, timing } = this.#environment;
    if (this.#looks === 0 && step.skipWhen?.holds(runtime, this.#target)) return { kind: 'not-needed' };
    this.#environment.crashPoint(`before-run:${this.#flow.kind}/${step.stage}`);
    this.#mayHaveActed = true;
    return look({
      run: (signal) => this.#runStage(step, runtime, signal),
      controller: this.#newController(),
      deadline: deadlines[step.deadline],
      stageMillis: performance.now() - this.#stageBeganAt,
      lastLook: timing.lastLook,
      abortGrace: timing.abortGrace,
    });
  }

  #newController(): AbortController {
    this.#controller = new AbortController();
    if (this.#aborted !== undefined) this.#controller.abort(new RunAbort(this.#aborted));
    return this.#controller;
  }

  async #runStage(step: Step<Tools>, runtime: Runtime, signal: AbortSignal): Promise<Outcome> {
    const { onRetry } = this.#flow;
    if (onRetry !== undefined && this.#operation.notes[repairNote] === true) {
      await onRetry.act(this.#stageRun(runtime, signal));
      await this.#note({ [repairNote]: false }, signal);
    }
    return step.run(this.#stageRun(runtime, signal));
  }

  #stageRun(runtime: Runtime, signal: AbortSignal): Run & Tools {
    const { tools, clock } = this.#environment;
    const log = this.#log.child({ stage: this.#operation.stage });
    const note = (notes: Notes) => this.#note(notes, signal);
    return { ...tools, operation: this.#operation, runtime, target: this.#target, signal, clock, log, note };
  }

  /** Tried for as long as the run may go on: nothing outside may happen before it is stored. */
  async #note(notes: Notes, signal: AbortSignal): Promise<void> {
    const { database, crashPoint } = this.#environment;
    const { operationId, replicaId, attempt } = this.#guard;
    const place = `${this.#flow.kind}/${this.#operation.stage}` as const;
    crashPoint(`before-note:${place}`);
    const stored = await whileDatabaseIsAway({ signal, log: this.#log }, () => {
      return storeNotes({ database, operationId, replicaId, attempt, notes });
    });
    if (stored === undefined) {
      this.abort('not-ours');
      throw new RunAbort('not-ours');
    }
    this.#operation = { ...this.#operation, notes: stored };
    crashPoint(`after-note:${place}`);
  }

  async #reportFailure(failure: Failure, runtime: Runtime): Promise<void> {
    if (this.#aborted !== undefined) return;
    await tellFailure(this.#lastWords(runtime, this.#environment.timing.failureReport), failure);
  }

  /** What is left is found out after the look at work has ended, so nothing of it is missed. */
  async #endCancelled(runtime: Runtime): Promise<void> {
    const lastWords = this.#lastWords(runtime, this.#environment.timing.leftovers);
    const failure = new Failure('OPERATION_CANCELLED', 'operation cancelled by the caller');
    const [leftovers] = await Promise.all([
      findLeftovers(lastWords, this.#mayHaveActed),
      tellFailure(lastWords, failure),
    ]);
    if (this.#aborted !== undefined) return this.#interrupted(this.#aborted);
    await this.#commit(cancelled(leftovers, this.#position()));
  }

  #lastWords(runtime: Runtime, limit: number) {
    const stageRun = (signal: AbortSignal) => this.#stageRun(runtime, signal);
    return { flow: this.#flow, stageRun, signal: this.#newController().signal, limit, log: this.#log };
  }

  /** True when the operation is still held, for the next look. */
  async #commit(transition: Transition): Promise<boolean> {
    const environment = this.#environment;
    const { change, looks, next } = transition;
    const place = `${this.#flow.kind}/${this.#operation.stage}` as const;
    environment.crashPoint(`before-commit:${place}`);
    let kept = false;
    const committed = await whileDatabaseIsAway({ signal: environment.closing, log: this.#log }, () => {
      kept = next.kind === 'keep' && this.#goesOn;
      const hold = kept ? ({ kind: 'keep' } as const) : { kind: 'release' as const, dueInMillis: dueIn(next) };
      const { database } = environment;
      return change === undefined
        ? commitUnchangedLook({ database, guard: this.#guard, looks, hold })
        : commitOperation({ database, guard: this.#guard, change, hold });
    });
    environment.crashPoint(`after-commit:${place}`);
    if (!committed.landed) {
      this.#tell('operation:lost');
      return false;
    }
    this.#take(transition, committed);
    for (const notice of transition.notices(this.#operation)) environment.events.tell(notice);
    if (kept) return true;
    if (this.#operation.state === 'InProgress') environment.onReleased(committed.dueInMillis);
    return false;
  }

  #take({ change, looks }: Transition, committed: Extract<Committed, { landed: true }>): void {
    this.#guard = { ...this.#guard, revision: committed.revision, wakeSeq: committed.wakeSeq };
    this.#cancelRequested ||= committed.cancelRequested;
    this.#looks = looks;
    this.#failures = change?.failures ?? 0;
    if (change === undefined) {
      this.#operation = { ...this.#operation, lastError: undefined };
      return;
    }
    this.#wakeKey = change.wakeKey;
    this.#declaredKey = !change.entersStage;
    if (change.entersStage) this.#stageBeganAt = performance.now();
    this.#operation = operationAfter(this.#operation, change, committed.at);
  }

  /** What this process still owns when it stops, it lets go of all at once. */
  #interrupted(reason: OutsideReason): void {
    this.#tell(reason === 'stopping' ? 'operation:released' : 'operation:lost');
  }

  #tell(name: 'operation:claimed' | 'operation:lost' | 'operation:released'): void {
    this.#environment.events.tell([name, { operation: this.#operation }]);
  }
}

const cutOff: Interrupted = { kind: 'interrupted', reason: 'cancelled' };

/** The stage has neither finished nor failed. */
function leavesOpen(answer: Answer): boolean {
  return answer.kind === 'threw' || (answer.kind === 'outcome' && answer.outcome.kind === 'wait');
}

function dueIn(next: Transition['next']): number {
  return next.kind === 'release' ? next.dueInMillis : 0;
}
