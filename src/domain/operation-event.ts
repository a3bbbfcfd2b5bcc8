import type { RecordedError } from './failures.ts';
import type { OperationId, RuntimeId } from './ids.ts';
import type { OperationKind, OperationState } from './operation.ts';

/** What can be read in the history of an operation. */
export const operationEventTypes = [
  'Accepted',
  'StageStarted',
  'StageSkipped',
  'Waiting',
  'Retrying',
  'StageDone',
  'StageTimedOut',
  'Succeeded',
  'Failed',
  'CancelRequested',
  'Cancelled',
] as const;
export type OperationEventType = (typeof operationEventTypes)[number];

/** One line of an operation's history: appended with the change that it tells of, never rewritten. */
export interface OperationEvent {
  readonly operationId: OperationId;
  /** 1, 2, 3 and so on within the operation, without gaps. */
  readonly sequence: number;
  readonly at: Date;
  readonly type: OperationEventType;
  readonly stage: string;
  readonly message: string;
  /** 0 to 100 of the stage, when it is known. */
  readonly progress: number | undefined;
  readonly error: RecordedError | undefined;
}

/** An event as it is followed: with the operation that it belongs to. */
export interface FollowedEvent extends OperationEvent {
  readonly runtimeId: RuntimeId;
  readonly kind: OperationKind;
}

const states: Readonly<Record<OperationEventType, OperationState>> = {
  Accepted: 'InProgress',
  StageStarted: 'InProgress',
  StageSkipped: 'InProgress',
  Waiting: 'InProgress',
  Retrying: 'InProgress',
  StageDone: 'InProgress',
  StageTimedOut: 'InProgress',
  Succeeded: 'Succeeded',
  Failed: 'Failed',
  CancelRequested: 'InProgress',
  Cancelled: 'Failed',
};

/** The state that an operation is in after such an event. */
export function stateAfter(type: OperationEventType): OperationState {
  return states[type];
}
