import type { Problem } from '../domain/failures.ts';
import { parseRuntimeId, type RuntimeId, uuidPattern } from '../domain/ids.ts';

/** The id of a Runtime in an input that may have other mistakes, too. No id when there is a problem. */
export function readRuntimeId(text: string, path: string): { id?: RuntimeId; problems: readonly Problem[] } {
  if (uuidPattern.test(text)) return { id: parseRuntimeId(text), problems: [] };
  return { problems: [{ path, message: `"${text}" is not a UUID such as 309051b6-0bac-44c8-8bae-3fc59c12bb5c` }] };
}
