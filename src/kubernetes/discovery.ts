import { orAbort } from '../domain/or-abort.ts';
import type { ResourceKind } from './kubernetes-client.ts';
import { KubernetesError } from './kubernetes-error.ts';
import { groupVersionPath } from './resource-path.ts';

interface ServedResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

type Fetch = (path: string) => Promise<unknown>;

/** Which kinds an API serves. What was found is remembered; what was not is asked for again, as a CRD may follow. */
export class Discovery {
  readonly #fetch: Fetch;
  readonly #found = new Map<string, ResourceKind>();
  readonly #underWay = new Map<string, Promise<readonly ServedResource[]>>();

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  async find(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ResourceKind | undefined> {
    const known = this.#found.get(`${apiVersion} ${kind}`);
    if (known) return known;
    for (const resource of await this.#resources(apiVersion, signal)) {
      this.#found.set(`${apiVersion} ${resource.kind}`, {
        apiVersion,
        plural: resource.name,
        namespaced: resource.namespaced,
      });
    }
    return this.#found.get(`${apiVersion} ${kind}`);
  }

  /** Throws when what answers is not a Kubernetes API. */
  async serves({ apiVersion, plural }: ResourceKind, signal?: AbortSignal): Promise<boolean> {
    const resources = await this.#resources(apiVersion, signal);
    if (resources.some((resource) => resource.name === plural)) return true;
    const core = await this.#resources('v1', signal);
    if (core.length === 0) throw new Error('the server answers 404 and is not a Kubernetes API');
    return false;
  }

  forget(): void {
    this.#found.clear();
  }

  /** Those who ask for the same at the same time wait for one answer. */
  #resources(apiVersion: string, signal: AbortSignal | undefined): Promise<readonly ServedResource[]> {
    const underWay =
      this.#underWay.get(apiVersion) ??
      this.#fetchResources(apiVersion).finally(() => this.#underWay.delete(apiVersion));
    this.#underWay.set(apiVersion, underWay);
    return orAbort(underWay, signal);
  }

  async #fetchResources(apiVersion: string): Promise<readonly ServedResource[]> {
    try {
      const answer = (await this.#fetch(groupVersionPath(apiVersion))) as { resources?: ServedResource[] };
      // Names with a slash are subresources.
      return (answer?.resources ?? []).filter(({ name }) => !name.includes('/'));
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 404) return [];
      throw error;
    }
  }
}
