import type { KubeObject } from './resource-type.ts';

const encoded = new WeakMap<object, string>();

/**
 * The JSON of a stored object, encoded once however many lists and watches carry it. Only for objects that no longer
 * change, which holds for everything that comes out of the store.
 */
export function objectJson(object: KubeObject): string {
  return encoded.get(object) ?? JSON.stringify(object);
}

/** A copy as plain JSON: what is `undefined` is gone. */
export function plainCopy<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** A plain copy that never changes, with its JSON already known to `objectJson`. */
export function frozenCopy(object: KubeObject): KubeObject {
  const json = JSON.stringify(object);
  const copy: KubeObject = deepFreeze(JSON.parse(json));
  encoded.set(copy, json);
  return copy;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
