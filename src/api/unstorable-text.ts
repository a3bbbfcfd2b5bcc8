import type { Problem } from '../domain/failures.ts';

/** Texts with a zero character, anywhere in an input: PostgreSQL stores none, and nothing else takes them either. */
export function unstorableText(value: unknown, path: string): readonly Problem[] {
  if (typeof value === 'string') {
    return value.includes('\0') ? [{ path, message: 'must not contain the character U+0000' }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...unstorableText(key, path),
    ...unstorableText(member, `${path}.${key}`),
  ]);
}
