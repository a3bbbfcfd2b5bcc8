import { isRecord, readPath, readRecords, readText } from '../../domain/json.ts';

/**
 * Whether objects of the kind have the field, by the OpenAPI document of their API. A list on the way is passed through.
 * Undefined when the document does not say.
 */
export function isDescribed(document: unknown, kind: string, path: readonly string[]): boolean | undefined {
  const schemas = readPath(document, 'components', 'schemas');
  if (!isRecord(schemas)) return undefined;
  let found: unknown = Object.values(schemas).find((schema) =>
    readRecords(schema, 'x-kubernetes-group-version-kind').some((one) => one.kind === kind),
  );
  for (const name of path) {
    const properties = readPath(itemOf(found, schemas), 'properties');
    if (!isRecord(properties)) return undefined;
    if (!Object.hasOwn(properties, name)) return false;
    found = properties[name];
  }
  return true;
}

/** What a schema refers to, and what a list holds. */
function itemOf(schema: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  const [part] = readRecords(schema, 'allOf');
  const reference = readText(schema, '$ref') ?? readText(part, '$ref');
  if (reference !== undefined) return itemOf(schemas[reference.split('/').at(-1) ?? ''], schemas);
  const items = readPath(schema, 'items');
  return items === undefined ? schema : itemOf(items, schemas);
}
