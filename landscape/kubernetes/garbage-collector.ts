import type { StoreEvent } from './event-history.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import type { KubeObject } from './resource-type.ts';

/** Holds an owner back until its dependents are gone (deletion in the foreground). */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';
/** Holds an owner back until its dependents are let go (deletion that orphans). */
export const ORPHAN_FINALIZER = 'orphan';

interface OwnerReference {
  readonly uid: string;
  readonly [field: string]: unknown;
}

interface Place {
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Deletes dependents whose last owner is gone, and serves the `Foreground` and `Orphan` propagation policies. */
export function startGarbageCollector(api: KubernetesApi): () => void {
  const dependents = new Map<string, Map<string, Place>>();
  const places = new Map<string, Place>();

  const index = (event: StoreEvent): void => {
    const { object, previous, type } = event;
    const uid = object.metadata.uid ?? '';
    for (const owner of previous === undefined ? [] : ownersOf(previous)) {
      const siblings = dependents.get(owner.uid);
      siblings?.delete(uid);
      if (siblings?.size === 0) dependents.delete(owner.uid);
    }
    if (type === 'DELETED') {
      places.delete(uid);
      return;
    }
    const place = { resource: event.resource, namespace: object.metadata.namespace, name: object.metadata.name ?? '' };
    places.set(uid, place);
    for (const owner of ownersOf(object)) {
      const siblings = dependents.get(owner.uid) ?? new Map<string, Place>();
      siblings.set(uid, place);
      dependents.set(owner.uid, siblings);
    }
  };

  const isServed = (place: Place): boolean => api.registry.byName(place.resource) !== undefined;

  const dependentsOf = (object: KubeObject): readonly Place[] =>
    [...(dependents.get(object.metadata.uid ?? '')?.values() ?? [])].filter(isServed);

  const letGo = (place: Place, ownerUid: string): void => {
    api.write(place.resource, place.namespace, place.name, (copy) => {
      copy.metadata.ownerReferences = ownersOf(copy).filter((owner) => owner.uid !== ownerUid);
    });
  };

  const collect = ({ type, object, previous, resource }: StoreEvent): void => {
    const uid = object.metadata.uid ?? '';
    if (type === 'DELETED') {
      for (const place of dependentsOf(object)) {
        const dependent = api.read(place.resource, place.namespace, place.name);
        const othersLive = ownersOf(dependent).some((owner) => owner.uid !== uid && places.has(owner.uid));
        if (othersLive) letGo(place, uid);
        else api.remove(place.resource, place.namespace, place.name);
      }
      for (const owner of ownersOf(previous)) release(places.get(owner.uid));
      return;
    }
    if (object.metadata.deletionTimestamp === undefined) return;
    const finalizers = object.metadata.finalizers ?? [];
    const place = { resource, namespace: object.metadata.namespace, name: object.metadata.name ?? '' };
    if (finalizers.includes(ORPHAN_FINALIZER)) {
      for (const dependent of dependentsOf(object)) letGo(dependent, uid);
      dropFinalizer(place, ORPHAN_FINALIZER);
    }
    if (finalizers.includes(FOREGROUND_FINALIZER)) {
      for (const dependent of dependentsOf(object)) api.remove(dependent.resource, dependent.namespace, dependent.name);
      release(place);
    }
  };

  const release = (place: Place | undefined): void => {
    if (place === undefined || !isServed(place)) return;
    const owner = api.read(place.resource, place.namespace, place.name);
    if (owner === undefined || dependentsOf(owner).length > 0) return;
    if (owner.metadata.deletionTimestamp !== undefined) dropFinalizer(place, FOREGROUND_FINALIZER);
  };

  const dropFinalizer = (place: Place, finalizer: string): void => {
    api.write(place.resource, place.namespace, place.name, (copy) => {
      copy.metadata.finalizers = (copy.metadata.finalizers ?? []).filter((held) => held !== finalizer);
    });
  };

  const stopIndex = api.store.observe(index);
  const stopCollecting = api.store.subscribe(collect);
  return () => {
    stopIndex();
    stopCollecting();
  };
}

function ownersOf(object: KubeObject | undefined): readonly OwnerReference[] {
  const owners = object?.metadata.ownerReferences;
  return Array.isArray(owners) ? owners : [];
}
