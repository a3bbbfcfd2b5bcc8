/** The part of every Kubernetes object that we rely on. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly [field: string]: unknown;
}

/** Where a resource lives in the API: `{ apiVersion: 'core.gardener.cloud/v1beta1', plural: 'shoots', namespaced: true }`. */
export interface ResourceKind {
  /** `v1` or `group/version`. */
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

export interface ObjectReference extends ResourceKind {
  readonly name: string;
  readonly namespace?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly dryRun?: boolean;
}

export interface ListOptions extends CallOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface AllPages {
  /** What is to be held of each object while the pages after it are read; all of it unless told otherwise. */
  readonly keep?: (object: KubernetesObject) => KubernetesObject;
}

export interface WatchOptions extends ListOptions {
  /** Told when the server has accepted the watch, which may be long before the first event. */
  readonly onOpen?: () => void;
}

export interface ObjectList<Item = KubernetesObject> {
  readonly items: readonly Item[];
  readonly resourceVersion: string;
}

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubernetesObject }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

/**
 * One Kubernetes API, spoken over kept-alive connections. Answers other than 2xx throw `KubernetesError` (which has
 * the status code, the Status reason and the server's own words); a server that cannot be reached throws another error.
 */
export interface KubernetesClient {
  /** Undefined when the object does not exist. */
  get(reference: ObjectReference, options?: CallOptions): Promise<KubernetesObject | undefined>;
  /** All pages. */
  list(kind: ResourceKind, options?: ListOptions & AllPages): Promise<ObjectList>;
  /** From a resourceVersion on, with bookmarks; ends when the server ends it. Throws KubernetesError 410 when too old. */
  watch(kind: ResourceKind, from: string, options?: WatchOptions): AsyncIterable<WatchEvent>;
  /** `fieldValidation=Strict`. */
  create(kind: ResourceKind, object: KubernetesObject, options?: CallOptions): Promise<KubernetesObject>;
  replace(reference: ObjectReference, object: KubernetesObject, options?: CallOptions): Promise<KubernetesObject>;
  /** JSON merge patch. */
  patch(reference: ObjectReference, patch: object, options?: CallOptions): Promise<KubernetesObject>;
  /** Server-side apply under this service's field manager; the kind is found through discovery when it is not given. */
  apply(
    object: KubernetesObject,
    options?: CallOptions & { force?: boolean; kind?: ResourceKind },
  ): Promise<KubernetesObject>;
  /** False when the object did not exist. */
  delete(reference: ObjectReference, options?: CallOptions & { uid?: string }): Promise<boolean>;
  /** POST to a subresource such as `adminkubeconfig`. */
  createSubresource(
    reference: ObjectReference,
    subresource: string,
    body: object,
    options?: CallOptions,
  ): Promise<unknown>;
  /** Finds plural and scope of a kind; undefined when the server does not serve it (yet). Cached until `forgetDiscovery`. */
  discover(apiVersion: string, kind: string, options?: CallOptions): Promise<ResourceKind | undefined>;
  forgetDiscovery(): void;
  /** The OpenAPI document (version 3) of a `group/version`, as large as a MiB; undefined when the server has none. */
  describe(apiVersion: string, options?: CallOptions): Promise<unknown>;
  close(): Promise<void>;
}
