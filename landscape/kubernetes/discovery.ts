import { apiVersionOf, type ResourceRegistry } from './resource-registry.ts';
import type { ResourceType } from './resource-type.ts';

const resourceVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const statusVerbs = ['get', 'patch', 'update'];

/** `/api`. */
export function coreVersions(): object {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
}

/** `/apis`. */
export function groupList(registry: ResourceRegistry): object {
  const groups = registry.groups().filter((group) => group !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((group) => groupEntry(registry, group)) };
}

/** `/apis/<group>`. */
export function groupOf(registry: ResourceRegistry, group: string): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(registry, group) };
}

function groupEntry(registry: ResourceRegistry, group: string) {
  const versions = registry.versions(group).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] };
}

/** `/api/v1`, `/apis/<group>/<version>`. */
export function resourceList(registry: ResourceRegistry, group: string, version: string): object {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf({ group, version }),
    resources: typesIn(registry, group, version).flatMap(classicEntries),
  };
}

function classicEntries(type: ResourceType): readonly object[] {
  const { plural, singular, namespaced, kind, shortNames = [], categories = [] } = type;
  return [
    {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs: resourceVerbs,
      ...(shortNames.length === 0 ? {} : { shortNames }),
      ...(categories.length === 0 ? {} : { categories }),
    },
    ...subresourcesOf(type).map(({ name, verbs }) => ({
      name: `${plural}/${name}`,
      singularName: '',
      namespaced,
      kind,
      verbs,
    })),
  ];
}

/** `/api` (the core group) or `/apis` (all others) in one answer, as `apidiscovery.k8s.io/v2`. */
export function aggregatedDiscovery(registry: ResourceRegistry, which: 'core' | 'groups'): object {
  const groups = registry.groups().filter((group) => (group === '') === (which === 'core'));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: { name: group, creationTimestamp: null },
      versions: registry.versions(group).map((version) => ({
        version,
        resources: typesIn(registry, group, version).map(aggregatedEntry),
        freshness: 'Current',
      })),
    })),
  };
}

function aggregatedEntry(type: ResourceType): object {
  const { group, version, plural, singular, namespaced, kind, shortNames = [], categories = [] } = type;
  const responseKind = { group, version, kind };
  const subresources = subresourcesOf(type);
  return {
    resource: plural,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: resourceVerbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0
      ? {}
      : { subresources: subresources.map(({ name, verbs }) => ({ subresource: name, responseKind, verbs })) }),
  };
}

function subresourcesOf(type: ResourceType): readonly { readonly name: string; readonly verbs: readonly string[] }[] {
  const status = type.statusSubresource === true ? [{ name: 'status', verbs: statusVerbs }] : [];
  return [...status, ...Object.keys(type.subresources ?? {}).map((name) => ({ name, verbs: ['create'] }))];
}

function typesIn(registry: ResourceRegistry, group: string, version: string): readonly ResourceType[] {
  return registry.all().filter((type) => type.group === group && type.version === version);
}
