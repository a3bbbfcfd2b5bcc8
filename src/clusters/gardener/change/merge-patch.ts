import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../domain/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The smallest JSON merge patch (RFC 7396) that makes `from` into `to`; undefined when they are the same. A list that
 * differs is in it as a whole: merge patches know no other way.
 */
export function mergePatch(from: Fields, to: Fields): Fields | undefined {
  const patch: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [before, after] = [from[name], to[name]];
    if (isDeepStrictEqual(before, after)) continue;
    if (after === undefined) patch[name] = null;
    else patch[name] = isRecord(before) && isRecord(after) ? mergePatch(before, after) : after;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
