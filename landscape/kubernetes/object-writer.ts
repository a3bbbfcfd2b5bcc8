import { applyConfiguration, clearsManagedFields, managedFieldsAfterUpdate } from './apply/managed-fields.ts';
import { type Clock, kubernetesTime } from './clock.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from './garbage-collector.ts';
import { nameFromGenerateName } from './generate-name.ts';
import { validateMetadata } from './metadata-validation.ts';
import { plainCopy } from './object-json.ts';
import { isBeingDeleted, refuseStale } from './object-meta.ts';
import type { DeletePreconditions, DeleteResult, ObjectStore } from './object-store.ts';
import { apiVersionOf, inVersion, type ResourceRegistry } from './resource-registry.ts';
import type { KubeObject, ResourceType, User } from './resource-type.ts';
import { applyDefaults, pruneUnknownFields, type Schema } from './schema.ts';
import { alreadyExists, badRequest, forbidden, invalid, notFound, StatusError } from './status-error.ts';
import {
  decode,
  finalizerErrors,
  isKubernetesOwn,
  ownPart,
  refuseInvalid,
  refuseOtherNamespace,
  schemaErrors,
} from './written-object.ts';

/** What comes with every write. */
export interface WriteOptions {
  readonly user: User;
  readonly dryRun: boolean;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  readonly fieldManager: string;
  /** Takes the warnings that the answer's header will carry. */
  readonly warn: (message: string) => void;
}

export interface WriteTarget {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string | undefined;
}

export interface DeleteRequest {
  readonly preconditions?: DeletePreconditions;
  readonly propagationPolicy?: string | undefined;
}

/**
 * Writes as clients see them: what happens to an object between the request and the store. Decoding against the
 * schema, defaulting, admission, validation, field ownership.
 */
export class ObjectWriter {
  readonly #store: ObjectStore;
  readonly #registry: ResourceRegistry;
  readonly #clock: Clock;

  constructor({ store, registry, clock }: { store: ObjectStore; registry: ResourceRegistry; clock: Clock }) {
    this.#store = store;
    this.#registry = registry;
    this.#clock = clock;
  }

  create(type: ResourceType, namespace: string | undefined, body: unknown, options: WriteOptions): KubeObject {
    const decoded = decode(type, body);
    this.#checkUnknownFields(type, decoded, options, 'create');
    return this.#create(type, namespace, decoded, options, (object) => {
      const managedFields = managedFieldsAfterUpdate(type, undefined, object, this.#writer(options, undefined));
      return { ...object, metadata: { ...object.metadata, managedFields } };
    });
  }

  replace(target: WriteTarget, body: unknown, options: WriteOptions): KubeObject {
    const { type, name } = target;
    const decoded = decode(type, body);
    this.#checkUnknownFields(type, decoded, options, 'create');
    if ((decoded.metadata.name ?? name) !== name) {
      throw badRequest(
        `the name of the object (${decoded.metadata.name}) does not match the name on the URL (${name})`,
      );
    }
    refuseOtherNamespace(decoded, target.namespace);
    const current = this.#current(target);
    if (!isKubernetesOwn(type) && (decoded.metadata.resourceVersion ?? '') === '') {
      const detail = 'must be specified for an update';
      throw invalid(type, name, [{ reason: 'FieldValueInvalid', field: 'metadata.resourceVersion', value: 0, detail }]);
    }
    return this.#update(target, current, decoded, options);
  }

  /** Changes the newest state by a patch; `change` gets a copy of it. */
  patch(target: WriteTarget, change: (object: KubeObject) => unknown, options: WriteOptions): KubeObject {
    const current = this.#current(target);
    const decoded = decode(target.type, change(plainCopy(current)));
    this.#checkUnknownFields(target.type, decoded, options, 'patch');
    return this.#update(target, current, decoded, options);
  }

  /** Server-side apply. `created` tells whether the object is new. */
  apply(
    target: WriteTarget,
    body: unknown,
    force: boolean,
    options: WriteOptions,
  ): { readonly object: KubeObject; readonly created: boolean } {
    const { type, namespace, name, subresource } = target;
    const decoded = decode(type, body);
    if ((decoded.metadata.name ?? name) !== name) {
      throw badRequest(`metadata.name ${decoded.metadata.name} does not match the name on the URL ${name}`);
    }
    const unknown = type.schema === undefined ? [] : pruneUnknownFields(decoded, type.schema as Schema);
    if (unknown.length > 0) {
      const place = `${namespace ?? ''}/${name}; ${apiVersionOf(type)}, Kind=${type.kind}`;
      const list = unknown.map((path) => `.${path}: field not declared in schema`).join('\n');
      const message = `failed to create typed patch object (${place}): ${list}`;
      throw new StatusError({ code: 500, reason: '', message });
    }
    const writer = this.#writer(options, subresource);
    const applied = ownPart(decoded, target);
    const found = this.#store.get(type, namespace, name);
    const live = found === undefined ? undefined : inVersion(found, type);
    if (live === undefined) {
      if (subresource !== undefined) throw notFound(type, name);
      const named = { ...applied, metadata: { ...applied.metadata, name } };
      const merged = applyConfiguration({ type, live: undefined, applied: named, writer, force });
      return { object: this.#create(type, namespace, merged, options, (object) => object), created: true };
    }
    refuseStale(type, { ...decoded, metadata: { ...decoded.metadata, name } }, live);
    const merged = applyConfiguration({ type, live, applied, writer, force });
    return { object: this.#finishUpdate(target, live, merged, options), created: false };
  }

  delete(
    { type, namespace, name }: WriteTarget,
    { preconditions = {}, propagationPolicy }: DeleteRequest,
    { user, dryRun }: Pick<WriteOptions, 'user' | 'dryRun'>,
  ): DeleteResult {
    const found = this.#store.get(type, namespace, name);
    if (found === undefined) throw notFound(type, name);
    refuseStale(type, { ...found, metadata: { ...found.metadata, ...given(preconditions) } }, found);
    const old = inVersion(found, type);
    type.admit?.({ operation: 'DELETE', object: undefined, old, user, dryRun });
    const finalizer = { Foreground: FOREGROUND_FINALIZER, Orphan: ORPHAN_FINALIZER }[propagationPolicy ?? ''];
    if (finalizer !== undefined && !dryRun) {
      const held = plainCopy(found);
      held.metadata.finalizers = [...new Set([...(found.metadata.finalizers ?? []), finalizer])];
      this.#store.update(type, held);
      return this.#store.delete(type, namespace, name, { dryRun });
    }
    return this.#store.delete(type, namespace, name, { preconditions, dryRun });
  }

  #create(
    type: ResourceType,
    namespace: string | undefined,
    decoded: KubeObject,
    options: WriteOptions,
    own: (object: KubeObject) => KubeObject,
  ): KubeObject {
    refuseOtherNamespace(decoded, namespace);
    const { generateName } = decoded.metadata;
    const hasName = (decoded.metadata.name ?? '') !== '';
    const object: KubeObject = {
      ...decoded,
      metadata: {
        ...decoded.metadata,
        ...(!hasName && generateName !== undefined ? { name: this.#freeName(type, namespace, generateName) } : {}),
        ...(namespace === undefined ? {} : { namespace }),
      },
    };
    if (!type.namespaced) delete object.metadata.namespace;
    if (object.metadata.resourceVersion !== undefined && object.metadata.resourceVersion !== '') {
      throw badRequest('resourceVersion should not be set on objects to be created');
    }
    if (type.statusSubresource === true) delete object.status;
    const name = object.metadata.name ?? '';
    if (type.namespaced) this.#refuseUnusableNamespace(type, namespace ?? '', name);
    this.#default(type, object);
    refuseInvalid(type, object, [...validateMetadata(object, type), ...schemaErrors(type, object)]);
    if (this.#store.get(type, namespace, name) !== undefined) throw alreadyExists(type, name);
    type.admit?.({ operation: 'CREATE', object, old: undefined, user: options.user, dryRun: options.dryRun });
    return this.#store.create(type, this.#inStorageVersion(type, own(object)), { dryRun: options.dryRun });
  }

  #update(target: WriteTarget, current: KubeObject, decoded: KubeObject, options: WriteOptions): KubeObject {
    const { type, name, namespace, subresource } = target;
    refuseStale(type, { ...decoded, metadata: { ...decoded.metadata, name } }, current);
    const next = ownPart(decoded, target);
    const writer = this.#writer(options, subresource);
    const object: KubeObject =
      subresource === 'status'
        ? { ...current, metadata: { ...current.metadata }, status: next.status }
        : {
            ...next,
            metadata: { ...next.metadata, name, ...(namespace === undefined ? {} : { namespace }) },
            ...(type.statusSubresource === true && current.status !== undefined ? { status: current.status } : {}),
          };
    if (object.status === undefined) delete object.status;
    object.metadata.managedFields = clearsManagedFields(next)
      ? undefined
      : managedFieldsAfterUpdate(
          type,
          current,
          { ...object, metadata: { ...object.metadata, managedFields: next.metadata.managedFields } },
          writer,
        );
    return this.#finishUpdate(target, current, object, options);
  }

  #finishUpdate(target: WriteTarget, current: KubeObject, object: KubeObject, options: WriteOptions): KubeObject {
    const { type, subresource } = target;
    const next = plainCopy(object);
    if (type.statusSubresource === true && subresource === undefined) {
      if (current.status === undefined) delete next.status;
      else next.status = plainCopy(current.status);
    }
    this.#default(type, next);
    const errors = [...validateMetadata(next, type), ...schemaErrors(type, next), ...finalizerErrors(current, next)];
    refuseInvalid(type, next, errors);
    if (subresource === undefined) {
      const old = current;
      type.admit?.({ operation: 'UPDATE', object: next, old, user: options.user, dryRun: options.dryRun });
    }
    return this.#store.update(type, this.#inStorageVersion(type, next), { dryRun: options.dryRun });
  }

  #current({ type, namespace, name }: WriteTarget): KubeObject {
    const found = this.#store.get(type, namespace, name);
    if (found === undefined) throw notFound(type, name);
    return inVersion(found, type);
  }

  #freeName(type: ResourceType, namespace: string | undefined, prefix: string): string {
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const name = nameFromGenerateName(prefix);
      if (this.#store.get(type, namespace, name) === undefined) return name;
    }
    throw alreadyExists(type, prefix);
  }

  #refuseUnusableNamespace(type: ResourceType, namespace: string, name: string): void {
    const found = this.#store.get({ group: '', plural: 'namespaces' }, undefined, namespace);
    if (found === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace);
    if (!isBeingDeleted(found)) return;
    throw forbidden(
      type,
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
    );
  }

  #default(type: ResourceType, object: KubeObject): void {
    if (type.schema !== undefined) applyDefaults(object, type.schema as Schema);
  }

  #checkUnknownFields(
    type: ResourceType,
    object: KubeObject,
    { fieldValidation, warn }: WriteOptions,
    action: 'create' | 'patch',
  ): void {
    if (type.schema === undefined) return;
    const unknown = pruneUnknownFields(object, type.schema as Schema);
    const messages = unknown.map((path) => `unknown field "${path}"`);
    if (messages.length === 0 || fieldValidation === 'Ignore') return;
    if (fieldValidation === 'Warn') {
      for (const message of messages) warn(message);
      return;
    }
    const strict = `strict decoding error: ${messages.join(', ')}`;
    const { kind, version } = type;
    if (action === 'create')
      throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${strict}`);
    throw invalid({ group: '', kind: '' }, '', [{ reason: 'FieldValueInvalid', field: 'patch', detail: strict }]);
  }

  #writer({ fieldManager }: WriteOptions, subresource: string | undefined) {
    return { manager: fieldManager, subresource, time: kubernetesTime(this.#clock.now()) };
  }

  #inStorageVersion(type: ResourceType, object: KubeObject): KubeObject {
    return { ...object, apiVersion: this.#registry.storageVersion(type) };
  }
}

function given(preconditions: DeletePreconditions): DeletePreconditions {
  const { uid, resourceVersion } = preconditions;
  return {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}
