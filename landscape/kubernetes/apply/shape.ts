import { isObject, type JsonObject } from '../json-value.ts';
import type { ResourceType } from '../resource-type.ts';
import { childSchema, type Schema } from '../schema.ts';

/**
 * What server-side apply must know about a place in an object: is a list one value, a set, or a map by keys? Types with
 * a schema say so with `x-kubernetes-list-type`; for the others the well-known lists of Kubernetes' own types count.
 */
export interface Shape {
  readonly field: string;
  readonly schema: Schema | undefined;
  /** True where no schema speaks, and in `metadata`. */
  readonly isWellKnown: boolean;
  readonly depth: number;
}

export type ListKind =
  | { readonly kind: 'atomic' }
  | { readonly kind: 'set' }
  | { readonly kind: 'map'; readonly keys: readonly string[] };

const atomic: ListKind = { kind: 'atomic' };
const byName: ListKind = { kind: 'map', keys: ['name'] };

const wellKnownLists: Readonly<Record<string, ListKind>> = {
  conditions: { kind: 'map', keys: ['type'] },
  containers: byName,
  env: byName,
  ephemeralContainers: byName,
  finalizers: { kind: 'set' },
  hostAliases: { kind: 'map', keys: ['ip'] },
  imagePullSecrets: byName,
  initContainers: byName,
  ownerReferences: { kind: 'map', keys: ['uid'] },
  ports: { kind: 'map', keys: ['containerPort', 'protocol'] },
  secrets: byName,
  topologySpreadConstraints: { kind: 'map', keys: ['topologyKey', 'whenUnsatisfiable'] },
  volumeDevices: { kind: 'map', keys: ['devicePath'] },
  volumeMounts: { kind: 'map', keys: ['mountPath'] },
  volumes: byName,
  webhooks: byName,
};

const servicePorts: ListKind = { kind: 'map', keys: ['port', 'protocol'] };

/** Maps of Kubernetes' own types that have one owner as a whole. */
const atomicMaps: ReadonlySet<string> = new Set([
  'configMapKeyRef',
  'fieldRef',
  'labelSelector',
  'nodeSelector',
  'resourceFieldRef',
  'roleRef',
  'secretKeyRef',
  'selector',
]);

/** Values of list keys that Kubernetes fills in before it looks at the key. */
const keyDefaults: Readonly<Record<string, unknown>> = { protocol: 'TCP' };

export function rootShape(type: Pick<ResourceType, 'schema'>): Shape {
  return { field: '', schema: type.schema as Schema | undefined, isWellKnown: type.schema === undefined, depth: 0 };
}

export function childShape(shape: Shape, field: string): Shape {
  const depth = shape.depth + 1;
  if (shape.depth === 0 && field === 'metadata') return { field, schema: undefined, isWellKnown: true, depth };
  return { field, schema: childSchema(shape.schema, field), isWellKnown: shape.isWellKnown, depth };
}

/** The shape of the items of a list; they carry the list's name. */
export function itemShape(shape: Shape): Shape {
  return { ...shape, schema: shape.schema?.items, depth: shape.depth + 1 };
}

export function listKind(shape: Shape, items: readonly unknown[]): ListKind {
  if (!shape.isWellKnown) {
    if (shape.schema?.['x-kubernetes-list-type'] === 'set') return { kind: 'set' };
    if (shape.schema?.['x-kubernetes-list-type'] !== 'map') return atomic;
    return { kind: 'map', keys: shape.schema['x-kubernetes-list-map-keys'] ?? [] };
  }
  if (shape.field === 'ports' && items.some((item) => isObject(item) && item.port !== undefined)) return servicePorts;
  return wellKnownLists[shape.field] ?? atomic;
}

/** True for a map that is one value: it changes owners as a whole. */
export function isAtomicMap(shape: Shape): boolean {
  if (!shape.isWellKnown) return shape.schema?.['x-kubernetes-map-type'] === 'atomic';
  return atomicMaps.has(shape.field);
}

/** The path element that names an item of an associative list, as in `managedFields`. */
export function itemElement(kind: ListKind, item: unknown, index: number): string {
  switch (kind.kind) {
    case 'set':
      return `v:${JSON.stringify(item)}`;
    case 'map':
      return `k:${JSON.stringify(keyOf(kind.keys, isObject(item) ? item : {}))}`;
    case 'atomic':
      return `i:${index}`;
  }
}

function keyOf(keys: readonly string[], item: JsonObject): JsonObject {
  const entries = keys.toSorted().flatMap((key) => {
    const value = item[key] ?? keyDefaults[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}
