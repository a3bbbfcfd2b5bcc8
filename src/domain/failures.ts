import { nextSteps } from './next-steps.ts';

/** Who has to do something about a failure. */
export type Actor = 'caller' | 'operator' | 'provider';

interface FailureKind {
  /** `extensions.error_code`: what clients of the original match on as a number. */
  readonly errorCode: number;
  /** `extensions.error_reason` and `lastError.reason`. */
  readonly reason: string;
  /** `extensions.error_component` and `lastError.component`. */
  readonly component: string;
  readonly actor: Actor;
  /** What has happened and what helps, for docs/api-reference.md: a sentence without its full stop. */
  readonly means: string;
  /** True when the same request, sent again later, may succeed. */
  readonly retryable: boolean;
}

/**
 * Every failure that a caller can see: the stable name is `extensions.code`.
 * Numbers, reasons and components are those of the original, so that its clients go on matching on them.
 */
// biome-ignore format: a table
export const failureKinds = {
  INVALID_INPUT: kind(400, 'err_provisioner_invalid_input', 'provisioner', 'caller', 'Something in the request is wrong; `problems` names every mistake with its path. Nothing was stored or started'),
  TENANT_MISSING: kind(400, 'err_provisioner_tenant_missing', 'provisioner', 'caller', 'The header `tenant` is missing or empty'),
  NOT_FOUND: kind(2, 'err_db_not_found', 'db - provisioner', 'caller', 'There is no such Runtime or operation, or it belongs to another tenant'),
  ALREADY_EXISTS: kind(3, 'err_db_already_exists', 'db - provisioner', 'caller', 'A Runtime with the given `id` has been provisioned already. Retry its operation, or deprovision it and forget it with `cleanupRuntimeData` first'),
  OPERATION_IN_PROGRESS: kind(400, 'err_provisioner_operation_in_progress', 'provisioner', 'caller', 'Another operation, named in the message, is in progress on the Runtime. Wait for its end', true),
  CONFIGURATION_CHANGED: kind(409, 'err_provisioner_configuration_changed', 'provisioner', 'caller', 'The configuration of the Runtime was changed while the request was looked at; nothing was started. Send it again', true),
  IDEMPOTENCY_KEY_REUSED: kind(400, 'err_provisioner_idempotency_key_reused', 'provisioner', 'caller', 'The `Idempotency-Key` was used for another request. Choose a new key for each request; keep it only to send the same one again'),
  IDEMPOTENCY_KEY_IN_USE: kind(409, 'err_provisioner_idempotency_key_in_use', 'provisioner', 'caller', 'The request with this `Idempotency-Key` is still being carried out. Send it again later to get its answer', true),
  OPERATION_CANCELLED: kind(400, 'err_provisioner_operation_cancelled', 'provisioner', 'caller', 'The operation was cancelled; the message lists what is left. Retry it, or deprovision the Runtime', true),
  NOT_RETRYABLE: kind(400, 'err_provisioner_not_retryable', 'provisioner', 'caller', 'The operation cannot be retried; the message says why'),
  HIBERNATED: kind(400, 'err_provisioner_hibernated', 'provisioner', 'caller', 'The cluster is hibernated, so that nothing in it answers. Wake it up with `wakeUpRuntime` first'),
  ROLLBACK_REFUSED: kind(400, 'err_provisioner_rollback_refused', 'provisioner', 'caller', 'Only an upgrade that is the last operation of its Runtime, and has ended, can be rolled back'),
  RUNTIME_NOT_READY: kind(400, 'err_provisioner_runtime_not_ready', 'provisioner', 'caller', 'The Runtime is not complete, or its cluster is not well; the message says what to do first'),
  NOT_SUPPORTED: kind(400, 'err_provisioner_not_supported', 'provisioner', 'caller', 'This service cannot do that; nothing was changed'),
  LIMIT_EXCEEDED: kind(400, 'err_provisioner_limit_exceeded', 'provisioner', 'caller', 'The request asks for more than one request may: `limit` names what of, `found` and `allowed` how much. Nothing was carried out. Ask for less, or in several requests'),
  REQUEST_TIMEOUT: kind(504, 'err_provisioner_request_timeout', 'provisioner', 'operator', 'The request was not answered in time. A mutation may have been accepted all the same: look before it is sent again, unless it had an `Idempotency-Key`', true),
  INTERNAL: kind(500, 'err_provisioner_internal', 'provisioner', 'operator', 'Something unexpected. As the answer to a request it has a `correlation_id`, which finds the cause in the log; in an operation it is the error of the latest try, and the try is repeated', true),
  TIMEOUT: kind(500, 'err_provisioner_timeout', 'provisioner', 'operator', 'A stage did not finish within its time limit; the message ends with what it waited for', true),
  STAGE_NOT_FOUND: kind(500, 'err_provisioner_step_not_found', 'provisioner', 'operator', 'The operation is at a stage that this version of the service does not have'),
  DATABASE_UNAVAILABLE: kind(1, 'err_db_internal', 'db - provisioner', 'operator', 'The database does not answer. A mutation may have been accepted all the same: look before it is sent again, unless it had an `Idempotency-Key`', true),

  CLUSTER_REJECTED: kind(400, 'err_gardener_rejected', 'gardener', 'caller', "Gardener, or Google Kubernetes Engine, refuses the cluster; the message is its own"),
  CLUSTER_NAME_TAKEN: kind(400, 'err_gardener_name_taken', 'gardener', 'caller', 'The name of the cluster belongs to something else. Choose another one, or leave it out'),
  CLUSTER_EXISTS: kind(400, 'err_provisioner_cluster_exists', 'provisioner', 'caller', 'The data of a Runtime can be removed only after its cluster is gone. Deprovision it first'),
  CLUSTER_FAILED: kind(500, 'err_gardener_cluster_failed', 'gardener', 'caller', "Gardener, or Google Kubernetes Engine, gave up on the cluster, for a reason that lies in the order or in the cloud account; `reason` holds its codes, and the message what to do"),
  CLUSTER_FAILED_PROVIDER: kind(500, 'err_gardener_cluster_failed', 'gardener', 'provider', 'Gardener, or Google Kubernetes Engine, gave up on the cluster, for a reason that lies with the cloud, such as missing capacity, or for one that it does not classify', true),
  CLUSTER_NO_SEED: kind(500, 'err_gardener_no_seed', 'gardener', 'operator', "Gardener found no Seed for the cluster's control plane within the time limit; the message holds the reason of its scheduler", true),
  CLUSTER_LOST: kind(500, 'err_gardener_cluster_lost', 'gardener', 'operator', 'The cluster was deleted, but not through this service. Deprovision the Runtime and provision a new one'),
  CLUSTER_PROVIDER_UNAVAILABLE: kind(502, 'err_gardener_unavailable', 'k8s client - gardener', 'operator', 'Gardener does not answer, or does not know the namespace of the project; or Google Kubernetes Engine does not answer', true),
  CLUSTER_PROVIDER_FORBIDDEN: kind(502, 'err_gardener_forbidden', 'k8s client - gardener', 'operator', 'The service account that this service uses in the Garden lacks a permission; the message names it'),
  CREDENTIALS_INVALID: kind(400, 'err_provisioner_credentials_invalid', 'provisioner', 'caller', 'The Secret with the credentials of the cloud is missing, or does not hold the key of a service account; the message says what is wrong and how a right one is made'),
  CREDENTIALS_REFUSED: kind(400, 'err_gke_credentials_refused', 'google kubernetes engine', 'caller', 'The cloud refuses the credentials of the Secret, or they lack a permission; the message says which'),
  HIBERNATION_REFUSED: kind(400, 'err_gardener_hibernation_refused', 'gardener', 'caller', "The cluster cannot be hibernated, or not be woken up, as it is now; the message holds Gardener's reason"),
  KUBECONFIG_REFUSED: kind(500, 'err_kubeconfig_refused', 'k8s client - cluster', 'operator', 'A kubeconfig cannot be read, or holds what is not allowed, such as a command to run; the message names the field and the cure'),
  KUBECONFIG_UNAVAILABLE: kind(502, 'err_kubeconfig_unavailable', 'gardener', 'operator', 'The cluster cannot issue a kubeconfig now, such as while it is made or does not run', true),

  CLUSTER_UNREACHABLE: kind(502, 'err_cluster_unreachable', 'k8s client - cluster', 'operator', "The API server of the Runtime's cluster does not answer; nothing was started", true),

  NOT_RECONNECTABLE: kind(400, 'err_provisioner_not_reconnectable', 'provisioner', 'caller', 'The Runtime Agent cannot be connected anew; the message says what is missing: a registration in the Director, Kyma, or the agent in the cluster'),
  AGENT_CONNECTION_FAILED: kind(500, 'err_agent_connection_failed', 'compass connection', 'operator', "The Runtime Agent did not get a connection with any of its new tokens; the message ends with the agent's own words", true),

  KYMA_RELEASE_NOT_FOUND: kind(400, 'err_kyma_release_not_found', 'kyma installer', 'caller', 'The catalogue has no such channel or release; the message names those it has'),
  KYMA_CATALOGUE_UNAVAILABLE: kind(502, 'err_kyma_catalogue_unavailable', 'kyma installer', 'operator', 'The catalogue of Kyma releases cannot be read from its address, and none was read before; nothing was started', true),
  KYMA_COMPONENT_INVALID: kind(400, 'err_kyma_component_invalid', 'kyma installer', 'caller', 'A component is not in the release, or its namespace or configuration cannot be used'),
  KYMA_ARTIFACT_INVALID: kind(502, 'err_kyma_artifact_invalid', 'kyma installer', 'operator', 'A file of the Kyma release cannot be fetched as the catalogue describes it, such as with another digest'),
  KYMA_INSTALLATION_FAILED: kind(500, 'err_check_kyma_installation_state', 'kyma installer', 'operator', 'The cluster refuses something that Kyma consists of; the message says what and why', true),

  DIRECTOR_UNAVAILABLE: kind(502, 'err_director_unavailable', 'compass director client', 'operator', 'The Director does not answer, or not in time; nothing was started', true),
  DIRECTOR_UNAUTHORIZED: kind(502, 'err_director_unauthorized', 'mps oauth2', 'operator', 'The Director, or the token endpoint before it, refuses the credentials of this service'),
  DIRECTOR_TENANT_INVALID: kind(400, 'TenantNotFound', 'compass director', 'caller', 'The Director does not know the tenant'),
  DIRECTOR_REJECTED: kind(400, 'InvalidData', 'compass director', 'caller', "The Director refuses the Runtime's name, description or labels; the message is the Director's own"),
  DIRECTOR_RUNTIME_NOT_FOUND: kind(400, 'NotFound', 'compass director', 'caller', 'The Director does not know a Runtime with that id in this tenant'),
  DIRECTOR_CONFLICT: kind(502, 'NotUnique', 'compass director', 'operator', 'The Director refuses the call because of something else that is registered there'),
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof failureKinds;

/** What an operation in progress waits out: whoever must act can do so meanwhile, and nothing of its work is wrong. */
export const waitedOut: ReadonlySet<FailureCode> = new Set(['DATABASE_UNAVAILABLE', 'DIRECTOR_UNAUTHORIZED']);

/**
 * A failure meant for a caller: a code from the table and a sentence that says what is wrong and what is right.
 * Everything else that is thrown is unexpected: transient for a stage, masked at the API.
 * `cause` is for the log only; it never reaches a caller.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  /** Replaces the table's reason with the outside world's own code(s), such as `ERR_INFRA_QUOTA_EXCEEDED`. */
  readonly reason: string;
  /** Replaces the table's component with the one that failed, where several do the same work. */
  readonly component: string;
  /** Path in the input that is at fault, such as `config.clusterConfig.gardenerConfig.workerCidr`. */
  readonly path: string | undefined;
  /** What to do about it: a sentence; undefined for what only happens to requests. */
  readonly nextStep: string | undefined;

  constructor(
    code: FailureCode,
    message: string,
    details: { cause?: unknown; reason?: string; component?: string; path?: string; nextStep?: string } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.reason = details.reason ?? failureKinds[code].reason;
    this.component = details.component ?? failureKinds[code].component;
    this.path = details.path;
    this.nextStep = details.nextStep ?? nextSteps[code];
  }

  get kind(): FailureKind {
    return failureKinds[this.code];
  }
}

/** What is stored in an operation and answered as `lastError`: no stack, no cause, no secret. */
export interface RecordedError {
  readonly code: FailureCode;
  readonly message: string;
  readonly reason: string;
  readonly component: string;
  readonly actor: Actor;
  readonly retryable: boolean;
  readonly nextStep?: string | undefined;
}

export function recordError(failure: Failure): RecordedError {
  const { actor, retryable } = failure.kind;
  const { code, message, reason, component, nextStep } = failure;
  return { code, message, reason, component, actor, retryable, ...(nextStep !== undefined && { nextStep }) };
}

/** One mistake in an input. A check collects all of them before it refuses. */
export interface Problem {
  /** Dotted path in the mutation's arguments. */
  readonly path: string;
  readonly message: string;
  readonly code?: FailureCode;
  /** Replace those of the code, as in a Failure. */
  readonly reason?: string;
  readonly component?: string;
}

function kind(
  errorCode: number,
  reason: string,
  component: string,
  actor: Actor,
  means: string,
  retryable = false,
): FailureKind {
  return { errorCode, reason, component, actor, means, retryable };
}
