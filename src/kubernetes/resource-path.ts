import type { ObjectReference, ResourceKind } from './kubernetes-client.ts';

/** `/api/v1` or `/apis/group/version`. */
export function groupVersionPath(apiVersion: string): string {
  const [group, version] = apiVersion.split('/');
  if (!group) throw new Error('an apiVersion is missing');
  return version === undefined ? `/api/${segment(group)}` : `/apis/${segment(group)}/${segment(version)}`;
}

export function collectionPath(kind: ResourceKind, namespace: string | undefined): string {
  const scope = kind.namespaced && namespace !== undefined ? `/namespaces/${segment(namespace)}` : '';
  return `${groupVersionPath(kind.apiVersion)}${scope}/${segment(kind.plural)}`;
}

export function objectPath(reference: ObjectReference): string {
  if (reference.namespaced && !reference.namespace) {
    throw new Error(`${reference.plural} "${reference.name}": the namespace is missing`);
  }
  // An empty name would address the whole collection, which a DELETE would then empty.
  if (!reference.name) throw new Error(`${reference.plural}: the name is missing`);
  return `${collectionPath(reference, reference.namespace)}/${segment(reference.name)}`;
}

function segment(text: string): string {
  // encodeURIComponent leaves dots alone, and a dot segment would climb out of the path.
  if (text === '.' || text === '..') throw new Error(`"${text}" is not a name`);
  return encodeURIComponent(text);
}
