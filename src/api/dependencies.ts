import type { AgentKyma, ConnectionObservation } from '../agent/runtime-agent.ts';
import type { ClusterDrivers } from '../clusters/cluster-driver.ts';
import type { ClusterOwner } from '../clusters/cluster-order.ts';
import type { ClusterWatches } from '../clusters/cluster-watch.ts';
import type { Database } from '../db/database.ts';
import type { OrphanScope } from '../db/queries/orphan-searches.ts';
import type { RuntimeId, Tenant } from '../domain/ids.ts';
import type { OperationKind } from '../domain/operation.ts';
import type { PlannedStep } from '../domain/plan.ts';
import type { Runtime, Target } from '../domain/runtime.ts';
import type { KymaCatalogue } from '../kyma/kyma-installer.ts';

/** What the API acts through. */
export interface ApiDependencies {
  readonly database: Database;
  readonly drivers: ClusterDrivers;
  readonly watches: ClusterWatches;
  /** Undefined: no catalogue is configured, and a Runtime with Kyma is refused. */
  readonly catalogue: KymaCatalogue | undefined;
  /** Undefined: registration is off, and ids are our own or the caller's. */
  readonly registrar: RuntimeRegistrar | undefined;
  flowOf(kind: OperationKind): StartingFlow;
  /** What an operation of that kind would send. Throws CLUSTER_PROVIDER_UNAVAILABLE when that cannot be found out now. */
  planFlow(request: PlanRequest): Promise<readonly PlannedStep[]>;
  /** Looks at the Runtime Agent's connection in the cluster. Whatever it throws is answered as "cannot be found out". */
  observeConnection(runtime: ConnectedRuntime, signal: AbortSignal): Promise<ConnectionObservation>;
  /** Throws a Failure that says why the Runtime's agent cannot be connected anew. */
  checkReconnection(runtime: Runtime, signal: AbortSignal): Promise<void>;
  /**
   * Searches one scope for what belongs to no Runtime, and removes what is to be removed, now rather than at the next turn.
   * Throws what the outside answers instead.
   */
  searchForOrphans(scope: OrphanScope, signal: AbortSignal): Promise<void>;
  /** What `/readyz` answers; throws nothing. */
  readiness(): Promise<readonly ReadinessCheck[]>;
  /** True when clients are to leave: each connection ends with the next answer on it. Never, when not given. */
  isStopping?(): boolean;
}

/** A Runtime that has an agent. */
export interface ConnectedRuntime extends ClusterOwner {
  readonly kyma: AgentKyma;
}

export interface PlanRequest {
  readonly kind: OperationKind;
  readonly runtime: Runtime;
  /** What the operation would make of the configuration; undefined when it leaves that alone. */
  readonly target?: Target;
  readonly signal: AbortSignal;
}

/** The part of a flow's table that starting an operation needs. */
export interface StartingFlow {
  readonly startMessage: string;
  readonly steps: readonly { readonly stage: string }[];
}

export interface ReadinessCheck {
  readonly name: string;
  readonly ready: boolean;
  /** Why not. */
  readonly reason?: string;
}

export interface RegistrationRequest {
  readonly tenant: Tenant;
  readonly subAccount: string | undefined;
  readonly runtimeInput: {
    readonly name: string;
    readonly description: string | undefined;
    readonly labels: Readonly<Record<string, unknown>>;
  };
}

/** An entry in the Director, and the intent by which it is found again should this process die now. */
export interface Registration {
  readonly id: RuntimeId;
  readonly intentId: string;
}

/** What the Director would be told of a new Runtime. */
export type RegistrationPreview = Readonly<Record<string, unknown>>;

/** Registers Runtimes in the Director. What the Director refuses is thrown as a Failure. */
export interface RuntimeRegistrar {
  register(request: RegistrationRequest): Promise<Registration>;
  /** What `register` would send, but for the label by which the registration is found again. */
  preview(request: RegistrationRequest): RegistrationPreview;
  /** Throws DIRECTOR_RUNTIME_NOT_FOUND unless the Director knows the Runtime that the caller has registered. */
  verify(request: { id: RuntimeId; tenant: Tenant; signal: AbortSignal }): Promise<void>;
  /** Takes back a registration whose Runtime was not accepted. What it throws is logged: the sweeper does the rest. */
  withdraw(registration: Registration, request: { tenant: Tenant; signal: AbortSignal }): Promise<void>;
}
