import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../json-value.ts';
import { badRequest } from '../status-error.ts';

/** Lists of objects that merge by a key, by the field that holds them; a field with several keys takes the first one present. */
const mergeKeys: Readonly<Record<string, readonly string[]>> = {
  conditions: ['type'],
  containers: ['name'],
  env: ['name'],
  ephemeralContainers: ['name'],
  hostAliases: ['ip'],
  imagePullSecrets: ['name'],
  initContainers: ['name'],
  ownerReferences: ['uid'],
  ports: ['containerPort', 'port'],
  secrets: ['name'],
  topologySpreadConstraints: ['topologyKey'],
  volumeDevices: ['devicePath'],
  volumeMounts: ['mountPath'],
  volumes: ['name'],
  webhooks: ['name'],
};

/** Lists of plain values that merge as sets. */
const mergedValues: ReadonlySet<string> = new Set(['finalizers']);

const SET_ORDER = '$setElementOrder/';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList/';

/** Kubernetes' strategic merge patch for its own types: like a merge patch, but well-known lists merge by key. */
export function applyStrategicMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) throw badRequest('error decoding patch: a strategic merge patch is an object');
  return mergeObjects(isObject(target) ? target : {}, patch);
}

function mergeObjects(target: JsonObject, patch: JsonObject): JsonObject {
  const { $patch: directive, $retainKeys: retained, ...changes } = patch;
  if (directive === 'replace') return withoutDirectives(changes);
  if (directive === 'delete') return {};
  const result: JsonObject = { ...target };
  if (Array.isArray(retained)) {
    for (const field of Object.keys(result)) if (!retained.includes(field)) delete result[field];
  }
  for (const [field, value] of Object.entries(changes)) {
    if (field.startsWith(DELETE_FROM_LIST)) {
      const list = field.slice(DELETE_FROM_LIST.length);
      result[list] = listOf(result[list]).filter(
        (item) => !listOf(value).some((gone) => isDeepStrictEqual(gone, item)),
      );
    } else if (field.startsWith('$')) {
    } else if (value === null) {
      delete result[field];
    } else if (isObject(value)) {
      result[field] = mergeObjects(isObject(result[field]) ? result[field] : {}, value);
    } else if (Array.isArray(value)) {
      result[field] = mergeLists(field, listOf(result[field]), value);
    } else {
      result[field] = value;
    }
  }
  for (const [field, order] of Object.entries(changes)) {
    if (!field.startsWith(SET_ORDER)) continue;
    const list = field.slice(SET_ORDER.length);
    if (Array.isArray(result[list])) result[list] = inOrder(list, result[list], listOf(order));
  }
  return result;
}

function mergeLists(field: string, target: readonly unknown[], patch: readonly unknown[]): readonly unknown[] {
  if (mergedValues.has(field)) return [...target, ...patch.filter((value) => !target.includes(value))];
  const key = mergeKeyOf(field, [...patch, ...target]);
  const changes = patch.filter(isObject);
  if (key === undefined || changes.length !== patch.length) return patch;
  const isReplaced = changes.some((item) => item.$patch === 'replace');
  const result: unknown[] = isReplaced ? [] : [...target];
  for (const item of changes) {
    const { $patch: directive, ...content } = item;
    if (directive === 'replace' && Object.keys(content).length === 0) continue;
    const index = result.findIndex((other) => isObject(other) && other[key] === item[key]);
    const current = result[index];
    if (directive === 'delete') {
      if (index >= 0) result.splice(index, 1);
    } else if (isObject(current)) {
      result[index] = mergeObjects(current, item);
    } else {
      result.push(withoutDirectives(content));
    }
  }
  return result;
}

function mergeKeyOf(field: string, items: readonly unknown[]): string | undefined {
  return mergeKeys[field]?.find((key) => items.some((item) => isObject(item) && item[key] !== undefined));
}

/** Sorts what the patch names as it says; the rest keeps its place at the end. */
function inOrder(field: string, items: readonly unknown[], order: readonly unknown[]): readonly unknown[] {
  const key = mergeKeyOf(field, items);
  const identity = (item: unknown): unknown => (key !== undefined && isObject(item) ? item[key] : item);
  const wanted = order.map(identity);
  const rank = (item: unknown): number => {
    const index = wanted.indexOf(identity(item));
    return index < 0 ? wanted.length : index;
  };
  return [...items].sort((left, right) => rank(left) - rank(right));
}

function withoutDirectives(value: JsonObject): JsonObject {
  return mergeObjects({}, value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
