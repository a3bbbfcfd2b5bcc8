import type { KubeObject, ResourceType } from './resource-type.ts';
import { qualifiedName } from './status-error.ts';

/** `v1`, `apps/v1`. */
export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The types that an API serves. Versions of one resource share their objects; the first one added is preferred. */
export class ResourceRegistry {
  readonly #types = new Map<string, ResourceType>();

  add(type: ResourceType): void {
    this.#types.set(typeKey(type.group, type.version, type.plural), type);
  }

  remove(type: Pick<ResourceType, 'group' | 'version' | 'plural'>): void {
    this.#types.delete(typeKey(type.group, type.version, type.plural));
  }

  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#types.get(typeKey(group, version, plural));
  }

  findKind(apiVersion: string, kind: string): ResourceType | undefined {
    return this.all().find((type) => type.kind === kind && apiVersionOf(type) === apiVersion);
  }

  /** By qualified name (`shoots.core.gardener.cloud`) or, when that is clear, by plural alone. The core group wins. */
  byName(name: string): ResourceType | undefined {
    const types = this.all();
    return types.find((type) => qualifiedName(type) === name) ?? types.find((type) => type.plural === name);
  }

  /** The version in which the objects of a type are stored. */
  storageVersion(type: Pick<ResourceType, 'group' | 'version' | 'plural'>): string {
    const stored = this.all().find(({ group, plural }) => group === type.group && plural === type.plural);
    return apiVersionOf(stored ?? type);
  }

  all(): readonly ResourceType[] {
    return [...this.#types.values()];
  }

  groups(): readonly string[] {
    return [...new Set(this.all().map((type) => type.group))];
  }

  /** The versions of a group, preferred one first. */
  versions(group: string): readonly string[] {
    const versions = this.all().flatMap((type) => (type.group === group ? [type.version] : []));
    return [...new Set(versions)];
  }

  serves(group: string, version: string): boolean {
    return this.all().some((type) => type.group === group && type.version === version);
  }
}

function typeKey(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}

const converted = new WeakMap<KubeObject, Map<string, KubeObject>>();

/** The object as a version of its type shows it. Objects differ between versions in their apiVersion only. */
export function inVersion(object: KubeObject, type: Pick<ResourceType, 'group' | 'version'>): KubeObject {
  const apiVersion = apiVersionOf(type);
  if (object.apiVersion === apiVersion) return object;
  const versions = converted.get(object) ?? new Map<string, KubeObject>();
  const known = versions.get(apiVersion);
  if (known !== undefined) return known;
  const copy = { ...object, apiVersion };
  versions.set(apiVersion, copy);
  converted.set(object, versions);
  return copy;
}
