import { isObject } from './json-value.ts';
import { isBeingDeleted } from './object-meta.ts';
import { apiVersionOf } from './resource-registry.ts';
import type { KubeObject, ResourceType } from './resource-type.ts';
import { type Schema, validateSchema } from './schema.ts';
import { badRequest, type FieldError, invalid } from './status-error.ts';

/** Kubernetes' own types: they take strategic merge patches, and updates without a resourceVersion. */
export function isKubernetesOwn({ group }: Pick<ResourceType, 'group'>): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}

/** The request's body as an object of the type; missing apiVersion and kind are filled in, others refused. */
export function decode(type: ResourceType, body: unknown): KubeObject {
  if (!isObject(body)) throw badRequest('the request body must be an object');
  const expected = apiVersionOf(type);
  const { apiVersion = expected, kind = type.kind, metadata = {} } = body;
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${String(apiVersion)}) does not match the expected API version (${expected})`,
    );
  }
  if (kind !== type.kind) {
    throw badRequest(`the kind in the data (${String(kind)}) does not match the expected kind (${type.kind})`);
  }
  if (!isObject(metadata)) throw badRequest(`${type.kind} in version "${type.version}": metadata must be an object`);
  return { ...body, apiVersion: expected, kind: type.kind, metadata: { ...metadata } };
}

/** What a write may touch: only `status` through the status subresource, all but `status` without it. */
export function ownPart(
  object: KubeObject,
  { type, subresource }: { readonly type: ResourceType; readonly subresource: string | undefined },
): KubeObject {
  if (subresource === 'status') {
    const { apiVersion, kind, metadata, status } = object;
    const { managedFields } = metadata;
    const identity = managedFields === undefined ? {} : { managedFields };
    return { apiVersion, kind, metadata: identity, ...(status === undefined ? {} : { status }) };
  }
  if (type.statusSubresource !== true) return object;
  const { status: _, ...rest } = object;
  return { ...rest };
}

/** 400 for an object that names another namespace than the path. */
export function refuseOtherNamespace(object: KubeObject, namespace: string | undefined): void {
  const own = object.metadata.namespace;
  if (own === undefined || own === '' || own === namespace) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

export function schemaErrors(type: ResourceType, object: KubeObject): readonly FieldError[] {
  return type.schema === undefined ? [] : validateSchema(object, type.schema as Schema);
}

/** An object that is being deleted takes no new finalizers. */
export function finalizerErrors(current: KubeObject, next: KubeObject): readonly FieldError[] {
  if (!isBeingDeleted(current)) return [];
  const known = current.metadata.finalizers ?? [];
  const added = (next.metadata.finalizers ?? []).filter((finalizer) => !known.includes(finalizer));
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [{ reason: 'FieldValueForbidden', field: 'metadata.finalizers', detail }];
}

export function refuseInvalid(type: ResourceType, object: KubeObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(type, object.metadata.name ?? object.metadata.generateName ?? '', errors);
}
