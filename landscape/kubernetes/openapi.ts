import { createHash } from 'node:crypto';
import type { ResourceRegistry } from './resource-registry.ts';
import type { ResourceType } from './resource-type.ts';

/** `/openapi/v3`: where the document of each group and version is. */
export function openApiIndex(registry: ResourceRegistry): object {
  const paths = registry.groups().flatMap((group) =>
    registry.versions(group).map((version) => {
      const path = basePath(group, version).slice(1);
      const document = JSON.stringify(openApiDocument(registry, group, version));
      const hash = createHash('sha256').update(document).digest('hex').slice(0, 32).toUpperCase();
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }];
    }),
  );
  return { paths: Object.fromEntries(paths) };
}

/**
 * `/openapi/v3/apis/<group>/<version>`: enough for kubectl to know which kinds there are, what their schema says, and
 * that writes take `fieldValidation`.
 */
export function openApiDocument(registry: ResourceRegistry, group: string, version: string): object {
  const types = registry.all().filter((type) => type.group === group && type.version === version);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(types.flatMap(pathsOf)),
    components: { schemas: Object.fromEntries(types.map((type) => [schemaName(type), schemaOf(type)])) },
  };
}

function basePath(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

function pathsOf(type: ResourceType): readonly [string, object][] {
  const collection = `${basePath(type.group, type.version)}${type.namespaced ? '/namespaces/{namespace}' : ''}/${type.plural}`;
  const operation = (action: string) => ({
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk(type),
    parameters: ['dryRun', 'fieldManager', 'fieldValidation'].map(queryParameter),
    responses: { 200: { description: 'OK' } },
  });
  return [
    [collection, { get: operation('list'), post: operation('post') }],
    [`${collection}/{name}`, { get: operation('get'), put: operation('put'), patch: operation('patch') }],
  ];
}

function queryParameter(name: string): object {
  return { name, in: 'query', schema: { type: 'string', uniqueItems: true } };
}

function gvk({ group, version, kind }: ResourceType): object {
  return { group, version, kind };
}

function schemaName({ group, version, kind }: ResourceType): string {
  const prefix = group === '' ? ['core'] : group.split('.').toReversed();
  return [...prefix, version, kind].join('.');
}

function schemaOf(type: ResourceType): object {
  const schema = type.schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return { ...schema, 'x-kubernetes-group-version-kind': [gvk(type)] };
}
