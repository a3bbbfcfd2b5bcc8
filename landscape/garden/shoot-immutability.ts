import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../kubernetes/resource-type.ts';
import { type FieldError, forbidden, invalid } from './field-errors.ts';
import { compareVersions } from './versions.ts';

const immutable = [
  'region',
  'provider.type',
  'networking.type',
  'networking.pods',
  'networking.services',
  'networking.ipFamilies',
  'dns.domain',
  'schedulerName',
  'kubernetes.kubeControllerManager.nodeCIDRMaskSize',
  'controlPlane.highAvailability.failureTolerance.type',
] as const;

/** What may not change on update (422), and version steps that Gardener does not take. */
export function validateShootUpdate(old: KubeObject, shoot: KubeObject): FieldError[] {
  if (isDeepStrictEqual(old.spec, shoot.spec)) return [];
  if (old.metadata.deletionTimestamp) {
    return [invalid('spec', '...', 'cannot update shoot spec if deletion timestamp is set')];
  }
  const errors: FieldError[] = [];
  for (const path of immutable) {
    const before = at(old.spec, path);
    const after = at(shoot.spec, path);
    if (before !== undefined && !isDeepStrictEqual(before, after)) {
      errors.push(invalid(`spec.${path}`, after ?? null, 'field is immutable'));
    }
  }
  // Also when there was none.
  if (!isDeepStrictEqual(old.spec.exposureClassName, shoot.spec.exposureClassName)) {
    errors.push(invalid('spec.exposureClassName', shoot.spec.exposureClassName ?? null, 'field is immutable'));
  }
  errors.push(...validateBindingStep(old.spec, shoot.spec));
  if (old.spec.credentialsBindingName && !shoot.spec.credentialsBindingName) {
    errors.push(forbidden('spec.credentialsBindingName', 'the field cannot be unset'));
  }
  if (old.spec.seedName !== undefined && shoot.spec.seedName === undefined) {
    errors.push(forbidden('spec.seedName', `is already set to '${old.spec.seedName}' and cannot be changed to 'nil'`));
  }
  return [...errors, ...validateVersionStep(old.spec.kubernetes.version, shoot.spec.kubernetes?.version)];
}

/** A SecretBinding stays the same one, unless a CredentialsBinding takes its place. */
function validateBindingStep(old: KubeObject['spec'], spec: KubeObject['spec']): FieldError[] {
  const [before, after] = [old.secretBindingName, spec.secretBindingName];
  const isMigrated = before !== undefined && after === undefined && spec.credentialsBindingName;
  if (isMigrated || before === after) return [];
  return [invalid('spec.secretBindingName', after ?? null, 'field is immutable')];
}

function validateVersionStep(before: string, after: string): FieldError[] {
  const path = 'spec.kubernetes.version';
  if (!after || before === after) return [];
  if (compareVersions(after, before) < 0) return [forbidden(path, 'kubernetes version downgrade is not supported')];
  const minor = (version: string) => Number(version.split('.')[1]);
  return minor(after) - minor(before) > 1
    ? [forbidden(path, 'kubernetes version upgrade cannot skip a minor version')]
    : [];
}

function at(object: KubeObject['spec'], path: string): unknown {
  return path.split('.').reduce((value, key) => value?.[key], object);
}
