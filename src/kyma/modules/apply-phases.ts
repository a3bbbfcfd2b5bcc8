import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';

/**
 * The order in which objects are applied, so that each finds what it relies on: a Deployment its ServiceAccount and
 * rights, a webhook its server. Custom resources come last. What is not listed is a custom resource.
 */
const phases = [
  ['Namespace'],
  ['CustomResourceDefinition'],
  [
    'ServiceAccount',
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
    'PriorityClass',
    'ConfigMap',
    'Secret',
    'LimitRange',
    'ResourceQuota',
    'NetworkPolicy',
    'StorageClass',
  ],
  ['Service'],
  [
    'Deployment',
    'StatefulSet',
    'DaemonSet',
    'Pod',
    'Job',
    'CronJob',
    'HorizontalPodAutoscaler',
    'PodDisruptionBudget',
    'PersistentVolumeClaim',
  ],
  ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'APIService'],
] as const;

const phaseOfKind = new Map<string, number>(phases.flatMap((kinds, phase) => kinds.map((kind) => [kind, phase])));
/** The phase of objects whose kind comes from a CustomResourceDefinition. */
export const customResourcePhase = phases.length;

/** Objects of one phase are independent of each other. No phase is empty. */
export interface Phase {
  readonly number: number;
  readonly objects: readonly KubernetesObject[];
}

export function inPhases(objects: readonly KubernetesObject[]): readonly Phase[] {
  const groups = Map.groupBy(objects, ({ kind }) => phaseOfKind.get(kind) ?? customResourcePhase);
  return [...groups]
    .map(([number, members]): Phase => ({ number, objects: members }))
    .sort((one, other) => one.number - other.number);
}
