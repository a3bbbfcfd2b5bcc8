import type { RecordedError } from './failures.ts';
import type { OperationId, RuntimeId } from './ids.ts';

export const operationKinds = [
  'Provision',
  'Upgrade',
  'UpgradeShoot',
  'Hibernate',
  'WakeUp',
  'ReconnectRuntime',
  'Deprovision',
] as const;
export type OperationKind = (typeof operationKinds)[number];

export type OperationState = 'InProgress' | 'Succeeded' | 'Failed';

/** Values that a stage notes down for its next run, such as a name it chose. Must be JSON and must hold no secret. */
export type Notes = Readonly<Record<string, unknown>>;

/** What became of the caller's wish that an operation should not go on. */
export type Cancellation =
  /** Asked for; whoever runs the operation is about to end it. */
  | { readonly outcome: 'Pending' }
  /** Ended by it, and nothing that was made for the Runtime exists outside. */
  | { readonly outcome: 'Clean' }
  /** Ended by it; a line for each thing that exists outside, or of which that cannot be known. */
  | { readonly outcome: 'Residue'; readonly residue: readonly string[] }
  /** The operation had ended by itself before. */
  | { readonly outcome: 'TooLate' };

/** In the notes of a retry: true until what it does before all else is done. */
export const repairNote = 'repairDue';

export function cancelledWith(residue: readonly string[]): Cancellation {
  return residue.length === 0 ? { outcome: 'Clean' } : { outcome: 'Residue', residue };
}

export interface Operation {
  readonly id: OperationId;
  readonly runtimeId: RuntimeId;
  readonly kind: OperationKind;
  readonly state: OperationState;
  /** The stage at work, or at which the operation failed; `Finished` once it has succeeded. */
  readonly stage: string;
  readonly stageStartedAt: Date;
  /** Grows with each claim; an outcome is committed only by the attempt that still holds the operation. */
  readonly attempt: number;
  readonly message: string;
  /** 0 to 100 of the stage at work, when it is known. */
  readonly progress: number | undefined;
  readonly notes: Notes;
  readonly lastError: RecordedError | undefined;
  /** Undefined unless the caller asked for it. */
  readonly cancellation?: Cancellation | undefined;
  /** The failed operation that this one takes up. */
  readonly retryOf?: OperationId | undefined;
  readonly startedAt: Date;
  readonly endedAt: Date | undefined;
}
