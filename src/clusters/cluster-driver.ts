import type { Failure, Problem } from '../domain/failures.ts';
import type { OperationId, RuntimeId, Tenant } from '../domain/ids.ts';
import type { Obstacle, Pace, WakeKey } from '../domain/outcome.ts';
import type { OwnedObjects } from '../domain/owned-objects.ts';
import type { FieldChange } from '../domain/plan.ts';
import type { ClusterDriverKind, ClusterRecord } from '../domain/runtime.ts';
import type { Secret } from '../domain/secret.ts';

/** Everything a driver may need to know about the Runtime whose cluster it makes. */
export interface ClusterOrder<Cluster extends ClusterRecord = ClusterRecord> {
  readonly runtimeId: RuntimeId;
  readonly tenant: Tenant;
  readonly subAccount: string | undefined;
  readonly cluster: Cluster;
}

/** Whether a cluster sleeps: then it keeps what is in it, but nothing in it runs or answers. */
export interface Hibernation {
  /** What was asked for last. */
  readonly wanted: boolean;
  /** As it is; differs from `wanted` while it falls asleep or wakes up. */
  readonly hibernated: boolean;
  /** Why it cannot be hibernated now, in the provider's words. */
  readonly obstacle?: string;
}

export type HibernationChange = 'hibernate' | 'wakeUp';

interface Waiting {
  /** In the provider's words. */
  readonly message: string;
  readonly progress?: number;
  /** Set when somebody has to do something before it goes on. */
  readonly obstacle?: Obstacle | undefined;
}

/**
 * What is known of a cluster now. `domain` and `seed` appear as soon as the cluster has them, whatever its state;
 * `hibernation` where the driver's clusters can sleep. `ready` is awake, `hibernated` sleeps as it should.
 * `failed` means that nothing will happen any more without somebody's help; everything that heals is `changing`.
 */
export type ClusterObservation = {
  readonly domain?: string;
  readonly seed?: string;
  /** The provider has not taken up the newest change yet. */
  readonly unseen?: true;
  readonly hibernation?: Hibernation;
} & (
  | { readonly state: 'absent' }
  | ({ readonly state: 'changing' } & Waiting)
  | { readonly state: 'ready' }
  | { readonly state: 'hibernated' }
  | ({ readonly state: 'deleting' } & Waiting)
  /** `beyondRepair`: no retry helps; the cluster has to be deleted and made anew. */
  | { readonly state: 'failed'; readonly failure: Failure; readonly beyondRepair?: true }
);

export interface Remains {
  /** Whether the cluster itself exists. */
  readonly cluster: boolean;
  /** For each thing that exists, such as `Shoot is ready`; none proves that there is nothing. */
  readonly words: readonly string[];
}

/** An object as it is sent to a Kubernetes API, or the body of a request to another one. */
export type Manifest = Readonly<Record<string, unknown>>;

/** An object that exists already, and what is sent to change it. */
export interface ChangeManifest {
  /** Such as `Shoot demo`. */
  readonly subject: string;
  /** JSON merge patch, or the body of a request. */
  readonly manifest: Manifest;
  /** In the words of the configuration; undefined means that there is none. */
  readonly fields: readonly FieldChange[];
}

/** What is to become of a cluster that is there. */
export interface ClusterChange<Cluster extends ClusterRecord = ClusterRecord> {
  /** With the configuration that the cluster has been given so far. */
  readonly order: ClusterOrder<Cluster>;
  /** The whole configuration that it is to have. */
  readonly target: Cluster['config'];
  /** Fields of `target` that were asked for, whether they differ or not. Nothing else of the cluster is touched. */
  readonly fields: readonly string[];
}

export interface CheckedChange<Cluster extends ClusterRecord = ClusterRecord> {
  /** Paths are those of the fields in `target`, such as `machineType`; the empty one is the cluster as a whole. */
  readonly problems: readonly Problem[];
  /** As it is to be stored: with what the cluster has got in the meantime and keeps, such as a newer version. */
  readonly target: Cluster['config'];
  /** A sentence for each field that does not get what was asked for, because the cluster has something newer. */
  readonly kept: readonly string[];
}

/** Stands for a state of a cluster, to be remembered; every later state includes it. Only its driver can read it. */
export type ClusterRevision = string;

export interface BegunChange {
  readonly revision: ClusterRevision;
  /** As in CheckedChange. */
  readonly kept: readonly string[];
}

export interface KubeconfigRequest<Cluster extends ClusterRecord = ClusterRecord> {
  /** A kubeconfig that never leaves this service may hold more than a user's, who is meant when nobody is named. */
  readonly holder?: 'service' | 'user';
  readonly order: ClusterOrder<Cluster>;
  readonly role: 'admin' | 'viewer';
  readonly lifetimeSeconds: number;
  readonly signal?: AbortSignal;
}

export interface IssuedKubeconfig {
  /** YAML, sanitised: certificates and tokens inline, nothing to execute, no file path. */
  readonly kubeconfig: Secret;
  /** As it was granted, which may be sooner than asked for; undefined when the provider does not say. */
  readonly expiresAt: Date | undefined;
}

/**
 * Makes clusters of one kind. Every call may be repeated at any time, and none waits for the cloud: long work is begun
 * by one call and seen through `observe`. A thrown Failure is final; any other error is transient.
 */
export interface ClusterDriver<Cluster extends ClusterRecord = ClusterRecord> {
  readonly kind: Cluster['driver'];
  /**
   * The cluster as it is to be stored and made: with what the caller left open and the provider offers a choice of. It
   * completes as well as it can, and never fails.
   */
  complete(order: ClusterOrder<Cluster>): Promise<Cluster>;
  /**
   * All mistakes in what is asked for: ours first, then (when there are none) those that the provider finds in a dry
   * run, in its own words. A provider that does not answer finds nothing: the create itself will wait for it. With
   * `mustAnswer` its silence is thrown instead, as CLUSTER_PROVIDER_UNAVAILABLE.
   */
  check(
    order: ClusterOrder<Cluster>,
    signal?: AbortSignal,
    options?: { readonly mustAnswer?: boolean },
  ): Promise<readonly Problem[]>;
  /** Creates the cluster, or adopts the one that an earlier run created. Refuses a foreign one with CLUSTER_NAME_TAKEN. */
  create(order: ClusterOrder<Cluster>, operationId: OperationId, signal: AbortSignal): Promise<void>;
  /** Adds to a cluster that is being made what depends on the Seed that the provider has chosen for it. */
  settle?(order: ClusterOrder<Cluster>, seed: string, signal: AbortSignal): Promise<void>;
  /**
   * All that is wrong with a change of the cluster, as `check` finds it, with a dry run of the change itself. A cluster
   * that is not there any more is a problem with the code CLUSTER_LOST.
   */
  checkChange(
    change: ClusterChange<Cluster>,
    signal?: AbortSignal,
    options?: { readonly mustAnswer?: boolean },
  ): Promise<CheckedChange<Cluster>>;
  /** What `change` would send now; nothing when the cluster is so already. Holds no secret. */
  planChange(change: ClusterChange<Cluster>, signal: AbortSignal): Promise<readonly ChangeManifest[]>;
  /**
   * Gives the cluster what was asked for; one that has it already is left alone. Throws CLUSTER_LOST when it is not
   * there any more. From then on the fields that were asked for are observed with `since`.
   */
  change(change: ClusterChange<Cluster>, operationId: OperationId, signal: AbortSignal): Promise<BegunChange>;
  /**
   * Answers from what is watched where it can; asks upstream where it cannot. With `since` it never answers from a state
   * before that one: `ready` and `hibernated` mean that the provider has finished what was asked for there.
   */
  observe(
    order: ClusterOrder<Cluster>,
    signal: AbortSignal,
    options?: { readonly since?: ClusterRevision | undefined },
  ): Promise<ClusterObservation>;
  /**
   * Begins the deletion, or begins it again when the provider gave it up. An absent cluster and one being deleted are
   * fine; a foreign one is left alone.
   */
  requestDeletion(order: ClusterOrder<Cluster>, signal: AbortSignal): Promise<void>;
  /**
   * Throws HIBERNATION_REFUSED, with the provider's reason, when `changeHibernation` would; NOT_SUPPORTED where clusters
   * cannot sleep. A provider that does not answer refuses nothing.
   */
  checkHibernation(order: ClusterOrder<Cluster>, change: HibernationChange, signal: AbortSignal): Promise<void>;
  /**
   * Begins to hibernate the cluster or to wake it up; one for which that was asked before is left alone. Throws
   * CLUSTER_LOST when it is not there any more, and what `checkHibernation` throws. Answers what to observe it with.
   */
  changeHibernation(
    order: ClusterOrder<Cluster>,
    change: HibernationChange,
    signal: AbortSignal,
  ): Promise<ClusterRevision>;
  /** Asks the provider to go on with a cluster that it gave up on. Anything else, a foreign one too, is left alone. */
  retry(order: ClusterOrder<Cluster>, signal: AbortSignal): Promise<void>;
  /** What exists upstream of this order now, asked of the provider itself. */
  remains(order: ClusterOrder<Cluster>, signal: AbortSignal): Promise<Remains>;
  /** What `create` would send, in that order, but for the operation's id. Holds no secret. */
  manifests(order: ClusterOrder<Cluster>, signal?: AbortSignal): Promise<readonly Manifest[]>;
  /** Throws KUBECONFIG_UNAVAILABLE while the cluster cannot issue one. */
  issueKubeconfig(request: KubeconfigRequest<Cluster>): Promise<IssuedKubeconfig>;
  /** The key under which changes of this cluster are announced to `onChange` listeners. */
  wakeKey(order: ClusterOrder<Cluster>): WakeKey;
  /** When a cluster is looked at that nothing was announced of; `whenWoken` when not given. */
  readonly safetyNet?: Pace;
  /** Clusters that bear the mark of this service, whether or not it knows their Runtimes. */
  readonly owned: OwnedObjects;
}

/** A driver that does not exist does not compile. */
export type ClusterDrivers = Readonly<Record<ClusterDriverKind, ClusterDriver>>;
