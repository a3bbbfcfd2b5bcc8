import type { OperationKind, OperationState } from '../../src/domain/operation.ts';
import type { OperationEventType } from '../../src/domain/operation-event.ts';

/** What has happened in a chaos run, from beginning to end. Times are milliseconds since 1970, by one clock. */
export interface History {
  /** What callers were told. */
  readonly accepted: readonly Acceptance[];
  readonly runtimes: readonly RuntimeRecord[];
  /** In the order in which they were accepted. */
  readonly operations: readonly OperationRecord[];
  /** By operation, then by sequence. */
  readonly events: readonly EventRecord[];
  readonly holds: readonly Hold[];
  readonly sent: readonly SentRequest[];
  readonly disturbances: readonly Disturbance[];
  /** When each process was at work: ready, not frozen and not dead. */
  readonly working: readonly Stretch[];
  readonly outside: Outside;
  /** Registrations that are still not settled. */
  readonly intents: number;
}

export interface Acceptance {
  readonly key: string;
  readonly kind: OperationKind;
  readonly operationId: string;
  readonly at: number;
  /** What the operation may end in without being a fault of the service. */
  readonly mayFail: boolean;
}

export interface RuntimeRecord {
  readonly id: string;
  readonly name: string;
  readonly driver: 'gardener' | 'gke';
  readonly clusterName: string;
  readonly deleted: boolean;
  readonly hasKyma: boolean;
}

export interface OperationRecord {
  readonly id: string;
  readonly runtimeId: string;
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly stage: string;
  readonly message: string;
  readonly events: number;
  readonly cancelled: boolean;
  /** When its row appeared and when it was ended, as the database saw it; both lie within their transactions. */
  readonly appearedAt: number;
  readonly endings: readonly number[];
}

export interface EventRecord {
  readonly operationId: string;
  readonly sequence: number;
  readonly type: OperationEventType;
  readonly stage: string;
  readonly message: string;
  readonly at: number;
  /** In the order of all events. */
  readonly position: number;
}

/** From the claim of an operation until it was let go of, ended or taken away. */
export interface Hold {
  readonly operationId: string;
  readonly runtimeId: string;
  readonly attempt: number;
  /** The process id of the replica. */
  readonly process: number;
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
}

/** A request that is no read, as it left a replica. */
export interface SentRequest {
  readonly at: number;
  readonly process: number;
  readonly method: string;
  readonly url: string;
  /** Of the object in the body. */
  readonly name?: string;
  /** Of the Director, and the ids that it was given. */
  readonly mutation?: string;
  readonly ids?: readonly string[];
}

/** What was done to the service, and for how long it lasted. */
export interface Disturbance extends Stretch {
  readonly kind: FaultKind;
}

/** A stretch of time; of one process when that is given. */
export interface Stretch {
  readonly process?: number;
  readonly from: number;
  readonly to: number;
}

export const faultKinds = [
  'kill',
  'zombie',
  'stop',
  'postgres-restart',
  'postgres-kill',
  'postgres-restart-in-recovery',
  'upstream-errors',
  'lost-replies',
  'dropped-watches',
  'expired-watches',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What exists outside in the end. */
export interface Outside {
  readonly clusters: readonly {
    readonly driver: 'gardener' | 'gke';
    readonly name: string;
    /** The Runtime that it was made for, as its mark says. */
    readonly owner: string | undefined;
    /** The Runtime that the agent in it was told to be. */
    readonly agent: string | undefined;
  }[];
  readonly entries: readonly { readonly id: string; readonly name: string }[];
  /** Load balancers and disks. */
  readonly cloudResources: number;
}
