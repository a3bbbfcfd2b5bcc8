import { readRecords, readText } from '../../domain/json.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';
import { customResourcePhase, inPhases } from './apply-phases.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import { inParallel, requestsAtOnce } from './in-parallel.ts';
import type { LoadedModule } from './loaded-module.ts';

/** An object of a manifest, and the namespace that it is in when it names none. */
export interface PlacedObject {
  readonly object: KubernetesObject;
  readonly namespace: string;
}

export interface Pruned {
  /** Objects that are still there and are to go. */
  readonly left: number;
  /** A sentence for each definition that stays, because somebody has objects of its kind. */
  readonly kept: readonly string[];
}

/** What the old manifests have and the new ones do not. Namespaces stay: what else is in one is not known. */
export async function vanishedObjects(options: {
  readonly old: readonly LoadedModule[];
  readonly current: readonly LoadedModule[];
  readonly objects: ClusterObjects;
}): Promise<readonly PlacedObject[]> {
  const { old, current, objects } = options;
  const identities = async ({ object, namespace }: PlacedObject) => objects.identity(object, { namespace });
  const staying = new Set(await Promise.all(placed(current).map(identities)));
  const vanished = new Map<string, PlacedObject>();
  for (const each of placed(old)) {
    const identity = await identities(each);
    if (each.object.kind !== 'Namespace' && !staying.has(identity)) vanished.set(identity, each);
  }
  return [...vanished.values()];
}

/**
 * Deletes objects in the reverse of the order in which they were applied: only those that `fieldManager` has applied, and
 * no definition of which there are objects.
 */
export async function pruneObjects(options: {
  readonly vanished: readonly PlacedObject[];
  readonly objects: ClusterObjects;
  readonly fieldManager: string;
}): Promise<Pruned> {
  const { vanished, objects, fieldManager } = options;
  const namespaceOf = new Map(vanished.map(({ object, namespace }) => [object, namespace]));
  const kept: string[] = [];
  let left = 0;

  async function prune(object: KubernetesObject): Promise<void> {
    const namespace = namespaceOf.get(object) ?? '';
    const live = await objects.read(object, { namespace });
    if (live === undefined || !isAppliedBy(live, fieldManager)) return;
    const users = live.kind === 'CustomResourceDefinition' ? await instancesOf(live, objects) : [];
    if (users.length > 0) {
      kept.push(`${live.kind} ${live.metadata.name} stays, because there are objects of it: ${namesOf(users)}`);
      return;
    }
    left += 1;
    if (live.metadata.deletionTimestamp) return;
    await objects.delete(live, { namespace, uid: live.metadata.uid });
  }

  for (const phase of inPhases([...namespaceOf.keys()]).toReversed()) {
    await inParallel(phase.objects, requestsAtOnce(phase.objects.length), prune);
    // Custom resources that a manifest brings may need their manager to go.
    if (left > 0 && phase.number === customResourcePhase) break;
  }
  return { left, kept };
}

function placed(modules: readonly LoadedModule[]): readonly PlacedObject[] {
  return modules.flatMap(({ planned, manifest }) =>
    manifest.map((object) => ({ object, namespace: planned.namespace })),
  );
}

function isAppliedBy({ metadata }: KubernetesObject, fieldManager: string): boolean {
  return readRecords(metadata, 'managedFields').some(
    ({ manager, operation }) => manager === fieldManager && operation === 'Apply',
  );
}

async function instancesOf(
  definition: KubernetesObject,
  objects: ClusterObjects,
): Promise<readonly KubernetesObject[]> {
  const group = readText(definition, 'spec', 'group');
  const kind = readText(definition, 'spec', 'names', 'kind');
  const served = readRecords(definition, 'spec', 'versions').find((version) => version.served === true);
  const version = readText(served, 'name');
  return group && kind && version ? objects.list({ apiVersion: `${group}/${version}`, kind }) : [];
}

function namesOf(objects: readonly KubernetesObject[]): string {
  const names = objects
    .slice(0, 3)
    .map(({ metadata }) => [metadata.namespace, metadata.name].filter(Boolean).join('/'));
  return objects.length > 3 ? `${names.join(', ')} and ${objects.length - 3} more` : names.join(', ');
}
