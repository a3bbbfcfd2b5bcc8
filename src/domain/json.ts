/** True for a JSON object; false for arrays and null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is found at the end of `keys`; undefined when any of them leads nowhere. */
export function readPath(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (!isRecord(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** The text at the end of `keys`; undefined when there is none, or an empty one. */
export function readText(value: unknown, ...keys: readonly string[]): string | undefined {
  const found = readPath(value, ...keys);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The JSON objects in the array at the end of `keys`; none when there is no array. */
export function readRecords(value: unknown, ...keys: readonly string[]): readonly Record<string, unknown>[] {
  const found = readPath(value, ...keys);
  return Array.isArray(found) ? found.filter(isRecord) : [];
}
