import type { KubeObject } from '../kubernetes/resource-type.ts';
import { type Cidr, canonicalForm, overlap, parseCidr } from './cidr.ts';
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from './field-errors.ts';
import type { GardenAge } from './garden-age.ts';
import { validateOptions } from './option-validation.ts';
import { atLeast } from './versions.ts';
import { validateWorkers } from './worker-validation.ts';

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const purposes = ['evaluation', 'testing', 'development', 'production'];
const proxyModes = ['IPTables', 'IPVS', 'NFTables'];
const ipFamilies = ['IPv4', 'IPv6'];
const reservedRange = { first: 240 * 2 ** 24, prefix: 5, text: '240.0.0.0 to 244.255.255.255' };
const maintenanceTime = /^([01]\d|2[0-3])[0-5]\d[0-5]\d[+-]\d{4}$/;
const operations =
  /^(reconcile|retry|maintain|rotate-[a-z-]+(-(start|complete|start-without-workers-rollout))?|rollout-workers=.+|force-in-place-update)$/;

/** What Gardener's API server finds wrong with a Shoot by itself, without looking at anything else (422). */
export function validateShoot(shoot: KubeObject, age: GardenAge = 'today'): FieldError[] {
  const { spec } = shoot;
  if (!spec) return [required('spec', 'must specify a spec')];
  return [
    ...validateMetadata(shoot),
    ...(age === 'old' ? validateOldReferences(spec) : validateReferences(spec)),
    ...validateKubernetes(spec),
    ...validateNetworking(spec),
    ...validateProvider(spec),
    ...validateMaintenance(spec),
    ...validateExtensions(spec),
    ...validateOptions(spec),
  ];
}

function validateMetadata({ metadata, spec }: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const name = metadata.name ?? '';
  if (name.length > 63 || !dnsLabel.test(name)) {
    errors.push(
      invalid(
        'metadata.name',
        name,
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      ),
    );
  }
  if (name.includes('--')) errors.push(invalid('metadata.name', name, 'name may not contain two consecutive hyphens'));
  const operation = metadata.annotations?.['gardener.cloud/operation'];
  for (const one of operation?.split(';') ?? []) {
    if (one !== '' && !operations.test(one)) {
      errors.push(
        notSupported('metadata.annotations[gardener.cloud/operation]', one, [
          'maintain',
          'reconcile',
          'retry',
          'rotate-*',
        ]),
      );
    }
  }
  if (!purposes.includes(spec.purpose)) errors.push(notSupported('spec.purpose', spec.purpose, purposes));
  return errors;
}

function validateOldReferences(spec: KubeObject['spec']): FieldError[] {
  return [
    ...(spec.cloudProfileName ? [] : [required('spec.cloudProfileName', 'must specify a cloud profile')]),
    ...(spec.secretBindingName ? [] : [required('spec.secretBindingName', 'must specify a name')]),
    ...(spec.region ? [] : [required('spec.region', 'must specify a region')]),
  ];
}

function validateReferences(spec: KubeObject['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const version = spec.kubernetes?.version ?? '';
  if (!spec.cloudProfile?.name) errors.push(required('spec.cloudProfile.name', 'must specify a cloud profile'));
  if (spec.cloudProfileName && atLeast(version, '1.34')) {
    errors.push(
      forbidden(
        'spec.cloudProfileName',
        "is not supported for Kubernetes versions >= 1.34, please use 'spec.cloudProfile' instead",
      ),
    );
  }
  if (spec.cloudProfileName && spec.cloudProfile && spec.cloudProfile.name !== spec.cloudProfileName) {
    errors.push(
      invalid('spec.cloudProfile', spec.cloudProfile.name, 'cloudProfile and cloudProfileName must not differ'),
    );
  }
  const kinds = ['CloudProfile', 'NamespacedCloudProfile'];
  if (spec.cloudProfile && !kinds.includes(spec.cloudProfile.kind)) {
    errors.push(notSupported('spec.cloudProfile.kind', spec.cloudProfile.kind, kinds));
  }
  if (spec.secretBindingName && atLeast(version, '1.34')) {
    errors.push(
      forbidden(
        'spec.secretBindingName',
        "is not supported for Kubernetes versions >= 1.34, please use 'spec.credentialsBindingName' instead",
      ),
    );
  }
  const workerless = !spec.provider?.workers?.length;
  if (spec.secretBindingName && spec.credentialsBindingName) {
    errors.push(forbidden('spec.credentialsBindingName', 'is incompatible with secretBindingName'));
  } else if (workerless && spec.credentialsBindingName) {
    errors.push(forbidden('spec.credentialsBindingName', 'this field should not be set for workerless Shoot'));
  } else if (!workerless && !spec.secretBindingName && !spec.credentialsBindingName) {
    errors.push(required('spec.credentialsBindingName', 'must be set when secretBindingName is not'));
  }
  if (!spec.region) errors.push(required('spec.region', 'must specify a region'));
  return errors;
}

function validateKubernetes(spec: KubeObject['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const { version, kubeAPIServer, kubeProxy } = spec.kubernetes;
  if (!version) errors.push(required('spec.kubernetes.version', 'kubernetes version must not be empty'));
  else if (!/^\d+\.\d+(\.\d+)?$/.test(version))
    errors.push(invalid('spec.kubernetes.version', version, 'must be a semantic version'));
  if (kubeAPIServer?.enableAnonymousAuthentication !== undefined && atLeast(version ?? '', '1.35')) {
    errors.push(
      forbidden(
        'spec.kubernetes.kubeAPIServer.enableAnonymousAuthentication',
        'is not supported for Kubernetes versions >= 1.35',
      ),
    );
  }
  if (kubeProxy && !proxyModes.includes(kubeProxy.mode)) {
    errors.push(notSupported('spec.kubernetes.kubeProxy.mode', kubeProxy.mode, proxyModes));
  }
  if (spec.addons && (atLeast(version ?? '', '1.35') || spec.purpose !== 'evaluation')) {
    errors.push(forbidden('spec.addons', 'addons can only be enabled on shoots with .spec.purpose=evaluation'));
  }
  return errors;
}

function validateNetworking(spec: KubeObject['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const path = 'spec.networking';
  const { type, nodes, pods, services, ipFamilies: families } = spec.networking;
  const workerless = !spec.provider?.workers?.length;
  if (!type && !workerless) errors.push(required(`${path}.type`, 'networking type must be provided'));
  families?.forEach((family: string, index: number) => {
    if (!ipFamilies.includes(family)) errors.push(notSupported(`${path}.ipFamilies[${index}]`, family, ipFamilies));
  });
  if (!nodes && !workerless) errors.push(required(`${path}.nodes`, 'nodes is required'));
  const ranges: [string, Cidr][] = [];
  for (const [name, value] of Object.entries({ nodes, pods, services })) {
    if (!value) continue;
    const field = `${path}.${name}`;
    const found = checkCidr(field, value, errors);
    if (!found) continue;
    if (overlap(found, reservedRange)) {
      errors.push(invalid(field, value, `must not overlap with the reserved range ${reservedRange.text}`));
    }
    for (const [other, range] of ranges) {
      if (overlap(found, range))
        errors.push(invalid(field, value, `must not overlap with "${other}" ("${range.text}")`));
    }
    ranges.push([field, found]);
  }
  return errors;
}

/** The parsed range; what is wrong with it is added to `errors`. */
export function checkCidr(field: string, value: unknown, errors: FieldError[]): Cidr | undefined {
  const range = typeof value === 'string' ? parseCidr(value) : undefined;
  if (!range) {
    errors.push(invalid(field, value, `invalid CIDR address: ${value}`));
    return undefined;
  }
  const canonical = canonicalForm(range);
  if (canonical !== range.text) errors.push(invalid(field, value, `must be valid canonical CIDR: ${canonical}`));
  return range;
}

function validateProvider(spec: KubeObject['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const { provider } = spec;
  if (!provider?.type) errors.push(required('spec.provider.type', 'must specify a provider type'));
  if (!provider) return errors;
  if (!provider.workers?.length) {
    for (const field of ['infrastructureConfig', 'controlPlaneConfig', 'workersSettings']) {
      if (provider[field])
        errors.push(forbidden(`spec.provider.${field}`, 'this field should not be set for workerless Shoot'));
    }
  }
  return [...errors, ...validateWorkers(spec)];
}

function validateMaintenance(spec: KubeObject['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const { begin, end } = spec.maintenance.timeWindow;
  for (const [name, value] of [
    ['begin', begin],
    ['end', end],
  ]) {
    if (!maintenanceTime.test(value)) {
      errors.push(
        invalid(`spec.maintenance.timeWindow.${name}`, value, `time window ${name} is not in the format HHMMSS+ZONE`),
      );
    }
  }
  if (errors.length > 0) return errors;
  const minutes = (minutesOfDay(end) - minutesOfDay(begin) + 24 * 60) % (24 * 60);
  if (minutes < 30) errors.push(forbidden('spec.maintenance.timeWindow', 'time window must not be smaller than 30m0s'));
  if (minutes > 6 * 60)
    errors.push(forbidden('spec.maintenance.timeWindow', 'time window must not be greater than 6h0m0s'));
  return errors;
}

function minutesOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(2, 4));
}

function validateExtensions(spec: KubeObject['spec']): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { type }] of (spec.extensions ?? []).entries()) {
    if (!type) errors.push(required(`spec.extensions[${index}].type`, 'field must not be empty'));
    else if (seen.has(type)) errors.push(duplicate(`spec.extensions[${index}].type`, type));
    seen.add(type);
  }
  return errors;
}
