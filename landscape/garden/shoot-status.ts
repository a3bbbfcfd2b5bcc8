import type { KubeObject } from '../kubernetes/resource-type.ts';
import type { ShootOperationType } from './shoot-fates.ts';

export const gardenerVersion = 'v1.149.3';

export interface LastOperation {
  readonly type: ShootOperationType;
  readonly state: 'Processing' | 'Succeeded' | 'Error' | 'Failed' | 'Pending';
  readonly progress: number;
  readonly description: string;
}

export type Health = 'healthy' | 'progressing' | 'unhealthy';

const conditionTypes = [
  'APIServerAvailable',
  'ControlPlaneHealthy',
  'ObservabilityComponentsHealthy',
  'EveryNodeReady',
  'SystemComponentsHealthy',
];

const constraintTypes: Readonly<Record<string, string>> = {
  HibernationPossible: 'No problematic webhooks found.',
  MaintenancePreconditionsSatisfied: 'No problematic webhooks found.',
  CACertificateValiditiesAcceptable: 'CA certificates are still valid for a long time.',
};

const problematicWebhook =
  'ValidatingWebhookConfiguration "policy" is problematic: webhook "pods.policy.example" with failurePolicy "Fail" and ' +
  '10s timeout might prevent worker nodes from properly joining the shoot cluster';

/** Undefined while nothing is known of it. */
export function isHibernationPossible({ status }: KubeObject): boolean | undefined {
  const found = status?.constraints?.find(({ type }: { type: string }) => type === 'HibernationPossible');
  return found && found.status === 'True';
}

export function setHibernationPossible({ status }: KubeObject, possible: boolean): void {
  const others = status.constraints.filter(({ type }: { type: string }) => type !== 'HibernationPossible');
  const now = timestamp();
  const constraint = possible
    ? { status: 'True', reason: 'NoProblematicWebhooks', message: constraintTypes.HibernationPossible }
    : { status: 'False', reason: 'ProblematicWebhooks', message: problematicWebhook };
  status.constraints = [
    { type: 'HibernationPossible', ...constraint, lastTransitionTime: now, lastUpdateTime: now },
    ...others,
  ];
}

/** Leaves the time of the last update alone when nothing else has changed. */
export function setLastOperation(shoot: KubeObject, operation: LastOperation): void {
  shoot.status ??= {};
  const { lastUpdateTime: before, ...current } = shoot.status.lastOperation ?? {};
  const same = (Object.keys(operation) as (keyof LastOperation)[]).every((key) => current[key] === operation[key]);
  shoot.status.lastOperation = { ...operation, lastUpdateTime: same && before ? before : timestamp() };
}

export function setLastErrors(shoot: KubeObject, description: string, codes: readonly string[], task: string): void {
  shoot.status.lastErrors = [
    { description, ...(codes.length > 0 ? { codes: [...codes] } : {}), taskID: task, lastUpdateTime: timestamp() },
  ];
}

/** The label and the conditions that Gardener's care controller keeps. */
export function setHealth(shoot: KubeObject, health: Health): void {
  shoot.metadata.labels = { ...shoot.metadata.labels, 'shoot.gardener.cloud/status': health };
  const status = health === 'healthy' ? 'True' : health === 'progressing' ? 'Progressing' : 'False';
  shoot.status.conditions = conditionTypes.map((type) =>
    condition(shoot.status.conditions, type, status, `${type} is ${status}.`),
  );
  const known: readonly KubeObject['status'][] = shoot.status.constraints ?? [];
  shoot.status.constraints = Object.entries(constraintTypes).map(
    ([type, message]) => known.find((one) => one.type === type) ?? condition(known, type, 'True', message),
  );
}

function condition(
  existing: readonly KubeObject['status'][] | undefined,
  type: string,
  status: string,
  message: string,
) {
  const before = existing?.find((one) => one.type === type);
  if (before?.status === status) return before;
  const now = timestamp();
  const reason = status === 'True' ? `${type}Succeeded` : `${type}${status}`;
  return { type, status, reason, message, lastTransitionTime: now, lastUpdateTime: now };
}

function timestamp(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
