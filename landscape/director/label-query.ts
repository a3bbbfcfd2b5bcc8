import { isDeepStrictEqual } from 'node:util';
import { DirectorError } from './director-error.ts';

const jsonPath = /^\$\[\*\]\s*\?\s*\((.+)\)$/;
const comparison = /^\s*@\s*==\s*("(?:[^"\\]|\\.)*")\s*$/;

/**
 * The Director's label queries: absent (any value), a JSON value that must be equal, or the JSON path
 * `$[*] ? (@ == "a" || @ == "b")` over a list.
 */
export function parseLabelQuery(query: string | null | undefined): (value: unknown) => boolean {
  if (query === undefined || query === null) return () => true;
  const path = jsonPath.exec(query.trim());
  if (path?.[1]) {
    const wanted = path[1].split('||').map(comparedValue);
    return (value) => (Array.isArray(value) ? value : [value]).some((item) => wanted.includes(item));
  }
  const expected = parseJson(query);
  return (value) => isDeepStrictEqual(value, expected);
}

function comparedValue(text: string): unknown {
  const value = comparison.exec(text)?.[1];
  if (value === undefined) throw unsupported(text);
  return parseJson(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unsupported(text);
  }
}

function unsupported(text: string): DirectorError {
  return new DirectorError(22, 'Invalid data LabelFilter', { query: `cannot be understood: ${text}` });
}
