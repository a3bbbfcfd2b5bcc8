import { kubernetesTime } from './clock.ts';
import { CUSTOM_RESOURCE_CLEANUP, type DefinitionVersion, versionsOf } from './custom-resource-definition-type.ts';
import type { StoreEvent } from './event-history.ts';
import { readJsonPath } from './json-path.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { isBeingDeleted } from './object-meta.ts';
import type { KubeObject, PrinterColumn, ResourceType } from './resource-type.ts';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/**
 * Gives CustomResourceDefinitions their effect: after a short delay the kinds are served and the definition says
 * NamesAccepted and Established; one that is deleted first takes its objects along.
 */
export function startCustomResourceController(api: KubernetesApi): () => void {
  const timers = new Map<string, NodeJS.Timeout>();
  const served = new Map<string, readonly ResourceType[]>();

  const serve = (name: string): void => {
    timers.delete(name);
    const definition = api.read(DEFINITIONS, undefined, name);
    if (definition === undefined || isBeingDeleted(definition)) return;
    const types = typesOf(definition);
    for (const type of served.get(name) ?? []) {
      if (!types.some(({ version }) => version === type.version)) api.removeType(type);
    }
    for (const type of types) api.addType(type);
    served.set(name, types);
    api.write(DEFINITIONS, undefined, name, (copy) => establish(copy, kubernetesTime(api.clock.now())));
  };

  const finish = (name: string): void => {
    const types = served.get(name) ?? [];
    const [type] = types;
    for (const object of type === undefined ? [] : api.list(type)) {
      api.remove(type ?? '', object.metadata.namespace, object.metadata.name ?? '');
    }
    if (type !== undefined && api.list(type).length > 0) return;
    for (const each of types) api.removeType(each);
    served.delete(name);
    api.write(DEFINITIONS, undefined, name, (copy) => {
      const finalizers = copy.metadata.finalizers ?? [];
      copy.metadata.finalizers = finalizers.filter((finalizer) => finalizer !== CUSTOM_RESOURCE_CLEANUP);
    });
  };

  const definitionChanged = ({ type, object, previous }: StoreEvent): void => {
    const name = object.metadata.name ?? '';
    if (type === 'DELETED') {
      clearTimeout(timers.get(name));
      timers.delete(name);
      for (const each of served.get(name) ?? []) api.removeType(each);
      served.delete(name);
    } else if (isBeingDeleted(object)) {
      finish(name);
    } else if (previous === undefined || previous.metadata.generation !== object.metadata.generation) {
      clearTimeout(timers.get(name));
      // What is served already changes at once; only a new kind takes its time.
      if (served.has(name)) serve(name);
      else timers.set(name, setTimeout(() => serve(name), api.establishDelayMilliseconds).unref());
    }
  };

  const stop = api.store.subscribe((event) => {
    if (event.resource === DEFINITIONS) return definitionChanged(event);
    if (event.type !== 'DELETED' || !served.has(event.resource)) return;
    const definition = api.read(DEFINITIONS, undefined, event.resource);
    if (definition !== undefined && isBeingDeleted(definition)) finish(event.resource);
  });
  return () => {
    stop();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

function establish(definition: KubeObject, now: string): void {
  const accepted = { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  const established = {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  };
  const known: readonly { type: string }[] = definition.status?.conditions ?? [];
  const conditions = [accepted, established].map(
    (condition) => known.find(({ type }) => type === condition.type) ?? { lastTransitionTime: now, ...condition },
  );
  const stored = versionsOf(definition).flatMap((version) => (version.storage ? [version.name] : []));
  definition.status = {
    ...definition.status,
    acceptedNames: definition.spec.names,
    conditions,
    storedVersions: [...new Set([...(definition.status?.storedVersions ?? []), ...stored])],
  };
  const finalizers = definition.metadata.finalizers ?? [];
  definition.metadata.finalizers = [...new Set([...finalizers, CUSTOM_RESOURCE_CLEANUP])];
}

/** The types that a definition serves, storage version first. */
function typesOf(definition: KubeObject): readonly ResourceType[] {
  const { group, scope, names } = definition.spec;
  return versionsOf(definition)
    .filter((version) => version.served)
    .sort((left, right) => Number(right.storage) - Number(left.storage))
    .map((version) => ({
      group,
      version: version.name,
      kind: names.kind,
      plural: names.plural,
      singular: names.singular,
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      namespaced: scope === 'Namespaced',
      statusSubresource: version.subresources?.status !== undefined,
      ...schemaOf(version),
      ...columnsOf(version),
    }));
}

function schemaOf(version: DefinitionVersion): Pick<ResourceType, 'schema'> {
  const schema = version.schema?.openAPIV3Schema;
  return schema === undefined ? {} : { schema };
}

function columnsOf(version: DefinitionVersion): Pick<ResourceType, 'columns'> {
  if (version.additionalPrinterColumns === undefined) return {};
  const columns = version.additionalPrinterColumns.map(
    ({ name, type, jsonPath, priority }): PrinterColumn => ({
      name,
      type: isColumnType(type) ? type : 'string',
      value: (object) => readJsonPath(object, jsonPath),
      ...(priority === undefined ? {} : { priority }),
    }),
  );
  return { columns };
}

function isColumnType(type: string): type is PrinterColumn['type'] {
  return ['string', 'integer', 'date', 'boolean', 'number'].includes(type);
}
