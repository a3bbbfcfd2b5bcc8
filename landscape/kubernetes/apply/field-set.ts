import { isObject, type JsonObject } from '../json-value.ts';
import { childShape, isAtomicMap, itemElement, itemShape, listKind, type Shape } from './shape.ts';

/**
 * A set of fields as a tree, in the words of `managedFields`: `f:name` for a field, `k:{...}` for an item by its keys,
 * `v:...` for a value in a set. `isMember` says that the path itself belongs to the set.
 */
export interface FieldSet {
  readonly isMember: boolean;
  readonly children: ReadonlyMap<string, FieldSet>;
}

export const emptySet: FieldSet = { isMember: false, children: new Map() };
const leaf: FieldSet = { isMember: true, children: new Map() };

export function isEmpty(set: FieldSet): boolean {
  return !set.isMember && set.children.size === 0;
}

/** Every field that a value sets: its leaves, and each item of an associative list. */
export function fieldsOf(value: unknown, shape: Shape): FieldSet {
  if (Array.isArray(value)) {
    const kind = listKind(shape, value);
    if (kind.kind === 'atomic' || value.length === 0) return leaf;
    const children = value.map((item, index): [string, FieldSet] => {
      const below = kind.kind === 'set' ? leaf : fieldsOf(item, itemShape(shape));
      return [itemElement(kind, item, index), { isMember: true, children: below.children }];
    });
    return { isMember: false, children: new Map(children) };
  }
  if (!isObject(value) || isAtomicMap(shape) || Object.keys(value).length === 0) return leaf;
  const children = Object.entries(value).map(([field, child]): [string, FieldSet] => [
    `f:${field}`,
    fieldsOf(child, childShape(shape, field)),
  ]);
  return { isMember: false, children: new Map(children) };
}

function combine(left: FieldSet, right: FieldSet, decide: (inLeft: boolean, inRight: boolean) => boolean): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const element of new Set([...left.children.keys(), ...right.children.keys()])) {
    const child = combine(left.children.get(element) ?? emptySet, right.children.get(element) ?? emptySet, decide);
    if (!isEmpty(child)) children.set(element, child);
  }
  return { isMember: decide(left.isMember, right.isMember), children };
}

export function union(left: FieldSet, right: FieldSet): FieldSet {
  return combine(left, right, (inLeft, inRight) => inLeft || inRight);
}

export function difference(left: FieldSet, right: FieldSet): FieldSet {
  return combine(left, right, (inLeft, inRight) => inLeft && !inRight);
}

export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  return combine(left, right, (inLeft, inRight) => inLeft && inRight);
}

export function sameSet(left: FieldSet, right: FieldSet): boolean {
  return isEmpty(combine(left, right, (inLeft, inRight) => inLeft !== inRight));
}

/** The paths of all members, as Kubernetes prints them: `.spec.containers[name="web"].image`. */
export function memberPaths(set: FieldSet, prefix = ''): readonly string[] {
  const below = [...set.children].flatMap(([element, child]) =>
    memberPaths(child, `${prefix}${printElement(element)}`),
  );
  return set.isMember ? [prefix, ...below] : below;
}

function printElement(element: string): string {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('v:')) return `[=${rest}]`;
  const keys: JsonObject = JSON.parse(rest);
  return `[${Object.entries(keys)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(',')}]`;
}

/** As `fieldsV1` in `managedFields`. */
export function encodeFields(set: FieldSet): JsonObject {
  const fields: JsonObject = set.isMember && set.children.size > 0 ? { '.': {} } : {};
  for (const [element, child] of [...set.children].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    fields[element] = encodeFields(child);
  }
  return fields;
}

export function decodeFields(fields: unknown): FieldSet {
  return decode(fields, false);
}

function decode(fields: unknown, isLeafMember: boolean): FieldSet {
  const entries = Object.entries(isObject(fields) ? fields : {});
  if (entries.length === 0) return isLeafMember ? leaf : emptySet;
  const children = entries.filter(([element]) => element !== '.');
  return {
    isMember: entries.length > children.length,
    children: new Map(children.map(([element, child]) => [element, decode(child, true)])),
  };
}
