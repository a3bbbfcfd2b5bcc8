import type { AdmissionRequest, KubeObject, ResourceType } from './resource-type.ts';
import { type FieldError, invalid } from './status-error.ts';

/** The finalizer that keeps a CustomResourceDefinition until its objects are gone. */
export const CUSTOM_RESOURCE_CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

export const customResourceDefinitionType: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  singular: 'customresourcedefinition',
  shortNames: ['crd', 'crds'],
  namespaced: false,
  statusSubresource: true,
  columns: [{ name: 'Created At', type: 'string', value: (object) => object.metadata.creationTimestamp }],
  admit: admitDefinition,
};

/** One entry of `spec.versions`. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: object };
  readonly subresources?: { readonly status?: object };
  readonly additionalPrinterColumns?: readonly {
    readonly name: string;
    readonly type: string;
    readonly jsonPath: string;
    readonly priority?: number;
  }[];
}

export function versionsOf(definition: KubeObject): readonly DefinitionVersion[] {
  return Array.isArray(definition.spec?.versions) ? definition.spec.versions : [];
}

function admitDefinition({ operation, object, old }: AdmissionRequest): void {
  if (object === undefined || operation === 'DELETE') return;
  const spec = object.spec ?? {};
  const errors: FieldError[] = [];
  const require = (field: string, value: unknown): void => {
    if (value === undefined || value === '') errors.push({ reason: 'FieldValueRequired', field, detail: '' });
  };
  require('spec.group', spec.group);
  require('spec.scope', spec.scope);
  require('spec.names.plural', spec.names?.plural);
  require('spec.names.kind', spec.names?.kind);
  const expected = `${spec.names?.plural}.${spec.group}`;
  if (object.metadata.name !== expected) {
    errors.push({
      reason: 'FieldValueInvalid',
      field: 'metadata.name',
      value: object.metadata.name,
      detail: 'must be spec.names.plural+"."+spec.group',
    });
  }
  if (versionsOf(object).filter((version) => version.storage).length !== 1) {
    errors.push({
      reason: 'FieldValueInvalid',
      field: 'spec.versions',
      value: versionsOf(object).map((version) => version.name),
      detail: 'must have exactly one version marked as storage version',
    });
  }
  for (const [index, version] of versionsOf(object).entries()) {
    require(`spec.versions[${index}].schema.openAPIV3Schema`, version.schema?.openAPIV3Schema);
  }
  if (old !== undefined && old.spec?.scope !== spec.scope) {
    errors.push({ reason: 'FieldValueInvalid', field: 'spec.scope', value: spec.scope, detail: 'field is immutable' });
  }
  if (errors.length > 0) {
    throw invalid(
      { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
      object.metadata.name ?? '',
      errors,
    );
  }
  spec.conversion ??= { strategy: 'None' };
  const kind: string = spec.names.kind;
  spec.names = { singular: kind.toLowerCase(), listKind: `${kind}List`, ...spec.names };
}
