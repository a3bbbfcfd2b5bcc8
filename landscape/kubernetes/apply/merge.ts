import { isObject, type JsonObject } from '../json-value.ts';
import { emptySet, type FieldSet, isEmpty } from './field-set.ts';
import { childShape, isAtomicMap, itemElement, itemShape, listKind, type Shape } from './shape.ts';

/** Lays an applied configuration over the live object: maps and associative lists merge, everything else is replaced. */
export function mergeApplied(live: unknown, applied: unknown, shape: Shape): unknown {
  if (isObject(live) && isObject(applied) && !isAtomicMap(shape)) {
    const result: JsonObject = { ...live };
    for (const [field, value] of Object.entries(applied)) {
      result[field] = mergeApplied(live[field], value, childShape(shape, field));
    }
    return result;
  }
  if (Array.isArray(live) && Array.isArray(applied)) return mergeLists(live, applied, shape);
  return applied;
}

function mergeLists(live: readonly unknown[], applied: readonly unknown[], shape: Shape): readonly unknown[] {
  const kind = listKind(shape, [...live, ...applied]);
  if (kind.kind === 'atomic') return applied;
  const items = new Map(live.map((item, index) => [itemElement(kind, item, index), item]));
  for (const [index, item] of applied.entries()) {
    const element = itemElement(kind, item, index);
    items.set(element, items.has(element) ? mergeApplied(items.get(element), item, itemShape(shape)) : item);
  }
  return [...items.values()];
}

/** Removes the given fields from an object, except for what lies in `kept`. What is emptied by that goes too. */
export function removeFields(value: unknown, gone: FieldSet, kept: FieldSet, shape: Shape): unknown {
  if (gone.isMember && isEmpty(kept)) return undefined;
  if (gone.children.size === 0) return value;
  if (isObject(value)) {
    const result: JsonObject = {};
    for (const [field, child] of Object.entries(value)) {
      const left = removeBelow(child, gone, kept, `f:${field}`, childShape(shape, field));
      if (left !== undefined) result[field] = left;
    }
    return Object.keys(result).length === 0 && Object.keys(value).length > 0 ? undefined : result;
  }
  if (Array.isArray(value)) {
    const kind = listKind(shape, value);
    const left = value.flatMap((item, index) => {
      const rest = removeBelow(item, gone, kept, itemElement(kind, item, index), itemShape(shape));
      return rest === undefined ? [] : [rest];
    });
    return left.length === 0 ? undefined : left;
  }
  return value;
}

function removeBelow(value: unknown, gone: FieldSet, kept: FieldSet, element: string, shape: Shape): unknown {
  const below = gone.children.get(element);
  return below === undefined ? value : removeFields(value, below, kept.children.get(element) ?? emptySet, shape);
}
