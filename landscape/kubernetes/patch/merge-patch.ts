import { isObject, type JsonObject } from '../json-value.ts';

/** JSON merge patch (RFC 7386): null removes, objects merge, everything else replaces. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = applyMergePatch(result[field], value);
  }
  return result;
}
