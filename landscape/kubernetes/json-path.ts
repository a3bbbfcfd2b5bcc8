/**
 * Reads the JSON paths that printer columns use: fields (`.spec.x`, `['a.b']`), indexes (`[0]`, `[*]`) and one equality
 * filter per list (`[?(@.type=="Ready")]`). Undefined when nothing is there.
 */
export function readJsonPath(object: unknown, path: string): string | number | boolean | undefined {
  let values: unknown[] = [object];
  for (const step of path.matchAll(
    /\.((?:[^.[\]\\]|\\.)+)|\[(\d+|\*)\]|\['([^']+)'\]|\[\?\(@\.([^=!]+?)\s*==\s*["'](.*?)["']\)\]/g,
  )) {
    const [, field, index, quoted, filterField, filterValue] = step;
    const name = field?.replaceAll('\\', '') ?? quoted;
    values = values.flatMap((value) => {
      if (name !== undefined) return fieldOf(value, name);
      const list = Array.isArray(value) ? value : [];
      if (index === '*') return list;
      if (index !== undefined) return list.slice(Number(index), Number(index) + 1);
      return list.filter((item) => filterField !== undefined && String(fieldOf(item, filterField)[0]) === filterValue);
    });
  }
  const [first] = values;
  if (typeof first === 'string' || typeof first === 'number' || typeof first === 'boolean') return first;
  return first === undefined ? undefined : JSON.stringify(first);
}

function fieldOf(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const field: unknown = Reflect.get(value, name);
  return field === undefined || field === null ? [] : [field];
}
