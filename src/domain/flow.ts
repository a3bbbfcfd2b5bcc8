import type { Clock } from './clock.ts';
import type { Failure } from './failures.ts';
import type { Logger } from './logger.ts';
import type { Notes, Operation, OperationKind } from './operation.ts';
import type { Outcome } from './outcome.ts';
import type { PlannedChange } from './plan.ts';
import type { Runtime, RuntimeChanges, Target } from './runtime.ts';

/** Names a deadline; its duration is configuration (`APP_..._TIMEOUT_...`). */
export const deadlineNames = [
  'clusterCreation',
  'clusterDomain',
  'bindingsCreation',
  'installationTriggering',
  'installation',
  'agentConfiguration',
  'agentConnection',
  'clusterCleanup',
  'clusterDeletion',
  'waitingForClusterDeletion',
  'unregistration',
  'upgradeTriggering',
  'upgrade',
  'shootRefresh',
  'shootUpgrade',
  'hibernation',
  'wakeUp',
] as const;
export type DeadlineName = (typeof deadlineNames)[number];
/** Milliseconds for each deadline. */
export type Deadlines = Readonly<Record<DeadlineName, number>>;

/** What the engine hands to each run of a stage. */
export interface Run {
  readonly operation: Operation;
  readonly runtime: Runtime;
  /** What the operation is to make of the Runtime's configuration; undefined when it leaves that alone. */
  readonly target: Target | undefined;
  /** Aborts when the operation is no longer ours, when the stage's deadline passes, or when the process stops. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
  /** Stores notes durably before an effect outside; throws when the operation is no longer ours. */
  note(notes: Notes): Promise<void>;
}

export interface Condition {
  /** How the condition reads in docs/flows.md, after "skipped when". */
  readonly reads: string;
  holds(runtime: Runtime, target: Target | undefined): boolean;
}

/** What planning a stage knows. */
export interface Planning {
  readonly runtime: Runtime;
  readonly target: Target | undefined;
  readonly signal: AbortSignal;
}

/** What a retry does once before all else, at the stage at which the operation before it ended. */
export interface Repair<Tools> {
  /** How it reads in docs/flows.md, after "First in a retry:". */
  readonly reads: string;
  /** Safe to repeat. */
  act(run: Run & Tools): Promise<void>;
}

/** What a cancelled operation leaves. */
export interface Leftovers {
  /** A line for each thing that exists outside, or of which that cannot be known. */
  readonly residue: readonly string[];
  readonly runtime?: RuntimeChanges;
}

/** One line of a flow's table. */
export interface Step<Tools> {
  readonly stage: string;
  /** What the stage acts through; documentation only. */
  readonly through: string;
  readonly deadline: DeadlineName;
  readonly run: (run: Run & Tools) => Promise<Outcome>;
  readonly skipWhen?: Condition;
  /** When the deadline passes, go on with the next stage instead of failing. */
  readonly goOnAfterDeadline?: boolean;
  /** What holds of the Runtime when the stage fails like this while something that it sent may still take effect. */
  readonly cutOff?: (failure: Failure) => RuntimeChanges | undefined;
  /** What the stage would send, for a dry run; nothing when not given. Changes nothing. */
  readonly plan?: (planning: Planning & Tools) => Promise<readonly PlannedChange[]>;
}

/** The whole of an operation, in the order in which it happens. */
export interface Flow<Tools> {
  readonly kind: OperationKind;
  readonly startMessage: string;
  readonly steps: readonly Step<Tools>[];
  /** Tells the outside world that the operation failed; best effort, before the failure is committed. */
  readonly onFailed?: (run: Run & Tools, failure: Failure) => Promise<void>;
  readonly onRetry?: Repair<Tools>;
  /**
   * Finds out what a cancelled operation leaves, by asking. `mayHaveActed` is false when no stage of it has ever begun.
   * What cannot be asked is told as unknown rather than thrown.
   */
  readonly onCancelled?: (run: Run & Tools, progress: { readonly mayHaveActed: boolean }) => Promise<Leftovers>;
}
