import type { KubeObject } from '../kubernetes/resource-type.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from './field-errors.ts';
import { atLeast } from './versions.ts';

const failureTolerances = ['node', 'zone'];

/** What Gardener's API server finds wrong with the optional parts of a Shoot by themselves (422). */
export function validateOptions(spec: KubeObject['spec']): FieldError[] {
  return [...validateFailureTolerance(spec), ...validateDns(spec), ...validateTolerations(spec)];
}

function validateFailureTolerance({ controlPlane }: KubeObject['spec']): FieldError[] {
  const type = controlPlane?.highAvailability?.failureTolerance?.type;
  if (controlPlane?.highAvailability === undefined || failureTolerances.includes(type)) return [];
  return [notSupported('spec.controlPlane.highAvailability.failureTolerance.type', type, failureTolerances)];
}

function validateDns({ dns, kubernetes }: KubeObject['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const providers: KubeObject['spec'][] = dns?.providers ?? [];
  if (providers.length > 0 && !dns.domain) {
    errors.push(required('spec.dns.domain', 'domain must be set when primary provider type is not set to "unmanaged"'));
  }
  if (providers.filter(({ primary }) => primary).length > 1) {
    errors.push(forbidden('spec.dns.providers', 'multiple primary DNS providers are not supported'));
  }
  providers.forEach(({ type, secretName, credentialsRef }, index) => {
    const path = `spec.dns.providers[${index}]`;
    if (!type) errors.push(required(`${path}.type`, 'type must be set when secretName is set'));
    if (secretName && atLeast(kubernetes.version ?? '', '1.35')) {
      const words = "is not supported for Kubernetes versions >= 1.35, please use 'credentialsRef' instead";
      errors.push(forbidden(`${path}.secretName`, words));
    }
    if (credentialsRef && !(credentialsRef.apiVersion && credentialsRef.kind && credentialsRef.name)) {
      errors.push(invalid(`${path}.credentialsRef`, credentialsRef, 'must have an API version, kind and name'));
    }
  });
  return errors;
}

function validateTolerations({ tolerations = [] }: KubeObject['spec']): FieldError[] {
  return tolerations.flatMap(({ key }: { key?: string }, index: number) =>
    key ? [] : [required(`spec.tolerations[${index}].key`, 'cannot be empty')],
  );
}
