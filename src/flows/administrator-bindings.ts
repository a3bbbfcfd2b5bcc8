import { readRecords } from '../domain/json.ts';
import type { KubernetesClient, KubernetesObject } from '../kubernetes/kubernetes-client.ts';

export const clusterRoleBindings = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  plural: 'clusterrolebindings',
  namespaced: false,
} as const;

const labels = { app: 'kyma', type: 'admin' };

export interface AdministratorBindings {
  /** One for each administrator. */
  readonly wanted: readonly KubernetesObject[];
  /** Names of those that are to go. */
  readonly retired: readonly string[];
}

/** Those that we have made: others bear the same labels. */
export async function listAdministratorBindings(
  cluster: KubernetesClient,
  signal: AbortSignal,
): Promise<readonly KubernetesObject[]> {
  const labelSelector = Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join();
  const { items } = await cluster.list(clusterRoleBindings, { labelSelector, signal });
  return items.filter(({ metadata }) => /^administrator\d+$/.test(metadata.name ?? ''));
}

/** Whoever is bound already stays bound by the same object, so that nobody who keeps the role is without it meanwhile. */
export function administratorBindings(
  users: readonly string[],
  present: readonly KubernetesObject[] = [],
): AdministratorBindings {
  const nameOf = new Map<string, string>();
  for (const binding of present) {
    const [subject, ...more] = readRecords(binding, 'subjects');
    const user = subject?.kind === 'User' && more.length === 0 ? subject.name : undefined;
    if (typeof user !== 'string' || !users.includes(user) || nameOf.has(user)) continue;
    nameOf.set(user, binding.metadata.name ?? '');
  }
  const taken = new Set(nameOf.values());
  const freeName = (): string => {
    for (let index = 0; ; index++) {
      const name = `administrator${index}`;
      if (!taken.has(name)) return name;
    }
  };
  for (const user of users) {
    if (nameOf.has(user)) continue;
    const name = freeName();
    taken.add(name);
    nameOf.set(user, name);
  }
  const retired = present.flatMap(({ metadata: { name = '' } }) => (taken.has(name) ? [] : [name]));
  return { wanted: users.map((user) => administratorBinding(user, nameOf.get(user) ?? '')), retired };
}

/** The role cluster-admin for one user. */
function administratorBinding(user: string, name: string): KubernetesObject {
  return {
    apiVersion: clusterRoleBindings.apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  };
}
