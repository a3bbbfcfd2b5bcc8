import { type Cidr, contains, overlap, parseCidr } from './cidr.ts';
import { duplicate, type FieldError, invalid, required } from './field-errors.ts';
import type { ProviderConfigs } from './provider-config.ts';
import { checkCidr } from './shoot-validation.ts';

interface ZoneNetworks {
  readonly name: string;
  readonly workers?: string;
  readonly public?: string;
  readonly internal?: string;
}

/** The rules of the AWS extension. */
export function validateAws({ spec, infrastructure }: ProviderConfigs): FieldError[] {
  const errors: FieldError[] = [];
  const { vpc = {}, zones = [] }: { vpc?: { id?: string; cidr?: string }; zones?: ZoneNetworks[] } =
    infrastructure.networks ?? {};
  const nodes = parseCidr(spec.networking.nodes ?? '');
  if (Boolean(vpc.id) === Boolean(vpc.cidr))
    errors.push(invalid('networks.vpc', vpc, 'must specify either a vpc id or a cidr'));
  const vpcRange = vpc.cidr ? checkCidr('networks.vpc.cidr', vpc.cidr, errors) : undefined;
  if (vpcRange && nodes && !contains(vpcRange, nodes)) {
    errors.push(
      invalid('networking.nodes', nodes.text, `must be a subset of "networks.vpc.cidr" ("${vpcRange.text}")`),
    );
  }
  if (zones.length === 0) errors.push(required('networks.zones', 'must specify at least the networks for one zone'));
  const names = new Set<string>();
  const ranges: { path: string; range: Cidr }[] = [];
  zones.forEach((zone, index) => {
    const path = `networks.zones[${index}]`;
    if (names.has(zone.name)) errors.push(duplicate(`${path}.name`, zone.name));
    names.add(zone.name);
    for (const kind of ['internal', 'public', 'workers'] as const) {
      const field = `${path}.${kind}`;
      const range = checkCidr(field, zone[kind] ?? '', errors);
      if (!range) continue;
      if (vpcRange && !contains(vpcRange, range)) {
        errors.push(invalid(field, range.text, `must be a subset of "networks.vpc.cidr" ("${vpcRange.text}")`));
      }
      if (kind === 'workers' && nodes && !contains(nodes, range)) {
        errors.push(invalid(field, range.text, `must be a subset of "networking.nodes" ("${nodes.text}")`));
      }
      for (const earlier of ranges) {
        if (overlap(range, earlier.range))
          errors.push(invalid(field, range.text, `must not overlap with "${earlier.path}" ("${earlier.range.text}")`));
      }
      ranges.push({ path: field, range });
    }
  });
  for (const other of ['pods', 'services'] as const) {
    const range = parseCidr(spec.networking[other] ?? '');
    if (range && vpcRange && overlap(vpcRange, range)) {
      errors.push(
        invalid('networks.vpc.cidr', vpcRange.text, `must not overlap with "networking.${other}" ("${range.text}")`),
      );
    }
  }
  spec.provider.workers.forEach(
    (
      worker: { zones?: string[]; volume?: { type?: string }; providerConfig?: { volume?: { iops?: number } } },
      index: number,
    ) => {
      const path = `spec.provider.workers[${index}]`;
      if (!worker.zones?.length) errors.push(required(`${path}.zones`, 'at least one zone must be configured'));
      for (const [at, zone] of (worker.zones ?? []).entries()) {
        if (!names.has(zone)) {
          errors.push(
            invalid(`${path}.zones[${at}]`, zone, "zone is not part of the infrastructureConfig's networks.zones"),
          );
        }
      }
      if (worker.volume?.type === 'io1' && !worker.providerConfig?.volume?.iops) {
        errors.push(required(`${path}.providerConfig`, 'WorkerConfig must be set with iops if volume type is io1'));
      }
    },
  );
  return errors;
}
