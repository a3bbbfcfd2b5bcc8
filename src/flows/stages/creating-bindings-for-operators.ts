import { isDeepStrictEqual } from 'node:util';
import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import { administratorBindings, clusterRoleBindings, listAdministratorBindings } from '../administrator-bindings.ts';
import type { StagePlanning, StageRun } from '../tools.ts';

/**
 * Gives every administrator the role cluster-admin, and takes it from those who are none any more: new ones first, so that
 * there is never nobody.
 */
export async function creatingBindingsForOperators({ runtime, target, access, signal }: StageRun): Promise<Outcome> {
  const cluster = await access.client(clusterOrder(runtime), signal);
  const users = target?.administrators ?? runtime.administrators;
  const { wanted, retired } = administratorBindings(users, await listAdministratorBindings(cluster, signal));
  const options = { kind: clusterRoleBindings, signal };
  await Promise.all(wanted.map((binding) => cluster.apply(binding, { ...options, force: true })));
  await Promise.all(retired.map((name) => cluster.delete({ ...clusterRoleBindings, name }, { signal })));
  return done(target?.administrators ? { runtime: { adopts: ['administrators'] } } : {});
}

export async function planBindings({
  runtime,
  target,
  access,
  signal,
}: StagePlanning): Promise<readonly PlannedChange[]> {
  const planned = (action: 'Create' | 'Delete', name = '') => ({
    ...{ action, to: 'cluster', subject: `ClusterRoleBinding ${name}` },
  });
  if (target?.administrators === undefined) {
    return administratorBindings(runtime.administrators).wanted.map((manifest) => ({
      ...planned('Create', manifest.metadata.name),
      manifest,
    }));
  }
  const cluster = await access.client(clusterOrder(runtime), signal);
  const present = await listAdministratorBindings(cluster, signal);
  const { wanted, retired } = administratorBindings(target.administrators, present);
  const isThere = ({ metadata: { name }, subjects }: (typeof wanted)[number]) =>
    present.some((one) => one.metadata.name === name && isDeepStrictEqual(one.subjects, subjects));
  return [
    ...wanted
      .filter((binding) => !isThere(binding))
      .map((manifest) => ({ ...planned('Create', manifest.metadata.name), manifest })),
    ...retired.map((name) => planned('Delete', name)),
  ];
}
