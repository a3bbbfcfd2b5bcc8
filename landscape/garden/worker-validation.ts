import type { KubeObject } from '../kubernetes/resource-type.ts';
import { duplicate, type FieldError, forbidden, invalid, required } from './field-errors.ts';

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const volumeSize = /^(\d)+Gi$/;
const percentage = /^\d{1,3}%$/;
/** Providers whose machines need a volume. */
const volumeProviders = new Set(['aws', 'azure', 'gcp']);

/** What is wrong with the worker pools by themselves. */
export function validateWorkers(spec: KubeObject['spec']): FieldError[] {
  const workers: KubeObject['spec'][] = spec.provider.workers ?? [];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  workers.forEach((worker, index) => {
    const path = `spec.provider.workers[${index}]`;
    if (names.has(worker.name)) errors.push(duplicate(`${path}.name`, worker.name));
    names.add(worker.name);
    errors.push(...validateWorker(worker, path, spec.provider.type));
  });
  if (workers.length > 0 && !workers.some(canHostSystemComponents)) {
    errors.push(
      forbidden('spec.provider.workers', 'at least one active worker pool with allowSystemComponents=true needed'),
    );
  }
  return errors;
}

function validateWorker(worker: KubeObject['spec'], path: string, provider: string): FieldError[] {
  const errors: FieldError[] = [];
  const { name, machine, minimum, maximum, volume, zones } = worker;
  if (!name) errors.push(required(`${path}.name`, 'must specify a name'));
  else if (!dnsLabel.test(name))
    errors.push(
      invalid(
        `${path}.name`,
        name,
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'",
      ),
    );
  if ((name?.length ?? 0) > 15) {
    errors.push({ reason: 'FieldValueTooLong', field: `${path}.name`, detail: 'may not be more than 15 bytes' });
  }
  if (!machine?.type) errors.push(required(`${path}.machine.type`, 'must specify a machine type'));
  if (minimum === undefined || minimum < 0) {
    errors.push(invalid(`${path}.minimum`, minimum ?? null, 'minimum value must not be negative'));
  }
  if (maximum === undefined || maximum < 0) {
    errors.push(invalid(`${path}.maximum`, maximum ?? null, 'maximum value must not be negative'));
  }
  if (maximum < minimum)
    errors.push(forbidden(`${path}.maximum`, 'maximum value must not be less or equal than minimum value'));
  errors.push(...validateRollout(worker, path));
  if (volumeProviders.has(provider)) {
    if (!volume) errors.push(required(`${path}.volume`, `must not be nil`));
    else if (!volume.type) errors.push(required(`${path}.volume.type`, 'must not be empty'));
  }
  if (volume && !volumeSize.test(volume.size ?? '')) {
    errors.push(invalid(`${path}.volume.size`, volume.size ?? '', 'volume size must match the regex ^(\\d)+Gi$'));
  }
  if (new Set(zones).size !== (zones?.length ?? 0)) {
    errors.push(
      duplicate(
        `${path}.zones`,
        zones.find((zone: string, at: number) => zones.indexOf(zone) !== at),
      ),
    );
  }
  return errors;
}

function validateRollout({ maxSurge, maxUnavailable }: KubeObject['spec'], path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, value] of [
    ['maxSurge', maxSurge],
    ['maxUnavailable', maxUnavailable],
  ]) {
    const valid = typeof value === 'number' ? Number.isInteger(value) && value >= 0 : percentage.test(value);
    if (!valid) errors.push(invalid(`${path}.${name}`, value, "must be an integer or percentage (e.g '5%%')"));
  }
  if (isZero(maxSurge) && isZero(maxUnavailable)) {
    errors.push(invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  return errors;
}

function isZero(value: unknown): boolean {
  return value === 0 || value === '0%';
}

function canHostSystemComponents({ systemComponents, maximum, zones }: KubeObject['spec']): boolean {
  return systemComponents?.allow !== false && maximum > 0 && maximum >= (zones?.length ?? 0);
}
