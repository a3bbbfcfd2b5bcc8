type Fields = Record<string, unknown>;

/** One object out of parts that complete each other. Two parts that set the same field are a mistake, and throw. */
export function merge(parts: readonly object[]): object {
  return parts.reduce((whole: object, part) => mergeTwo(whole as Fields, part as Fields, ''), {});
}

function mergeTwo(whole: Fields, part: Fields, path: string): Fields {
  const merged = { ...whole };
  for (const [name, value] of Object.entries(part)) {
    if (value === undefined) continue;
    const present = merged[name];
    if (present === undefined) merged[name] = value;
    else if (isFields(present) && isFields(value)) merged[name] = mergeTwo(present, value, `${path}${name}.`);
    else throw new Error(`${path}${name} is set twice`);
  }
  return merged;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
