import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../json-value.ts';
import { emptySet, type FieldSet, fieldsOf, isEmpty } from './field-set.ts';
import { childShape, isAtomicMap, itemElement, itemShape, listKind, type Shape } from './shape.ts';

export interface Comparison {
  /** Fields that are new or have another value. */
  readonly changed: FieldSet;
  /** Fields that are no longer there. */
  readonly removed: FieldSet;
}

const unchanged: Comparison = { changed: emptySet, removed: emptySet };

/** What differs between two states of an object, field by field. */
export function compare(before: unknown, after: unknown, shape: Shape): Comparison {
  if (before === undefined) return { changed: fieldsOf(after, shape), removed: emptySet };
  if (after === undefined) return { changed: emptySet, removed: fieldsOf(before, shape) };
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, shape);
  if (isObject(before) && isObject(after) && !isAtomicMap(shape)) {
    const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
    return collect(
      [...fields].map((field) => [`f:${field}`, compare(before[field], after[field], childShape(shape, field))]),
    );
  }
  if (isDeepStrictEqual(before, after)) return unchanged;
  return { changed: fieldsOf(after, shape), removed: emptySet };
}

function compareLists(before: readonly unknown[], after: readonly unknown[], shape: Shape): Comparison {
  const kind = listKind(shape, [...before, ...after]);
  if (kind.kind === 'atomic') {
    return isDeepStrictEqual(before, after) ? unchanged : { changed: fieldsOf(after, shape), removed: emptySet };
  }
  const elements = (items: readonly unknown[]) =>
    new Map(items.map((item, index) => [itemElement(kind, item, index), item]));
  const [old, now] = [elements(before), elements(after)];
  const all = new Set([...old.keys(), ...now.keys()]);
  return collect([...all].map((element) => [element, compareItems(old, now, element, shape, kind.kind === 'set')]));
}

function compareItems(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  element: string,
  shape: Shape,
  isSet: boolean,
): Comparison {
  const fields = (item: unknown): FieldSet => ({
    isMember: true,
    children: isSet ? new Map() : fieldsOf(item, itemShape(shape)).children,
  });
  if (!before.has(element)) return { changed: fields(after.get(element)), removed: emptySet };
  if (!after.has(element)) return { changed: emptySet, removed: fields(before.get(element)) };
  return isSet ? unchanged : compare(before.get(element), after.get(element), itemShape(shape));
}

function collect(parts: readonly (readonly [string, Comparison])[]): Comparison {
  const pick = (of: 'changed' | 'removed'): FieldSet => ({
    isMember: false,
    children: new Map(
      parts.flatMap(([element, part]): [string, FieldSet][] => (isEmpty(part[of]) ? [] : [[element, part[of]]])),
    ),
  });
  return { changed: pick('changed'), removed: pick('removed') };
}
