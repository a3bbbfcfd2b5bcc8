import type { NewEvent, OperationChange } from '../db/queries/commit-operation.ts';
import { assertNever } from '../domain/assert-never.ts';
import { Failure, type RecordedError } from '../domain/failures.ts';
import type { Flow, Step } from '../domain/flow.ts';
import { cancelledWith, type Operation } from '../domain/operation.ts';
import type { Obstacle, Outcome, WakeKey } from '../domain/outcome.ts';
import type { Runtime, RuntimeChanges, Target } from '../domain/runtime.ts';
import { describeError, storableText } from './describe-error.ts';
import type { EngineNotice } from './engine-events.ts';
import { changesAnything, withChanges } from './runtime-changes.ts';
import { type EngineTiming, formatMillis, paceDelay, politeDelay, retryDelay } from './timing.ts';

/** Where an operation stands while this replica has it. */
export interface Position {
  readonly operation: Operation;
  /** Looks that the stage has had, and throws in a row. */
  readonly looks: number;
  readonly failures: number;
  /** The key on the row: a wake for it is seen by the next commit. */
  readonly wakeKey: WakeKey | undefined;
  /** The look before this one only put its key on the row. */
  readonly declaredKey: boolean;
  /** How long the stage is at work, in milliseconds. */
  readonly stageMillis: number;
}

export interface Standing extends Position {
  readonly runtime: Runtime;
  readonly target: Target | undefined;
}

/** What a look at a stage came to. */
export type Answer =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  /** `retryAfter`: in how many milliseconds whoever was asked wants to be asked again, if it says so. */
  | { readonly kind: 'threw'; readonly error: RecordedError; readonly retryAfter?: number | undefined }
  | {
      readonly kind: 'timed-out';
      readonly limit: number;
      readonly lastWords: string | undefined;
      readonly obstacle?: Obstacle | undefined;
    }
  | { readonly kind: 'not-needed' };

/** The commit that follows from an answer. */
export interface Transition {
  /** Undefined: a look that found nothing new. */
  readonly change: OperationChange | undefined;
  readonly looks: number;
  /** Keep the operation and look again at once; or let go of it until then. */
  readonly next: { readonly kind: 'keep' } | { readonly kind: 'release'; readonly dueInMillis: number };
  /** Told once the commit has landed. */
  readonly notices: (operation: Operation) => readonly EngineNotice[];
}

interface Circumstances<Tools> {
  readonly step: Step<Tools>;
  /** Of the step, in milliseconds. */
  readonly deadline: number;
  readonly timing: EngineTiming;
  /** 0 to 1. */
  readonly random: number;
}

interface Situation<Tools> extends Circumstances<Tools> {
  readonly flow: Flow<Tools>;
  readonly standing: Standing;
}

/** Says what becomes of an operation, without doing it. A failure is told to `onFailed` before it is committed. */
export function transitionFor<Tools>(answer: Answer, situation: Situation<Tools>): Transition {
  switch (answer.kind) {
    case 'outcome':
      return fromOutcome(answer.outcome, situation);
    case 'threw':
      return retryLater(answer, situation);
    case 'timed-out':
      return situation.step.goOnAfterDeadline === true
        ? goOn('StageTimedOut', timeoutMessage(answer, situation.step), undefined, situation)
        : failed(timeoutFailure(answer, situation.step), situation, true);
    case 'not-needed':
      return goOn('StageSkipped', skipMessage(situation.step), undefined, situation);
    default:
      return assertNever(answer);
  }
}

/** The failure that an answer means, if it does. */
export function failureOf<Tools>(answer: Answer, step: Step<Tools>): Failure | undefined {
  if (answer.kind === 'outcome' && answer.outcome.kind === 'fail') return answer.outcome.failure;
  if (answer.kind === 'timed-out' && step.goOnAfterDeadline !== true) return timeoutFailure(answer, step);
  return undefined;
}

/** An operation with a change that was committed at that time of the database. */
export function operationAfter(operation: Operation, change: OperationChange, at: Date): Operation {
  const { state, stage, message, progress, lastError, entersStage, residue } = change;
  return {
    ...operation,
    ...{ state, stage, message, progress, lastError },
    stageStartedAt: entersStage ? at : operation.stageStartedAt,
    cancellation: residue === undefined ? operation.cancellation : cancelledWith(residue),
    endedAt: state === 'InProgress' ? undefined : at,
  };
}

function fromOutcome<Tools>(outcome: Outcome, situation: Situation<Tools>): Transition {
  switch (outcome.kind) {
    case 'done':
      return goOn('StageDone', outcome.message ?? `Stage ${situation.step.stage} done`, outcome.runtime, situation);
    case 'wait':
      return waiting(outcome, situation);
    case 'fail':
      return failed(outcome.failure, situation, hasTriedBefore(situation.standing));
    default:
      return assertNever(outcome);
  }
}

/** The stage is over; on to the next one that is needed, in the same commit. */
function goOn<Tools>(
  type: 'StageDone' | 'StageTimedOut' | 'StageSkipped',
  words: string,
  runtimeChanges: RuntimeChanges | undefined,
  { flow, step, standing }: Situation<Tools>,
): Transition {
  const runtime = withChanges(standing, runtimeChanges, 0);
  const rest = flow.steps.slice(flow.steps.indexOf(step) + 1);
  const nextIndex = rest.findIndex((candidate) => !candidate.skipWhen?.holds(runtime, standing.target));
  const next = rest[nextIndex];
  const skipped = nextIndex === -1 ? rest : rest.slice(0, nextIndex);
  const events: NewEvent[] = [
    { type, stage: step.stage, message: storableText(words) },
    ...skipped.map((each) => ({ type: 'StageSkipped' as const, stage: each.stage, message: skipMessage(each) })),
  ];
  const message = next === undefined ? 'Operation succeeded.' : `Operation in progress. Stage ${next.stage}`;
  const progress = next === undefined ? 100 : undefined;
  const stage = next?.stage ?? 'Finished';
  events.push({ type: next === undefined ? 'Succeeded' : 'StageStarted', stage, message, progress });
  return {
    change: {
      ...unharmed(standing),
      state: next === undefined ? 'Succeeded' : 'InProgress',
      stage,
      entersStage: true,
      message,
      progress,
      looks: 0,
      wakeKey: next === undefined ? undefined : standing.wakeKey,
      events,
      runtime: runtimeChanges,
    },
    looks: 0,
    next: next === undefined ? { kind: 'release', dueInMillis: 0 } : { kind: 'keep' },
    notices: (operation) => [
      overNotice(type, step.stage, operation, standing),
      ...skipped.map((each) => ['stage:skipped', { operation, stage: each.stage }] as const),
      next === undefined
        ? ['operation:succeeded', { operation, durationMillis: durationOf(operation) }]
        : ['stage:started', { operation, stage }],
    ],
  };
}

/**
 * A wake is seen by a commit only when its key is on the row while the stage looks. So the first wait on a key puts it
 * there and looks once more; from then on no wake is lost between a look and its commit.
 */
function waiting<Tools>(outcome: Extract<Outcome, { kind: 'wait' }>, situation: Situation<Tools>): Transition {
  const { step, standing, deadline } = situation;
  const { operation, runtime } = standing;
  const message = storableText(outcome.message);
  const progress =
    outcome.progress === undefined ? undefined : Math.round(Math.min(100, Math.max(0, outcome.progress)));
  const declaresKey = outcome.wakeOn !== undefined && outcome.wakeOn !== standing.wakeKey && !standing.declaredKey;
  const looks = declaresKey ? standing.looks : standing.looks + 1;
  const untilDeadline = Math.max(0, deadline - standing.stageMillis);
  const dueInMillis = declaresKey ? 0 : Math.min(paceDelay(outcome.lookAgain, standing.looks), untilDeadline);
  const news = message !== operation.message || progress !== operation.progress;
  const learned = changesAnything(outcome.runtime, runtime);
  const next = declaresKey ? ({ kind: 'keep' } as const) : ({ kind: 'release', dueInMillis } as const);
  const notices: Transition['notices'] = (told) => [
    ['stage:waiting', { operation: told, stage: step.stage, message, changed: news, dueInMillis }],
  ];
  if (!news && !learned && outcome.wakeOn === standing.wakeKey) return { change: undefined, looks, next, notices };
  return {
    change: {
      ...unharmed(standing),
      message,
      progress,
      looks,
      wakeKey: outcome.wakeOn,
      events: news ? [{ type: 'Waiting', stage: step.stage, message, progress }] : [],
      runtime: learned ? outcome.runtime : undefined,
    },
    looks,
    next,
    notices,
  };
}

/** The caller keeps reading what was true; the error stands beside it until the next success. */
export function retryLater<Tools>(
  { error, retryAfter }: Omit<Extract<Answer, { kind: 'threw' }>, 'kind'>,
  { step, standing, deadline, timing, random }: Circumstances<Tools> & { readonly standing: Position },
): Transition {
  const { operation } = standing;
  const failures = standing.failures + 1;
  const untilDeadline = deadline > standing.stageMillis ? deadline - standing.stageMillis : Number.POSITIVE_INFINITY;
  const delay =
    retryAfter === undefined ? retryDelay(timing.retry, failures, random) : politeDelay(retryAfter, failures, random);
  const dueInMillis = Math.min(delay, untilDeadline);
  const news = operation.lastError?.message !== error.message;
  return {
    change: {
      ...unharmed(standing),
      lastError: error,
      failures,
      events: news ? [{ type: 'Retrying', stage: step.stage, message: error.message, error }] : [],
    },
    looks: standing.looks,
    next: { kind: 'release', dueInMillis },
    notices: (told) => [['stage:retrying', { operation: told, stage: step.stage, error, failures, dueInMillis }]],
  };
}

/** The stage stays readable: it is where the operation failed, and where a retry would begin. */
function failed<Tools>(failure: Failure, { step, standing }: Situation<Tools>, mayBeUnderWay: boolean): Transition {
  const error = describeError(failure);
  return {
    change: {
      ...unharmed(standing),
      state: 'Failed',
      message: error.message,
      lastError: error,
      wakeKey: undefined,
      events: [{ type: 'Failed', stage: step.stage, message: error.message, error }],
      runtime: mayBeUnderWay ? step.cutOff?.(failure) : undefined,
    },
    looks: standing.looks,
    next: { kind: 'release', dueInMillis: 0 },
    notices: (operation) => [
      ['operation:failed', { operation, stage: step.stage, error, durationMillis: durationOf(operation) }],
    ],
  };
}

/** A try of which nobody knows the end: it threw, or its process died. */
function hasTriedBefore({ failures, operation }: Position): boolean {
  return failures > 0 || operation.attempt > 1;
}

/** The operation as it stands, with no error. */
export function unharmed({ operation, looks, wakeKey }: Position): OperationChange {
  return {
    state: 'InProgress',
    stage: operation.stage,
    entersStage: false,
    message: operation.message,
    progress: operation.progress,
    lastError: undefined,
    looks,
    failures: 0,
    wakeKey,
    events: [],
    runtime: undefined,
  };
}

function overNotice(
  type: 'StageDone' | 'StageTimedOut' | 'StageSkipped',
  stage: string,
  operation: Operation,
  { stageMillis }: Standing,
): EngineNotice {
  switch (type) {
    case 'StageDone':
      return ['stage:done', { operation, stage, durationMillis: stageMillis }];
    case 'StageTimedOut':
      return ['stage:timed-out', { operation, stage, durationMillis: stageMillis }];
    case 'StageSkipped':
      return ['stage:skipped', { operation, stage }];
  }
}

function timeoutFailure<Tools>(answer: Extract<Answer, { kind: 'timed-out' }>, step: Step<Tools>): Failure {
  const { code = 'TIMEOUT', ...details } = answer.obstacle ?? {};
  return new Failure(code, timeoutMessage(answer, step), details);
}

function timeoutMessage<Tools>(answer: Extract<Answer, { kind: 'timed-out' }>, step: Step<Tools>): string {
  const last = answer.lastWords === undefined ? '' : `; last: ${answer.lastWords}`;
  return `error: timeout while processing operation: stage ${step.stage} did not finish within ${formatMillis(answer.limit)}${last}`;
}

function skipMessage<Tools>(step: Step<Tools>): string {
  return `Stage ${step.stage} skipped: ${step.skipWhen?.reads ?? 'not needed'}`;
}

export function durationOf({ startedAt, endedAt }: Operation): number {
  return endedAt === undefined ? 0 : endedAt.getTime() - startedAt.getTime();
}
