import type { RuntimeId, Tenant } from '../domain/ids.ts';
import type { Secret } from '../domain/secret.ts';

/** INITIAL: registered, and no agent has connected yet. */
export type DirectorCondition = 'INITIAL' | 'PROVISIONING' | 'CONNECTED' | 'FAILED';

export interface DirectorRuntime {
  readonly id: RuntimeId;
  readonly name: string;
  readonly description: string | undefined;
  readonly labels: Readonly<Record<string, unknown>>;
}

export interface RuntimeRegistration {
  readonly name: string;
  readonly description: string | undefined;
  readonly labels: Readonly<Record<string, unknown>>;
}

export interface OneTimeToken {
  readonly token: Secret;
  readonly connectorURL: string;
}

export interface DirectorCall {
  readonly tenant: Tenant;
  readonly signal?: AbortSignal;
  /**
   * Milliseconds after which the answer is not waited for any more, though the Director may still be at work. When not
   * given, longer than the Director and its gateways take: for those who have the time to know for certain.
   */
  readonly patience?: number;
}

/**
 * The Compass Director. What it refuses is thrown as a Failure; what may heal (it is down, too busy, or its reply was
 * lost) as DirectorUnavailable, which tells what is known of the call's effect.
 */
export interface Director {
  /** Not idempotent upstream: go through `registerRuntime` of registration.ts. */
  register(registration: RuntimeRegistration, call: DirectorCall): Promise<RuntimeId>;
  runtime(id: RuntimeId, call: DirectorCall): Promise<DirectorRuntime | undefined>;
  findByLabel(key: string, value: string, call: DirectorCall): Promise<readonly DirectorRuntime[]>;
  setLabel(id: RuntimeId, key: string, value: unknown, call: DirectorCall): Promise<void>;
  /** Keeps name, description and labels as the Director has them. */
  setCondition(id: RuntimeId, condition: DirectorCondition, call: DirectorCall): Promise<void>;
  requestOneTimeToken(id: RuntimeId, call: DirectorCall): Promise<OneTimeToken>;
  /** An entry that does not exist is fine. */
  unregister(id: RuntimeId, call: DirectorCall): Promise<void>;
}
