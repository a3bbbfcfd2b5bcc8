import type { Failure, Problem } from '../domain/failures.ts';
import type { OperationId, RuntimeId, Tenant } from '../domain/ids.ts';
import type { WakeKey } from '../domain/outcome.ts';
import type { ClusterDriverKind, ClusterRecord } from '../domain/runtime.ts';
import type { Secret } from '../domain/secret.ts';

/** Everything a driver may need to know about the Runtime whose cluster it makes. */
export interface ClusterOrder {
  readonly runtimeId: RuntimeId;
  readonly tenant: Tenant;
  readonly subAccount: string | undefined;
  readonly cluster: ClusterRecord;
}

/**
 * What is known of a cluster now. `domain` and `seed` appear as soon as the cluster has them, whatever its state.
 * `failed` means that nothing will happen any more without somebody's help; everything that heals is `changing`.
 */
export type ClusterObservation = { readonly domain?: string; readonly seed?: string } & (
  | { readonly state: 'absent' }
  | { readonly state: 'changing'; readonly message: string; readonly progress?: number }
  | { readonly state: 'ready' }
  | { readonly state: 'deleting'; readonly message: string; readonly progress?: number }
  | { readonly state: 'failed'; readonly failure: Failure }
);

export interface Remains {
  /** Whether the cluster itself exists. */
  readonly cluster: boolean;
  /** For each thing that exists, such as `Shoot is ready`; none proves that there is nothing. */
  readonly words: readonly string[];
}

/** An object as it is sent to a Kubernetes API, or the body of a request to another one. */
export type Manifest = Readonly<Record<string, unknown>>;

export interface KubeconfigRequest {
  readonly order: ClusterOrder;
  readonly role: 'admin' | 'viewer';
  readonly lifetimeSeconds: number;
  readonly signal?: AbortSignal;
}

export interface IssuedKubeconfig {
  /** YAML, sanitised: certificates and tokens inline, nothing to execute, no file path. */
  readonly kubeconfig: Secret;
  readonly expiresAt: Date;
}

/**
 * Makes clusters of one kind. Every call may be repeated at any time, and none waits for the cloud: long work is begun
 * by one call and seen through `observe`. A thrown Failure is final; any other error is transient.
 */
export interface ClusterDriver {
  readonly kind: ClusterDriverKind;
  /**
   * All mistakes in what is asked for: ours first, then (when there are none) those that the provider finds in a dry
   * run, in its own words. A provider that does not answer finds nothing: the create itself will wait for it. With
   * `mustAnswer` its silence is thrown instead, as CLUSTER_PROVIDER_UNAVAILABLE.
   */
  check(
    order: ClusterOrder,
    signal?: AbortSignal,
    options?: { readonly mustAnswer?: boolean },
  ): Promise<readonly Problem[]>;
  /** Creates the cluster, or adopts the one that an earlier run created. Refuses a foreign one with CLUSTER_NAME_TAKEN. */
  create(order: ClusterOrder, operationId: OperationId, signal: AbortSignal): Promise<void>;
  /** Answers from what is watched where it can; asks upstream where it cannot. */
  observe(order: ClusterOrder, signal: AbortSignal): Promise<ClusterObservation>;
  /**
   * Begins the deletion, or begins it again when the provider gave it up. An absent cluster and one being deleted are
   * fine; a foreign one is left alone.
   */
  requestDeletion(order: ClusterOrder, signal: AbortSignal): Promise<void>;
  /** Asks the provider to go on with a cluster that it gave up on. Anything else, a foreign one too, is left alone. */
  retry(order: ClusterOrder, signal: AbortSignal): Promise<void>;
  /** What exists upstream of this order now, asked of the provider itself. */
  remains(order: ClusterOrder, signal: AbortSignal): Promise<Remains>;
  /** What `create` would send, in that order, but for the operation's id. Holds no secret. */
  manifests(order: ClusterOrder, signal?: AbortSignal): Promise<readonly Manifest[]>;
  /** Throws KUBECONFIG_UNAVAILABLE while the cluster cannot issue one. */
  issueKubeconfig(request: KubeconfigRequest): Promise<IssuedKubeconfig>;
  /** The key under which changes of this cluster are announced to `onChange` listeners. */
  wakeKey(order: ClusterOrder): WakeKey;
}

/** A driver that does not exist does not compile. */
export type ClusterDrivers = Readonly<Record<ClusterDriverKind, ClusterDriver>>;
