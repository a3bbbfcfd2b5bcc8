import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Clock, kubernetesTime, systemClock } from './clock.ts';
import { EventHistory, type StoreEvent } from './event-history.ts';
import { frozenCopy, plainCopy } from './object-json.ts';
import {
  defaultRaisesGeneration,
  hasGeneration,
  isBeingDeleted,
  isGiven,
  isHeld,
  refuseStale,
  type StoredType,
  uidMismatch,
  withSystemMetadata,
} from './object-meta.ts';
import type { KubeObject } from './resource-type.ts';
import { alreadyExists, conflict, internal, notFound, qualifiedName } from './status-error.ts';

export interface DeletePreconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface DeleteResult {
  /** The object as it is now, or as it last was. */
  readonly object: KubeObject;
  /** False while finalizers hold the object back. */
  readonly removed: boolean;
}

export type StoreListener = (event: StoreEvent) => void;

interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

interface Collection {
  readonly byNamespace: Map<string, Map<string, KubeObject>>;
  readonly history: EventHistory;
  /** Where the objects are, in key order, kept until one is added or removed; per namespace, '' for all. */
  readonly sorted: Map<string, readonly ObjectKey[]>;
}

/**
 * The objects of one API, in memory. Every change gets the next resourceVersion, shared by all resources, and is kept
 * for a while so that watches can resume. Objects that come out are frozen: whoever wants another one clones it and
 * updates. Nothing here is asynchronous: a call returns when its change is complete and visible.
 */
export class ObjectStore {
  readonly #clock: Clock;
  readonly #historyLimit: number;
  readonly #collections = new Map<string, Collection>();
  readonly #observers = new Set<StoreListener>();
  readonly #subscribers = new Set<StoreListener>();
  #undelivered: StoreEvent[] = [];
  #delivering = false;
  #resourceVersion = 1000;
  #compactedUpTo = 0;

  constructor({ clock = systemClock, historyLimit = 5000 }: { clock?: Clock; historyLimit?: number } = {}) {
    this.#clock = clock;
    this.#historyLimit = historyLimit;
  }

  /** The version of the newest change. */
  get resourceVersion(): string {
    return String(this.#resourceVersion);
  }

  /** What is older than this version is forgotten. */
  get compactedUpTo(): number {
    return this.#compactedUpTo;
  }

  get(type: StoredType, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#collection(type)
      .byNamespace.get(namespace ?? '')
      ?.get(name);
  }

  /** All objects, or those of one namespace, in the order of namespace and name. */
  list(type: StoredType, namespace?: string): readonly KubeObject[] {
    const { byNamespace, sorted } = this.#collection(type);
    const groupKey = namespace ?? '';
    let keys = sorted.get(groupKey);
    if (keys === undefined) {
      const groups = namespace === undefined ? [...byNamespace] : [[namespace, byNamespace.get(namespace)] as const];
      keys = groups
        .flatMap(([group, objects]) => [...(objects?.keys() ?? [])].map((name) => ({ namespace: group, name })))
        .sort(byKey);
      sorted.set(groupKey, keys);
    }
    return keys.flatMap((key) => byNamespace.get(key.namespace)?.get(key.name) ?? []);
  }

  /** Throws 409 AlreadyExists. With `dryRun` it answers what would be stored, and stores nothing. */
  create(type: StoredType, object: KubeObject, { dryRun = false }: { dryRun?: boolean } = {}): KubeObject {
    const { name, namespace } = object.metadata;
    if (name === undefined || name === '') throw internal('an object without a name cannot be stored');
    if (this.get(type, namespace, name) !== undefined) throw alreadyExists(type, name);
    const { generateName, deletionTimestamp: _, deletionGracePeriodSeconds: __, ...metadata } = object.metadata;
    const created: KubeObject = {
      ...object,
      metadata: {
        ...metadata,
        ...(generateName === undefined ? {} : { generateName }),
        name,
        uid: randomUUID(),
        creationTimestamp: kubernetesTime(this.#clock.now()),
        ...(hasGeneration(type) ? { generation: 1 } : {}),
      },
    };
    if (dryRun) return created;
    return this.#commit(type, 'ADDED', created, undefined);
  }

  /**
   * Replaces an object. A resourceVersion or uid in it that is not the stored one is a 409. What the system owns
   * (uid, creationTimestamp, generation, deletionTimestamp) is kept whatever the new object says. An update that
   * changes nothing leaves the stored object and its resourceVersion alone. An object being deleted is removed as
   * soon as it has no finalizers.
   */
  update(type: StoredType, object: KubeObject, { dryRun = false }: { dryRun?: boolean } = {}): KubeObject {
    const { name = '', namespace } = object.metadata;
    const current = this.get(type, namespace, name);
    if (current === undefined) throw notFound(type, name);
    refuseStale(type, object, current);
    const next = plainCopy(withSystemMetadata(object, current));
    if (isDeepStrictEqual(next, current) && !(isBeingDeleted(current) && !isHeld(current))) return current;
    if (hasGeneration(type) && (type.raisesGeneration ?? defaultRaisesGeneration(type))(current, next)) {
      next.metadata.generation = (current.metadata.generation ?? 0) + 1;
    }
    if (dryRun) return next;
    if (isBeingDeleted(next) && !isHeld(next)) return this.#commit(type, 'DELETED', next, current);
    return this.#commit(type, 'MODIFIED', next, current);
  }

  /** Begins the deletion of an object; without finalizers it is removed at once. Throws 404, and 409 for a precondition. */
  delete(
    type: StoredType,
    namespace: string | undefined,
    name: string,
    { preconditions = {}, dryRun = false }: { preconditions?: DeletePreconditions; dryRun?: boolean } = {},
  ): DeleteResult {
    const current = this.get(type, namespace, name);
    if (current === undefined) throw notFound(type, name);
    const { uid, resourceVersion } = preconditions;
    if (isGiven(uid) && uid !== current.metadata.uid) throw uidMismatch(type, name, uid, current);
    if (isGiven(resourceVersion) && resourceVersion !== current.metadata.resourceVersion) {
      throw conflict(
        type,
        name,
        `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${current.metadata.resourceVersion}`,
      );
    }
    if (!isHeld(current)) {
      return { object: dryRun ? current : this.#commit(type, 'DELETED', { ...current }, current), removed: true };
    }
    if (isBeingDeleted(current)) return { object: current, removed: false };
    const marked: KubeObject = {
      ...current,
      metadata: {
        ...current.metadata,
        ...(current.metadata.generation === undefined ? {} : { generation: current.metadata.generation + 1 }),
        deletionTimestamp: kubernetesTime(this.#clock.now()),
        deletionGracePeriodSeconds: 0,
      },
    };
    return { object: dryRun ? marked : this.#commit(type, 'MODIFIED', marked, current), removed: false };
  }

  /**
   * Tells in-process actors of every change of any resource, in order, after the call that made it has returned. A
   * listener may change the store. Answers the function that ends the subscription.
   */
  subscribe(listener: StoreListener): () => void {
    this.#subscribers.add(listener);
    return () => this.#subscribers.delete(listener);
  }

  /** Like `subscribe`, but within the change itself: for watches and indexes. An observer must not change the store. */
  observe(observer: StoreListener): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** The changes of a resource after a resourceVersion; undefined when they are no longer all known (410). */
  eventsSince(type: StoredType, resourceVersion: number): readonly StoreEvent[] | undefined {
    return this.#collection(type).history.since(resourceVersion);
  }

  /** Forgets the history of all resources: watches and lists that go on from an older resourceVersion get 410. */
  compact(): void {
    // The version moves on, so that even the newest one that a client holds is older than what is forgotten.
    this.#resourceVersion += 1;
    this.#compactedUpTo = this.#resourceVersion;
    for (const collection of this.#collections.values()) collection.history.compact(this.#resourceVersion);
  }

  #collection(type: StoredType): Collection {
    const key = qualifiedName(type);
    let collection = this.#collections.get(key);
    if (collection === undefined) {
      collection = { byNamespace: new Map(), history: new EventHistory(this.#historyLimit), sorted: new Map() };
      this.#collections.set(key, collection);
    }
    return collection;
  }

  #commit(
    type: StoredType,
    change: StoreEvent['type'],
    object: KubeObject,
    previous: KubeObject | undefined,
  ): KubeObject {
    const { byNamespace, history, sorted } = this.#collection(type);
    this.#resourceVersion += 1;
    const { name = '', namespace = '' } = object.metadata;
    const stored = frozenCopy({ ...object, metadata: { ...object.metadata, resourceVersion: this.resourceVersion } });
    const siblings = byNamespace.get(namespace) ?? new Map<string, KubeObject>();
    if (change === 'DELETED') siblings.delete(name);
    else siblings.set(name, stored);
    if (siblings.size === 0) byNamespace.delete(namespace);
    else byNamespace.set(namespace, siblings);
    if (change !== 'MODIFIED') {
      sorted.delete('');
      sorted.delete(namespace);
    }

    const event: StoreEvent = {
      type: change,
      resource: qualifiedName(type),
      object: stored,
      previous,
      resourceVersion: this.#resourceVersion,
    };
    history.push(event);
    for (const observer of this.#observers) observer(event);
    this.#announce(event);
    return stored;
  }

  #announce(event: StoreEvent): void {
    if (this.#subscribers.size === 0) return;
    this.#undelivered.push(event);
    if (this.#delivering) return;
    this.#delivering = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    try {
      for (let event = this.#undelivered.shift(); event !== undefined; event = this.#undelivered.shift()) {
        for (const subscriber of this.#subscribers) subscriber(event);
      }
    } finally {
      // A subscriber that throws is a mistake of ours and ends the process loudly; the others still get their events.
      this.#delivering = false;
      if (this.#undelivered.length > 0) {
        this.#delivering = true;
        queueMicrotask(() => this.#deliver());
      }
    }
  }
}

function byKey(left: ObjectKey, right: ObjectKey): number {
  if (left.namespace !== right.namespace) return left.namespace < right.namespace ? -1 : 1;
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}
