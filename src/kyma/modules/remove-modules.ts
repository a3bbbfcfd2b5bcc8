import { readText } from '../../domain/json.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import type { RemovalObservation } from '../kyma-installer.ts';
import { customResourcePhase, inPhases } from './apply-phases.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import { inParallel, requestsAtOnce } from './in-parallel.ts';
import type { LoadedModule } from './loaded-module.ts';
import type { PlannedModule } from './modules-plan.ts';

interface ModuleInstances {
  readonly module: PlannedModule;
  readonly instances: readonly KubernetesObject[];
}

/** Of the whole removal: the custom resources are what takes time. */
const shareOfResources = 80;

/**
 * Deletes the custom resources of the modules that no other one of them needs any more. They are `removed` when none of
 * their kinds is left; until then their managers must live, as they clean up.
 */
export async function removeResources(options: {
  readonly modules: readonly PlannedModule[];
  readonly objects: ClusterObjects;
  /** `all`: of their kinds, as the cluster goes too. `own`: one that a user made is waited for. */
  readonly which: 'all' | 'own';
}): Promise<RemovalObservation> {
  const { modules, objects, which } = options;
  const found = await inParallel(
    modules,
    requestsAtOnce(modules.length),
    async (module): Promise<ModuleInstances> => ({ module, instances: await objects.list(module.resource) }),
  );
  const present = found.filter(({ instances }) => instances.length > 0);
  if (present.length === 0) return { state: 'removed' };
  const removable = present.filter(({ module }) => !present.some((other) => requires(other.module, module)));
  const toDelete = removable.flatMap(({ module, instances }) =>
    instances.filter((object) => !object.metadata.deletionTimestamp && (which === 'all' || isOwn(module, object))),
  );
  await inParallel(toDelete, requestsAtOnce(toDelete.length), (object) => objects.delete(object, { namespace: '' }));
  const cleared = modules.length - present.length;
  return {
    state: 'working',
    message: `Removing Kyma modules: ${present.toReversed().map(describe).join('; ')}`,
    progress: Math.floor((cleared / modules.length) * shareOfResources),
  };
}

/**
 * Deletes managers, rights, definitions and namespaces, in the reverse of the order in which they were applied. They are
 * `removed` when there was nothing left to delete.
 */
export async function removeManagers(options: {
  readonly modules: readonly LoadedModule[];
  readonly objects: ClusterObjects;
}): Promise<RemovalObservation> {
  const { modules, objects } = options;
  // Two versions of a module have most objects in common.
  const distinct = new Map(
    modules.flatMap(({ planned: { namespace }, manifest }) =>
      manifest.map((object) => [keyOf(object, namespace), { object, namespace }] as const),
    ),
  );
  const namespaceOf = new Map([...distinct.values()].map(({ object, namespace }) => [object, namespace]));
  let left = 0;
  for (const phase of inPhases([...namespaceOf.keys()]).toReversed()) {
    const existed = await inParallel(phase.objects, requestsAtOnce(phase.objects.length), (object) =>
      objects.delete(object, { namespace: namespaceOf.get(object) ?? '' }),
    );
    left += existed.filter(Boolean).length;
    // Custom resources that a manifest brings may need their manager to go.
    if (left > 0 && phase.number === customResourcePhase) break;
  }
  if (left === 0) return { state: 'removed' };
  return { state: 'working', message: `Removing the managers of Kyma modules: ${left} objects left`, progress: 90 };
}

function keyOf({ apiVersion, kind, metadata }: KubernetesObject, namespace: string): string {
  return [apiVersion, kind, metadata.namespace ?? namespace, metadata.name].join(' ');
}

function requires(one: PlannedModule, other: PlannedModule): boolean {
  return one.requires.includes(other.name);
}

function isOwn({ resource }: PlannedModule, { metadata }: KubernetesObject): boolean {
  return metadata.name === resource.name && metadata.namespace === resource.namespace;
}

function describe({ module, instances }: ModuleInstances): string {
  const deleting = instances.find(({ metadata }) => metadata.deletionTimestamp);
  if (!deleting) {
    const users = instances.filter((object) => !isOwn(module, object));
    if (users.length < instances.length) return `${module.name} is next`;
    const names = users.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
    return `${module.name} waits until somebody deletes ${names.join(', ')}`;
  }
  const reason = readText(deleting, 'status', 'description');
  return `${module.name} cleans up${reason ? ` (${reason.slice(0, 200)})` : ''}`;
}
