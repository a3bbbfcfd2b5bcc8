import { isRecord, readPath, readRecords, readText } from '../../domain/json.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-client.ts';

/** One level of an OpenAPI v3 schema, as far as we read it. */
export type Schema = Readonly<Record<string, unknown>>;

/** The CustomResourceDefinition among `objects` that serves a kind. */
export function findDefinition(
  objects: readonly KubernetesObject[],
  resource: { readonly apiVersion: string; readonly kind: string },
): KubernetesObject | undefined {
  const [group, version] = resource.apiVersion.split('/');
  return objects.find(
    (object) =>
      object.kind === 'CustomResourceDefinition' &&
      readText(object, 'spec', 'group') === group &&
      readText(object, 'spec', 'names', 'kind') === resource.kind &&
      readRecords(object, 'spec', 'versions').some((candidate) => candidate.name === version),
  );
}

/** The schema of a kind's `spec`; undefined when the definition has none. */
export function specSchema(definition: KubernetesObject, apiVersion: string): Schema | undefined {
  const version = apiVersion.split('/')[1];
  const found = readRecords(definition, 'spec', 'versions').find((candidate) => candidate.name === version);
  const schema = readPath(found, 'schema', 'openAPIV3Schema', 'properties', 'spec');
  return isRecord(schema) ? schema : undefined;
}
