import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ResourceType } from './resource-type.ts';
import { conflict, type StatusError } from './status-error.ts';

/** The part of a type that the store needs. */
export type StoredType = Pick<ResourceType, 'group' | 'plural' | 'statusSubresource' | 'raisesGeneration'>;

/** 409 when the object names a uid or resourceVersion that is not the stored one's. */
export function refuseStale(type: StoredType, object: KubeObject, current: KubeObject): void {
  const { name = '', uid, resourceVersion } = object.metadata;
  if (isGiven(uid) && uid !== current.metadata.uid) throw uidMismatch(type, name, uid, current);
  if (isGiven(resourceVersion) && resourceVersion !== current.metadata.resourceVersion) throw conflict(type, name);
}

/** True once somebody asked for the object's deletion. */
export function isBeingDeleted(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** True while finalizers keep an object from being removed; those of a Namespace are in its spec too. */
export function isHeld(object: KubeObject): boolean {
  if ((object.metadata.finalizers ?? []).length > 0) return true;
  return object.kind === 'Namespace' && object.apiVersion === 'v1' && (object.spec?.finalizers ?? []).length > 0;
}

export function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

export function uidMismatch(type: StoredType, name: string, uid: string, current: KubeObject): StatusError {
  return conflict(
    type,
    name,
    `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`,
  );
}

/** The core types (but for what has a status subresource of its own) carry no generation. */
export function hasGeneration(type: StoredType): boolean {
  return type.group !== '' && type.group !== 'rbac.authorization.k8s.io';
}

/** Everything but metadata raises the generation, and the status too where it is no subresource. */
export function defaultRaisesGeneration(type: StoredType): (old: KubeObject, object: KubeObject) => boolean {
  return (old, object) => {
    const { metadata: _, ...before } = old;
    const { metadata: __, ...after } = object;
    if (type.statusSubresource === true) {
      delete before.status;
      delete after.status;
    }
    return !isDeepStrictEqual(before, after);
  };
}

/** The object with everything that the system owns as it is stored. */
export function withSystemMetadata(object: KubeObject, current: KubeObject): KubeObject {
  const { uid, creationTimestamp, generation, deletionTimestamp, deletionGracePeriodSeconds, resourceVersion } =
    current.metadata;
  const metadata: KubeObject['metadata'] = { ...object.metadata };
  const owned = {
    uid,
    creationTimestamp,
    generation,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    resourceVersion,
    generateName: current.metadata.generateName,
  };
  for (const [field, value] of Object.entries(owned)) {
    if (value === undefined) delete metadata[field];
    else metadata[field] = value;
  }
  return { ...object, metadata };
}
