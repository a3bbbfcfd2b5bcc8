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
  /** True when the same request, sent again later, may succeed. */
  readonly retryable: boolean;
}

/**
 * Every failure that a caller can see: the stable name is `extensions.code`.
 * Numbers, reasons and components are those of the original, so that its clients go on matching on them.
 */
export const failureKinds = {
  INVALID_INPUT: kind(400, 'err_provisioner_invalid_input', 'provisioner', 'caller'),
  TENANT_MISSING: kind(400, 'err_provisioner_tenant_missing', 'provisioner', 'caller'),
  NOT_FOUND: kind(2, 'err_db_not_found', 'db - provisioner', 'caller'),
  ALREADY_EXISTS: kind(3, 'err_db_already_exists', 'db - provisioner', 'caller'),
  OPERATION_IN_PROGRESS: kind(400, 'err_provisioner_operation_in_progress', 'provisioner', 'caller', true),
  NOT_SUPPORTED: kind(400, 'err_provisioner_not_supported', 'provisioner', 'caller'),
  INTERNAL: kind(500, 'err_provisioner_internal', 'provisioner', 'operator', true),
  TIMEOUT: kind(500, 'err_provisioner_timeout', 'provisioner', 'operator', true),
  STAGE_NOT_FOUND: kind(500, 'err_provisioner_step_not_found', 'provisioner', 'operator'),
  DATABASE_UNAVAILABLE: kind(1, 'err_db_internal', 'db - provisioner', 'operator', true),
  SHUTTING_DOWN: kind(503, 'err_provisioner_shutting_down', 'provisioner', 'operator', true),

  CLUSTER_REJECTED: kind(400, 'err_gardener_rejected', 'gardener', 'caller'),
  CLUSTER_NAME_TAKEN: kind(400, 'err_gardener_name_taken', 'gardener', 'caller'),
  CLUSTER_EXISTS: kind(400, 'err_provisioner_cluster_exists', 'provisioner', 'caller'),
  CLUSTER_FAILED: kind(500, 'err_gardener_cluster_failed', 'gardener', 'caller'),
  CLUSTER_FAILED_PROVIDER: kind(500, 'err_gardener_cluster_failed', 'gardener', 'provider', true),
  CLUSTER_LOST: kind(500, 'err_gardener_cluster_lost', 'gardener', 'operator'),
  CLUSTER_UNREACHABLE: kind(502, 'err_cluster_unreachable', 'k8s client - cluster', 'provider', true),
  CLUSTER_PROVIDER_UNAVAILABLE: kind(502, 'err_gardener_unavailable', 'k8s client - gardener', 'operator', true),
  CLUSTER_PROVIDER_FORBIDDEN: kind(502, 'err_gardener_forbidden', 'k8s client - gardener', 'operator'),
  KUBECONFIG_REFUSED: kind(500, 'err_kubeconfig_refused', 'k8s client - cluster', 'operator'),
  KUBECONFIG_UNAVAILABLE: kind(502, 'err_kubeconfig_unavailable', 'gardener', 'operator', true),

  KYMA_RELEASE_NOT_FOUND: kind(400, 'err_kyma_release_not_found', 'kyma installer', 'caller'),
  KYMA_COMPONENT_INVALID: kind(400, 'err_kyma_component_invalid', 'kyma installer', 'caller'),
  KYMA_ARTIFACT_INVALID: kind(502, 'err_kyma_artifact_invalid', 'kyma installer', 'operator'),
  KYMA_INSTALLATION_FAILED: kind(500, 'err_check_kyma_installation_state', 'kyma installer', 'operator', true),

  DIRECTOR_UNAVAILABLE: kind(502, 'err_director_unavailable', 'compass director client', 'operator', true),
  DIRECTOR_UNAUTHORIZED: kind(502, 'err_director_unauthorized', 'mps oauth2', 'operator'),
  DIRECTOR_TENANT_INVALID: kind(400, 'TenantNotFound', 'compass director', 'caller'),
  DIRECTOR_REJECTED: kind(400, 'InvalidData', 'compass director', 'caller'),
  DIRECTOR_RUNTIME_NOT_FOUND: kind(400, 'NotFound', 'compass director', 'caller'),
  DIRECTOR_CONFLICT: kind(502, 'NotUnique', 'compass director', 'operator'),

  AGENT_CONNECTION_FAILED: kind(500, 'err_compass_connection_failed', 'compass connection', 'operator', true),
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof failureKinds;

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
  /** Path in the input that is at fault, such as `config.clusterConfig.gardenerConfig.workerCidr`. */
  readonly path: string | undefined;

  constructor(code: FailureCode, message: string, details: { cause?: unknown; reason?: string; path?: string } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.reason = details.reason ?? failureKinds[code].reason;
    this.path = details.path;
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
}

export function recordError(failure: Failure): RecordedError {
  const { component, actor, retryable } = failure.kind;
  return { code: failure.code, message: failure.message, reason: failure.reason, component, actor, retryable };
}

/** One mistake in an input. A check collects all of them before it refuses. */
export interface Problem {
  /** Dotted path in the mutation's arguments. */
  readonly path: string;
  readonly message: string;
  readonly code?: FailureCode;
}

function kind(errorCode: number, reason: string, component: string, actor: Actor, retryable = false): FailureKind {
  return { errorCode, reason, component, actor, retryable };
}
