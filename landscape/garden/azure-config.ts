import { contains, overlap, parseCidr } from './cidr.ts';
import { type FieldError, forbidden, invalid, required } from './field-errors.ts';
import type { ProviderConfigs } from './provider-config.ts';
import { checkCidr } from './shoot-validation.ts';

interface NatGateway {
  readonly enabled?: boolean;
  readonly idleConnectionTimeoutMinutes?: number;
}

/** The rules of the Azure extension. */
export function validateAzure({ spec, infrastructure }: ProviderConfigs): FieldError[] {
  const errors: FieldError[] = [];
  const networks = infrastructure.networks ?? {};
  const nodes = parseCidr(spec.networking.nodes ?? '');
  if (infrastructure.resourceGroup)
    errors.push(
      invalid(
        'resourceGroup',
        infrastructure.resourceGroup,
        'specifying an existing resource group is not supported yet',
      ),
    );
  const zones: { name: unknown; cidr: string; natGateway?: NatGateway }[] = networks.zones ?? [];
  if (networks.workers && zones.length > 0)
    errors.push(forbidden('networks.workers', 'cannot specify workers and zones at the same time'));
  if (!networks.workers && zones.length === 0)
    errors.push(invalid('networks.workers', null, 'either workers or zones must be specified'));
  if (zones.length > 0 && !infrastructure.zoned)
    errors.push(forbidden('networks.zones', 'cannot specify zones in a non-zonal cluster'));
  const vnet = networks.vnet?.cidr ? checkCidr('networks.vnet.cidr', networks.vnet.cidr, errors) : undefined;
  if (Boolean(networks.vnet?.name) !== Boolean(networks.vnet?.resourceGroup)) {
    errors.push(
      invalid(
        'networks.vnet',
        networks.vnet,
        'specifying an existing vnet name require a vnet name and vnet resource group',
      ),
    );
  }
  const subnets = networks.workers
    ? [{ path: 'networks.workers', cidr: networks.workers }]
    : zones.map(({ cidr }, index) => ({ path: `networks.zones[${index}].cidr`, cidr }));
  const ranges = subnets.flatMap(({ path, cidr }) => {
    const range = checkCidr(path, cidr, errors);
    return range ? [{ path, range }] : [];
  });
  ranges.forEach(({ path, range }, index) => {
    if (nodes && !contains(nodes, range)) {
      errors.push(invalid(path, range.text, `must be a subset of "networking.nodes" ("${nodes.text}")`));
    }
    if (vnet && !contains(vnet, range)) {
      errors.push(invalid(path, range.text, `must be a subset of "networks.vnet.cidr" ("${vnet.text}")`));
    }
    for (const earlier of ranges.slice(0, index)) {
      if (overlap(range, earlier.range)) {
        errors.push(invalid(path, range.text, `must not overlap with "${earlier.path}" ("${earlier.range.text}")`));
      }
    }
  });
  errors.push(...validateNatGateway('networks.natGateway', networks.natGateway, infrastructure.zoned));
  zones.forEach(({ name, natGateway }, index) => {
    const path = `networks.zones[${index}]`;
    if (!Number.isInteger(name)) errors.push(invalid(`${path}.name`, name, 'must be an integer'));
    errors.push(...validateNatGateway(`${path}.natGateway`, natGateway, infrastructure.zoned));
  });
  spec.provider.workers.forEach((worker: { zones?: string[]; volume?: { encrypted?: boolean } }, index: number) => {
    const path = `spec.provider.workers[${index}]`;
    if (infrastructure.zoned && !worker.zones?.length)
      errors.push(required(`${path}.zones`, 'at least one zone must be configured for zoned clusters'));
    if (!infrastructure.zoned && worker.zones?.length)
      errors.push(forbidden(`${path}.zones`, 'zones must not be specified for non zoned cluster'));
    if (worker.volume?.encrypted !== undefined)
      errors.push(forbidden(`${path}.volume.encrypted`, 'volume encryption is not yet supported'));
  });
  return errors;
}

function validateNatGateway(path: string, natGateway: NatGateway | undefined, zoned: boolean): FieldError[] {
  if (!natGateway) return [];
  const { enabled, idleConnectionTimeoutMinutes: minutes } = natGateway;
  if (!enabled) {
    const words = 'NatGateway is disabled but additional NatGateway config is passed';
    return minutes === undefined ? [] : [invalid(path, natGateway, words)];
  }
  if (!zoned) return [forbidden(path, 'NatGateway is currently only supported for zonal and VMO clusters')];
  if (minutes === undefined || (minutes >= 4 && minutes <= 120)) return [];
  const words = 'idleConnectionTimeoutMinutes values must range between 4 and 120';
  return [invalid(`${path}.idleConnectionTimeoutMinutes`, minutes, words)];
}
