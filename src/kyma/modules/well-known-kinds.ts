import type { ResourceKind } from '../../kubernetes/kubernetes-client.ts';

const core = 'v1';
const rbac = 'rbac.authorization.k8s.io/v1';
const admission = 'admissionregistration.k8s.io/v1';

/** Kinds that every cluster serves, so that nobody needs to ask for them. */
const wellKnownKinds: Readonly<Record<string, ResourceKind>> = {
  ...kinds(core, false, { Namespace: 'namespaces' }),
  ...kinds(core, true, {
    ConfigMap: 'configmaps',
    Secret: 'secrets',
    Service: 'services',
    ServiceAccount: 'serviceaccounts',
    LimitRange: 'limitranges',
    ResourceQuota: 'resourcequotas',
  }),
  ...kinds('apps/v1', true, { Deployment: 'deployments', StatefulSet: 'statefulsets', DaemonSet: 'daemonsets' }),
  ...kinds('batch/v1', true, { Job: 'jobs', CronJob: 'cronjobs' }),
  ...kinds(rbac, false, { ClusterRole: 'clusterroles', ClusterRoleBinding: 'clusterrolebindings' }),
  ...kinds(rbac, true, { Role: 'roles', RoleBinding: 'rolebindings' }),
  ...kinds('networking.k8s.io/v1', true, { NetworkPolicy: 'networkpolicies' }),
  ...kinds('policy/v1', true, { PodDisruptionBudget: 'poddisruptionbudgets' }),
  ...kinds('scheduling.k8s.io/v1', false, { PriorityClass: 'priorityclasses' }),
  ...kinds('apiextensions.k8s.io/v1', false, { CustomResourceDefinition: 'customresourcedefinitions' }),
  ...kinds(admission, false, {
    ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
    MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
  }),
};

export function wellKnownKind(object: {
  readonly apiVersion: string;
  readonly kind: string;
}): ResourceKind | undefined {
  return wellKnownKinds[`${object.apiVersion} ${object.kind}`];
}

function kinds(apiVersion: string, namespaced: boolean, plurals: Readonly<Record<string, string>>) {
  const entries = Object.entries(plurals).map(([kind, plural]): [string, ResourceKind] => [
    `${apiVersion} ${kind}`,
    { apiVersion, plural, namespaced },
  ]);
  return Object.fromEntries(entries);
}
