import { Failure, type FailureCode } from '../../../domain/failures.ts';
import type { Obstacle } from '../../../domain/outcome.ts';
import type { Shoot, ShootStatus } from './shoot.ts';

interface ErrorCode {
  readonly failure: Extract<FailureCode, 'CLUSTER_FAILED' | 'CLUSTER_FAILED_PROVIDER'>;
  /** What it means, and what can be done about it. */
  readonly advice: string;
}

const rateLimits = 'ERR_INFRA_RATE_LIMITS_EXCEEDED';

const byCaller = (advice: string): ErrorCode => ({ failure: 'CLUSTER_FAILED', advice });
const byProvider = (advice: string): ErrorCode => ({ failure: 'CLUSTER_FAILED_PROVIDER', advice });

/**
 * Gardener sorts what clouds say into these by matching patterns, and is sometimes wrong: its words are kept, too.
 * After those of the caller a retry helps once the cause is gone, after those of the provider perhaps by itself.
 */
const errorCodes: Readonly<Record<string, ErrorCode>> = {
  ERR_INFRA_UNAUTHENTICATED: byCaller('the cloud refuses the credentials of targetSecret: renew them'),
  ERR_INFRA_UNAUTHORIZED: byCaller('the credentials of targetSecret lack permissions in the cloud: grant them'),
  ERR_INFRA_DEPENDENCIES: byCaller('something in the cloud account stands in the way: remove or repair it'),
  ERR_INFRA_QUOTA_EXCEEDED: byCaller('a quota of the cloud account is used up: raise it or ask for less'),
  ERR_CONFIGURATION_PROBLEM: byCaller('the configuration cannot work: change it'),
  ERR_RETRYABLE_CONFIGURATION_PROBLEM: byCaller('the configuration or the state of the cluster cannot work: change it'),
  ERR_PROBLEMATIC_WEBHOOK: byCaller('a webhook in the cluster stands in the way: remove or repair it'),
  ERR_CLEANUP_CLUSTER_RESOURCES: byCaller('resources in the cluster resist their deletion: remove them'),
  ERR_INFRA_RESOURCES_DEPLETED: byProvider(
    'the cloud has no capacity left of what was asked for: wait, or ask for other zones or machines',
  ),
  ERR_RETRYABLE_INFRA_DEPENDENCIES: byProvider('something in the cloud is not available: wait'),
  [rateLimits]: byProvider('the cloud asks for fewer requests: wait'),
};

/** The codes that Gardener gives for a Shoot, each once. */
export function codesOf(status: ShootStatus): readonly string[] {
  return [...new Set(status.lastErrors?.flatMap(({ codes }) => codes ?? []) ?? [])];
}

/** Gardener stops at a rate limit, too, but goes on by itself some ten minutes later. */
export function goesOnByItself(codes: readonly string[]): boolean {
  return codes.length > 0 && codes.every((code) => code === rateLimits);
}

/** What is in the way of a Shoot that Gardener goes on with, by the errors of its latest tries. */
export function obstacleOf(status: ShootStatus): Obstacle | undefined {
  const codes = codesOf(status);
  const nextStep = nextStepFor(status, 'retryOperation');
  return codes.length === 0 || nextStep === undefined ? undefined : { reason: codes.join(','), nextStep };
}

/** Each description once, without one that was told already, and what the codes mean. */
export function tellErrors(status: ShootStatus, told?: string): string {
  const descriptions = status.lastErrors?.flatMap(({ description }) => description ?? []) ?? [];
  const words = [...new Set(descriptions)].filter((text) => text !== told).join(' ');
  const advice = adviceOf(status);
  return advice === '' ? words : `${words} (${advice})`.trimStart();
}

/** The Failure for a Shoot on which Gardener gave up; it says who must act, by the codes. */
export function failureOf(shoot: Shoot): Failure {
  const { status = {} } = shoot;
  const { lastOperation, lastErrors = [] } = status;
  const codes = codesOf(status);
  const code = known(status).some(({ failure }) => failure === 'CLUSTER_FAILED')
    ? 'CLUSTER_FAILED'
    : 'CLUSTER_FAILED_PROVIDER';
  const deletion = lastOperation?.type === 'Delete';
  const descriptions = [lastOperation?.description, ...lastErrors.map(({ description }) => description)];
  const words = [...new Set(descriptions.filter((text) => text))].join(' ');
  // The first sentence is the original's, which its clients look for.
  const message = `cluster ${deletion ? 'deletion' : 'provisioning'} failed. Last Shoot state: ${lastOperation?.state}, Shoot description: ${words}`;
  const advice = adviceOf(status);
  const nextStep = nextStepFor(status, deletion ? 'deprovisionRuntime again' : 'retryOperation, or deprovisionRuntime');
  return new Failure(code, advice === '' ? message : `${message} (${advice})`, {
    ...(codes.length > 0 && { reason: codes.join(',') }),
    ...(nextStep !== undefined && { nextStep }),
  });
}

function known(status: ShootStatus): readonly ErrorCode[] {
  return codesOf(status).flatMap((code) => (Object.hasOwn(errorCodes, code) ? (errorCodes[code] ?? []) : []));
}

function adviceOf(status: ShootStatus): string {
  return [...new Set(known(status).map(({ advice }) => advice))].join('; ');
}

/** Undefined when no code is known: then the failure's own next step is as good as any. */
function nextStepFor(status: ShootStatus, mutation: string): string | undefined {
  const advice = adviceOf(status);
  return advice === '' ? undefined : `${advice[0]?.toUpperCase()}${advice.slice(1)}; then send ${mutation}.`;
}
