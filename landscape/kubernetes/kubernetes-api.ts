import type { IncomingMessage, ServerResponse } from 'node:http';
import { BearerTokens } from './bearer-tokens.ts';
import { type Clock, systemClock } from './clock.ts';
import { coreTypes } from './core-types.ts';
import { startCustomResourceController } from './custom-resources.ts';
import type { StoreEvent } from './event-history.ts';
import { startGarbageCollector } from './garbage-collector.ts';
import { nameFromGenerateName } from './generate-name.ts';
import { startNamespaceController } from './namespaces.ts';
import { plainCopy } from './object-json.ts';
import { type DeleteResult, ObjectStore } from './object-store.ts';
import { ObjectWriter } from './object-writer.ts';
import { type RequestContext, RequestHandler } from './request-handler.ts';
import { apiVersionOf, ResourceRegistry } from './resource-registry.ts';
import type { KubeObject, ResourceType } from './resource-type.ts';
import { labelSelector } from './selectors.ts';
import { internal, notFound, qualifiedName } from './status-error.ts';
import { type WatchEnding, WatchHub } from './watch-hub.ts';

export interface KubernetesApiOptions {
  /** Appears in paths and in the OU of client certificates: `garden`, `clusters/<id>`. */
  readonly name: string;
  /** Served beside the core types. */
  readonly types?: readonly ResourceType[];
  readonly clock?: Clock;
  /** What `/version` says, without `v`. */
  readonly kubernetesVersion?: string;
  /** How long a new CustomResourceDefinition takes until its kinds are served. */
  readonly establishDelayMilliseconds?: number;
  /** How often watches that allow it get a bookmark. */
  readonly bookmarkIntervalMilliseconds?: number;
  /** How many changes per resource a watch can catch up on, at least. */
  readonly historyLimit?: number;
}

/** A type by qualified name (`shoots.core.gardener.cloud`), by plural where that is clear, or itself. */
export type TypeReference = string | Pick<ResourceType, 'group' | 'plural'>;

/**
 * One Kubernetes API server, in memory. Clients reach it over HTTP through `handle`. Actors in the same process use
 * `read`, `list`, `create`, `write`, `remove` and `subscribe`, which act past authentication and admission.
 */
export class KubernetesApi {
  readonly name: string;
  readonly clock: Clock;
  readonly store: ObjectStore;
  readonly registry = new ResourceRegistry();
  readonly tokens: BearerTokens;
  /** Adjustable while the API runs. */
  kubernetesVersion: string;
  establishDelayMilliseconds: number;
  readonly #watches: WatchHub;
  readonly #handler: RequestHandler;
  readonly #stopControllers: readonly (() => void)[];

  constructor(options: KubernetesApiOptions) {
    this.name = options.name;
    this.clock = options.clock ?? systemClock;
    this.kubernetesVersion = options.kubernetesVersion ?? '1.34.2';
    this.establishDelayMilliseconds = options.establishDelayMilliseconds ?? 20;
    const historyLimit = options.historyLimit;
    this.store = new ObjectStore({ clock: this.clock, ...(historyLimit === undefined ? {} : { historyLimit }) });
    this.tokens = new BearerTokens(this.clock);
    for (const type of [...coreTypes({ tokens: this.tokens, clock: this.clock }), ...(options.types ?? [])]) {
      this.addType(type);
    }
    this.#watches = new WatchHub({
      store: this.store,
      bookmarkIntervalMilliseconds: options.bookmarkIntervalMilliseconds ?? 60_000,
    });
    const writer = new ObjectWriter({ store: this.store, registry: this.registry, clock: this.clock });
    this.#handler = new RequestHandler({ api: this, writer, watches: this.#watches });
    this.#stopControllers = [
      startNamespaceController(this),
      startCustomResourceController(this),
      startGarbageCollector(this),
    ];
    for (const namespace of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
      this.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    }
  }

  addType(type: ResourceType): void {
    this.registry.add(type);
  }

  /** No longer serves a type. Its objects stay in the store; its watches end. */
  removeType(type: Pick<ResourceType, 'group' | 'version' | 'plural'>): void {
    this.registry.remove(type);
    this.#watches.end({ how: 'close', resource: qualifiedName(type) });
  }

  /** Answers one HTTP request; `context.path` is the path below the API's own prefix. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
    return this.#handler.handle(request, response, context);
  }

  /** The stored object, frozen; undefined when it does not exist. */
  read(type: TypeReference, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.store.get(this.#type(type), namespace, name);
  }

  list(
    type: TypeReference,
    { namespace, labels }: { namespace?: string | undefined; labels?: string } = {},
  ): readonly KubeObject[] {
    const objects = this.store.list(this.#type(type), namespace);
    return labels === undefined ? objects : objects.filter(labelSelector(labels));
  }

  /** Throws 409 when it exists, 404 when its namespace does not. `apiVersion` and `kind` may be left to the type. */
  create(type: TypeReference, object: Pick<KubeObject, 'metadata'> & Partial<KubeObject>): KubeObject {
    const resource = this.#type(type);
    const { namespace, generateName } = object.metadata;
    if (resource.namespaced && this.read('namespaces', undefined, namespace ?? '') === undefined) {
      throw notFound({ group: '', plural: 'namespaces' }, namespace ?? '');
    }
    const named = object.metadata.name ?? nameFromGenerateName(generateName ?? `${resource.singular}-`);
    const complete = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
    return this.store.create(resource, {
      ...withNamespaceDefaults(resource, complete),
      metadata: { ...object.metadata, name: named },
    });
  }

  /**
   * Changes an object, status and all: `change` works on a copy of the newest state. Answers the new state, or
   * undefined when the object does not exist. A change of nothing writes nothing.
   */
  write(
    type: TypeReference,
    namespace: string | undefined,
    name: string,
    change: (object: KubeObject) => void,
  ): KubeObject | undefined {
    const resource = this.#type(type);
    const current = this.store.get(resource, namespace, name);
    if (current === undefined) return undefined;
    const copy = plainCopy(current);
    change(copy);
    return this.store.update(resource, copy);
  }

  /** Deletes as a client would: with finalizers it only begins. Undefined when the object does not exist. */
  remove(type: TypeReference, namespace: string | undefined, name: string): DeleteResult | undefined {
    const resource = this.#type(type);
    if (this.store.get(resource, namespace, name) === undefined) return undefined;
    return this.store.delete(resource, namespace, name);
  }

  /** Changes of one type, in order, after the call that made them has returned. Answers the unsubscribe function. */
  subscribe(type: TypeReference, listener: (event: StoreEvent) => void): () => void {
    const resource = typeof type === 'string' && type.includes('.') ? type : qualifiedName(this.#type(type));
    return this.store.subscribe((event) => {
      if (event.resource === resource) listener(event);
    });
  }

  /** Ends running watches: see `WatchEnding`. */
  endWatches(ending: WatchEnding): void {
    this.#watches.end(ending);
  }

  /** Watches that are connected now. */
  get watchCount(): number {
    return this.#watches.count;
  }

  /** How a watch from a forgotten resourceVersion is refused: by HTTP status, or in the stream (the usual way). */
  set goneAs(form: 'status' | 'event') {
    this.#watches.goneAs = form;
  }

  /** Ends all watches and the API's own controllers. */
  close(): void {
    for (const stop of this.#stopControllers) stop();
    this.#watches.close();
  }

  #type(reference: TypeReference): ResourceType {
    const name = typeof reference === 'string' ? reference : qualifiedName(reference);
    const type = this.registry.byName(name);
    if (type === undefined) throw internal(`${this.name} does not serve ${name}`);
    return type;
  }
}

/** Namespaces begin with the finalizer and phase that hold their content together. */
function withNamespaceDefaults(type: ResourceType, object: KubeObject): KubeObject {
  if (type.group !== '' || type.plural !== 'namespaces') return object;
  return { ...object, spec: { finalizers: ['kubernetes'], ...object.spec }, status: { phase: 'Active' } };
}
