/** Error codes as Gardener reports them in `status.lastErrors[].codes`. */
export const errorCodes = [
  'ERR_INFRA_UNAUTHENTICATED',
  'ERR_INFRA_UNAUTHORIZED',
  'ERR_INFRA_QUOTA_EXCEEDED',
  'ERR_INFRA_RATE_LIMITS_EXCEEDED',
  'ERR_INFRA_DEPENDENCIES',
  'ERR_RETRYABLE_INFRA_DEPENDENCIES',
  'ERR_INFRA_RESOURCES_DEPLETED',
  'ERR_CLEANUP_CLUSTER_RESOURCES',
  'ERR_CONFIGURATION_PROBLEM',
  'ERR_RETRYABLE_CONFIGURATION_PROBLEM',
  'ERR_PROBLEMATIC_WEBHOOK',
] as const;
export type ShootErrorCode = (typeof errorCodes)[number];

/** The steps of a Shoot's operation, in order. */
export const shootStages = ['namespace', 'infrastructure', 'etcd', 'apiserver', 'workers', 'systemComponents'] as const;
export type ShootStage = (typeof shootStages)[number];

export type ShootOperationType = 'Create' | 'Reconcile' | 'Delete';

interface Where {
  /** `infrastructure` when not given. */
  readonly at?: ShootStage;
  /** Every operation but `Delete` when not given. */
  readonly during?: ShootOperationType;
}

/** What becomes of a Shoot instead of success. */
export type ShootFate =
  /** The scheduler finds no seed until the fate is lifted. */
  | { readonly kind: 'noSeed' }
  /** Its gardenlet takes up no change until the fate is lifted; a deletion it does. */
  | { readonly kind: 'unseen' }
  /** A webhook in the cluster might keep it from waking up, so that it may not be hibernated until the fate is lifted. */
  | { readonly kind: 'problematicWebhook' }
  /** The operation stays at the stage until the fate is lifted. */
  | ({ readonly kind: 'stuck' } & Where)
  /** The operation ends in the state Error `times` times (default 1); each time Gardener tries again, in the end with success. */
  | ({
      readonly kind: 'error';
      readonly codes?: readonly ShootErrorCode[];
      readonly times?: number;
      readonly description?: string;
    } & Where)
  /** The operation ends in the state Failed. After the fate is lifted a `retry` or a change of the spec goes on. */
  | ({ readonly kind: 'failed'; readonly codes?: readonly ShootErrorCode[]; readonly description?: string } & Where);

/** What an operation can meet on its way. */
export type StrikingFate = Exclude<ShootFate, { kind: 'noSeed' | 'unseen' | 'problematicWebhook' }>;

interface ActiveFate {
  readonly fate: ShootFate;
  errorsLeft: number;
}

/** The fates that are set, by the Shoot's name; `*` is that of every Shoot without its own. */
export class ShootFates {
  readonly #fates = new Map<string, ActiveFate>();
  readonly #listeners = new Set<() => void>();

  /** May be set before the Shoot exists. */
  set(shoot: string, fate: ShootFate): void {
    this.#fates.set(shoot, { fate, errorsLeft: fate.kind === 'error' ? (fate.times ?? 1) : Number.POSITIVE_INFINITY });
    this.#announce();
  }

  /** All fates when no Shoot is named. */
  lift(shoot?: string): void {
    if (shoot === undefined) this.#fates.clear();
    else this.#fates.delete(shoot);
    this.#announce();
  }

  list(): Record<string, ShootFate> {
    return Object.fromEntries([...this.#fates].map(([shoot, { fate }]) => [shoot, fate]));
  }

  leavesWithoutSeed(shoot: string): boolean {
    return this.#find(shoot)?.fate.kind === 'noSeed';
  }

  leavesUnseen(shoot: string): boolean {
    return this.#find(shoot)?.fate.kind === 'unseen';
  }

  hasProblematicWebhook(shoot: string): boolean {
    return this.#find(shoot)?.fate.kind === 'problematicWebhook';
  }

  /** The fate that strikes at this point; an `error` is used up by it. */
  strikes(shoot: string, type: ShootOperationType, stage: ShootStage): StrikingFate | undefined {
    const active = this.#find(shoot);
    if (!active || active.errorsLeft <= 0) return undefined;
    const { fate } = active;
    if (fate.kind === 'noSeed' || fate.kind === 'unseen' || fate.kind === 'problematicWebhook') return undefined;
    const { at = 'infrastructure', during } = fate;
    const applies = during === undefined ? type !== 'Delete' : during === type;
    if (at !== stage || !applies) return undefined;
    active.errorsLeft -= 1;
    return fate;
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #find(shoot: string): ActiveFate | undefined {
    return this.#fates.get(shoot) ?? this.#fates.get('*');
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

const descriptions: Readonly<Record<ShootErrorCode, string>> = {
  ERR_INFRA_UNAUTHENTICATED: 'googleapi: Error 401: Request had invalid authentication credentials., authError',
  ERR_INFRA_UNAUTHORIZED:
    "googleapi: Error 403: Required 'compute.networks.create' permission for 'projects/demo', forbidden",
  ERR_INFRA_QUOTA_EXCEEDED:
    "googleapi: Error 403: Quota 'CPUS' exceeded. Limit: 24.0 in region europe-west3., quotaExceeded",
  ERR_INFRA_RATE_LIMITS_EXCEEDED:
    "googleapi: Error 403: Quota exceeded for quota metric 'Queries' and limit 'Queries per minute', rateLimitExceeded",
  ERR_INFRA_DEPENDENCIES:
    "googleapi: Error 400: The network resource is already being used by 'projects/demo/global/firewalls/allow', resourceInUseByAnotherResource",
  ERR_RETRYABLE_INFRA_DEPENDENCIES:
    'the resource is still in use and will be tried again: RetryableError when calling the cloud provider',
  ERR_INFRA_RESOURCES_DEPLETED:
    "The zone 'projects/demo/zones/europe-west3-a' does not have enough resources available to fulfill the request., ZONE_RESOURCE_POOL_EXHAUSTED",
  ERR_CLEANUP_CLUSTER_RESOURCES:
    'failed to clean up cluster resources: 1 object(s) with finalizers remain in namespace "default"',
  ERR_CONFIGURATION_PROBLEM: 'the volume type is not supported by the machine type: InvalidParameterCombination',
  ERR_RETRYABLE_CONFIGURATION_PROBLEM:
    'pod disruption budget "default/web" is misconfigured and requires zero voluntary evictions',
  ERR_PROBLEMATIC_WEBHOOK: 'webhook "validate.example.com" is problematic: failurePolicy=Fail for nodes in kube-system',
};

/** What Gardener writes for an error: the task that failed, then the cloud's own words. */
export function describeError(
  fate: { codes?: readonly ShootErrorCode[]; description?: string },
  task: string,
  technicalId: string,
): string {
  const [code] = fate.codes ?? [];
  const words = fate.description ?? (code ? descriptions[code] : 'unexpected error');
  return `task "${task}" failed: Error while waiting for ${technicalId} to become ready: extension encountered error during reconciliation: ${words}`;
}
