import type { ConnectionObservation } from '../agent/runtime-agent.ts';
import type { ClusterDrivers } from '../clusters/cluster-driver.ts';
import type { ClusterOwner } from '../clusters/cluster-order.ts';
import type { Database } from '../db/database.ts';
import type { RuntimeId, Tenant } from '../domain/ids.ts';
import type { PlannedStep } from '../domain/plan.ts';
import type { Runtime } from '../domain/runtime.ts';
import type { KymaCatalogue } from '../kyma/kyma-installer.ts';

/** What the API acts through. */
export interface ApiDependencies {
  readonly database: Database;
  readonly drivers: ClusterDrivers;
  /** Undefined: no catalogue is configured, and a Runtime with Kyma is refused. */
  readonly catalogue: KymaCatalogue | undefined;
  /** Undefined: registration is off, and ids are our own or the caller's. */
  readonly registrar: RuntimeRegistrar | undefined;
  readonly flows: { readonly provision: StartingFlow; readonly deprovision: StartingFlow };
  /** What the flow of that name would send. Throws CLUSTER_PROVIDER_UNAVAILABLE when that cannot be found out now. */
  planFlow(flow: 'provision' | 'deprovision', runtime: Runtime, signal: AbortSignal): Promise<readonly PlannedStep[]>;
  /** Looks at the Runtime Agent's connection in the cluster. Whatever it throws is answered as "cannot be found out". */
  observeConnection(runtime: ClusterOwner, signal: AbortSignal): Promise<ConnectionObservation>;
  /** What `/readyz` answers; throws nothing. */
  readiness(): Promise<readonly ReadinessCheck[]>;
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
  readonly signal: AbortSignal;
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
  preview(request: Omit<RegistrationRequest, 'signal'>): RegistrationPreview;
  /** Throws DIRECTOR_RUNTIME_NOT_FOUND unless the Director knows the Runtime that the caller has registered. */
  verify(request: { id: RuntimeId; tenant: Tenant; signal: AbortSignal }): Promise<void>;
  /** Takes back a registration whose Runtime was not accepted. What it throws is logged: the sweeper does the rest. */
  withdraw(registration: Registration, request: { tenant: Tenant; signal: AbortSignal }): Promise<void>;
}
