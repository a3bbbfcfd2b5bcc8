import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import type { StagePlanning, StageRun } from '../tools.ts';

const clusterRoleBindings = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  plural: 'clusterrolebindings',
  namespaced: false,
} as const;

/** Gives every administrator the role cluster-admin. */
export async function creatingBindingsForOperators({ runtime, access, signal }: StageRun): Promise<Outcome> {
  const cluster = await access.client(clusterOrder(runtime), signal);
  await Promise.all(
    runtime.administrators.map((user, index) =>
      cluster.apply(administratorBinding(user, index), { force: true, kind: clusterRoleBindings, signal }),
    ),
  );
  return done();
}

export async function planBindings({ runtime }: StagePlanning): Promise<readonly PlannedChange[]> {
  return runtime.administrators.map((user, index) => {
    const manifest = administratorBinding(user, index);
    return { action: 'Create', to: 'cluster', subject: `ClusterRoleBinding ${manifest.metadata.name}`, manifest };
  });
}

function administratorBinding(user: string, index: number): KubernetesObject {
  return {
    apiVersion: clusterRoleBindings.apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name: `administrator${index}`, labels: { app: 'kyma', type: 'admin' } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  };
}
