import { isRecord, readRecords } from '../../../domain/json.ts';
import type { Shoot } from '../shoot/shoot.ts';

/** A part of a Shoot that is being changed. What it holds beside what we know is somebody else's, and stays. */
export type Draft = Record<string, unknown>;

/** A copy of the live Shoot, to be changed. */
export function draftOf(live: Shoot): Draft {
  return structuredClone(live) as Draft;
}

/** The object at the end of `keys`; made when it is not there. */
export function within(draft: Draft, ...keys: readonly string[]): Draft {
  let found = draft;
  for (const key of keys) {
    const next = found[key];
    if (isRecord(next)) found = next;
    else {
      const made: Draft = {};
      found[key] = made;
      found = made;
    }
  }
  return found;
}

/** The objects of the list at the end of `keys`: not copies, so that those of a draft may be changed. */
export function listWithin(draft: object, ...keys: readonly string[]): readonly Draft[] {
  return readRecords(draft, ...keys);
}

/** Sets the field, or takes it away when `value` is undefined. */
export function put(draft: Draft, path: readonly string[], value: unknown): void {
  const parent = within(draft, ...path.slice(0, -1));
  const field = path.at(-1) ?? '';
  if (value === undefined) delete parent[field];
  else parent[field] = value;
}
