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
  readonly startedAt: Date;
  readonly endedAt: Date | undefined;
}
