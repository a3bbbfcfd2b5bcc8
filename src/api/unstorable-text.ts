import type { Problem } from '../domain/failures.ts';

/** Texts that PostgreSQL stores none of, anywhere in an input; nothing else takes them either. */
export function unstorableText(value: unknown, path: string): readonly Problem[] {
  if (typeof value === 'string') {
    if (value.includes('\0')) return [{ path, message: 'must not contain the character U+0000' }];
    return value.isWellFormed() ? [] : [{ path, message: 'must not contain half of a surrogate pair' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...unstorableText(key, path),
    ...unstorableText(member, `${path}.${key}`),
  ]);
}
