import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../domain/failures.ts';
import { readRecords, readText } from '../../domain/json.ts';
import type {
  KubernetesClient,
  KubernetesObject,
  ObjectReference,
  ResourceKind,
} from '../../kubernetes/kubernetes-client.ts';
import { KubernetesError } from '../../kubernetes/kubernetes-error.ts';
import { wellKnownKind } from './well-known-kinds.ts';

/** Pauses before another try at what a cluster is not ready for yet, in milliseconds: about three seconds in all. */
const pauses = [20, 40, 80, 160, 320, 640, 1_280];

/**
 * The objects of modules on one cluster. Their kinds are known from the manifests' own definitions and from what every
 * cluster serves, and are asked for only when neither knows them.
 */
export class ClusterObjects {
  readonly #cluster: KubernetesClient;
  readonly #signal: AbortSignal;
  readonly #defined = new Map<string, ResourceKind>();

  constructor(options: {
    readonly cluster: KubernetesClient;
    /** Where kinds are looked up before the cluster is asked for them. */
    readonly manifests: readonly KubernetesObject[];
    readonly signal: AbortSignal;
  }) {
    this.#cluster = options.cluster;
    this.#signal = options.signal;
    for (const object of options.manifests) {
      if (object.kind === 'CustomResourceDefinition') this.#define(object);
    }
  }

  /** Undefined when the cluster does not serve the kind. */
  async kind(object: { readonly apiVersion: string; readonly kind: string }): Promise<ResourceKind | undefined> {
    return (
      wellKnownKind(object) ??
      this.#defined.get(`${object.apiVersion} ${object.kind}`) ??
      (await this.#cluster.discover(object.apiVersion, object.kind, { signal: this.#signal }))
    );
  }

  /**
   * Server-side apply, tried again for about three seconds while the cluster does not serve the kind yet, has not made
   * the namespace yet, or does not reach a webhook yet. An object without a namespace goes into `namespace`. Throws a
   * Failure when the cluster finds the object itself wrong.
   */
  async apply(
    object: KubernetesObject,
    options: { readonly namespace: string; readonly force: boolean },
  ): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.#applyOnce(object, options);
        return;
      } catch (error) {
        if (error instanceof KubernetesError && isFinal(error)) throw refused(object, error);
        const wait = pauses[attempt];
        if (wait === undefined || !mayComeSoon(error)) throw error;
        await pause(wait, undefined, { signal: this.#signal });
      }
    }
  }

  /** All objects of a kind in all namespaces; none when the cluster does not serve it. */
  async list(wanted: { readonly apiVersion: string; readonly kind: string }): Promise<readonly KubernetesObject[]> {
    const kind = await this.kind(wanted);
    if (!kind) return [];
    try {
      return (await this.#cluster.list(kind, { signal: this.#signal })).items;
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
      this.#cluster.forgetDiscovery();
      const served = await this.#cluster.discover(wanted.apiVersion, wanted.kind, { signal: this.#signal });
      // It may have become served between the two.
      return served ? (await this.#cluster.list(served, { signal: this.#signal })).items : [];
    }
  }

  /** As it is on the cluster now; undefined when it is not there. */
  async read(object: KubernetesObject, options: { readonly namespace: string }): Promise<KubernetesObject | undefined> {
    const reference = await this.#reference(object, options.namespace);
    return reference && this.#cluster.get(reference, { signal: this.#signal });
  }

  /** Tells objects of one cluster apart, whatever version of their kind they are written in. */
  async identity(object: KubernetesObject, options: { readonly namespace: string }): Promise<string> {
    const kind = await this.kind(object);
    const { name = '', namespace = options.namespace } = object.metadata;
    const [group = ''] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : [''];
    return [group, object.kind, kind?.namespaced === false ? '' : namespace, name].join('/');
  }

  /** False when the object did not exist. True while it is there, whatever still keeps it. With `uid`, only that very one. */
  async delete(
    object: KubernetesObject,
    options: { readonly namespace: string; readonly uid?: string | undefined },
  ): Promise<boolean> {
    const reference = await this.#reference(object, options.namespace);
    if (!reference) return false;
    const { uid } = options;
    try {
      return await this.#cluster.delete(reference, { ...(uid !== undefined && { uid }), signal: this.#signal });
    } catch (error) {
      // A namespace that is being emptied answers so to a second deletion.
      if (error instanceof KubernetesError && error.status === 409) return true;
      throw error;
    }
  }

  async #reference(object: KubernetesObject, defaultNamespace: string): Promise<ObjectReference | undefined> {
    const kind = await this.kind(object);
    const { name } = object.metadata;
    if (!kind || !name) return undefined;
    const namespace = kind.namespaced ? (object.metadata.namespace ?? defaultNamespace) : undefined;
    return { ...kind, name, ...(namespace !== undefined && { namespace }) };
  }

  async #applyOnce(
    object: KubernetesObject,
    { namespace, force }: { readonly namespace: string; readonly force: boolean },
  ): Promise<void> {
    const kind = await this.kind(object);
    if (!kind) {
      const message = `the cluster does not serve ${object.kind} of ${object.apiVersion} yet`;
      throw new KubernetesError({ status: 404, reason: 'NotFound', message });
    }
    const { namespace: own, ...metadata } = object.metadata;
    const placed = kind.namespaced ? { ...metadata, namespace: own ?? namespace } : metadata;
    await this.#cluster.apply({ ...object, metadata: placed }, { kind, force, signal: this.#signal });
  }

  #define(definition: KubernetesObject): void {
    const plural = readText(definition, 'spec', 'names', 'plural');
    const kind = readText(definition, 'spec', 'names', 'kind');
    const group = readText(definition, 'spec', 'group');
    if (!plural || !kind || !group) return;
    const namespaced = readText(definition, 'spec', 'scope') !== 'Cluster';
    for (const version of readRecords(definition, 'spec', 'versions')) {
      if (version.served !== true || typeof version.name !== 'string') continue;
      const apiVersion = `${group}/${version.name}`;
      this.#defined.set(`${apiVersion} ${kind}`, { apiVersion, plural, namespaced });
    }
  }
}

/** True when the object itself is wrong, so that no retry can help. */
function isFinal({ status, message }: KubernetesError): boolean {
  return status === 422 || (status === 400 && /strict decoding error|field not declared in schema/.test(message));
}

/** True for what heals while a cluster takes in what was applied a moment ago. */
function mayComeSoon(error: unknown): boolean {
  if (!(error instanceof KubernetesError)) return false;
  return error.status === 404 || (error.status >= 500 && /webhook/.test(error.message));
}

function refused(object: KubernetesObject, error: KubernetesError): Failure {
  const message = `the cluster refused ${object.kind} ${object.metadata.name}: ${error.message}`;
  return new Failure('KYMA_INSTALLATION_FAILED', message, { cause: error });
}
