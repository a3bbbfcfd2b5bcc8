import { isDeepStrictEqual } from 'node:util';
import { contains, parseCidr } from './cidr.ts';
import { type FieldError, forbidden, invalid } from './field-errors.ts';
import type { ProviderConfigs } from './provider-config.ts';

type UpdateRule = (old: ProviderConfigs, now: ProviderConfigs) => FieldError[];

const infrastructurePath = 'spec.provider.infrastructureConfig';
const controlPlanePath = 'spec.provider.controlPlaneConfig';

interface Zone {
  readonly name: string | number;
  readonly [field: string]: unknown;
}

/** The network of the nodes may grow, as long as it holds what it held. */
export const gcpUpdate: UpdateRule = (old, now) => [
  ...immutable(`${controlPlanePath}.zone`, old.controlPlane?.zone, now.controlPlane?.zone),
  ...grownOnly('networks.workers', networksOf(old).workers, networksOf(now).workers),
  ...workerZones(old, now),
];

/** A zone's subnet stays as it is; a cluster with one subnet for all zones stays one. */
export const azureUpdate: UpdateRule = (old, now) => {
  const [before, after] = [networksOf(old), networksOf(now)];
  const zones = zonesOf(after);
  const errors = [
    ...immutable(`${infrastructurePath}.zoned`, old.infrastructure.zoned ?? false, now.infrastructure.zoned ?? false),
    ...immutable('networks.vnet.name', before.vnet?.name, after.vnet?.name),
    ...grownOnly('networks.vnet.cidr', before.vnet?.cidr, after.vnet?.cidr),
    ...grownOnly('networks.workers', before.workers, after.workers),
    ...workerZones(old, now),
  ];
  if (zonesOf(before).length > zones.length) errors.push(forbidden('networks.zones', 'removing zones is not allowed'));
  for (const [index, zone] of zones.entries()) {
    const same = zonesOf(before).find(({ name }) => name === zone.name);
    if (same) errors.push(...immutable(`networks.zones[${index}].cidr`, same.cidr, zone.cidr));
  }
  return errors;
};

export const awsUpdate: UpdateRule = (old, now) => {
  const [before, after] = [networksOf(old), networksOf(now)];
  const errors = [
    ...immutable('networks.vpc.id', before.vpc?.id, after.vpc?.id),
    ...immutable('networks.vpc.cidr', before.vpc?.cidr, after.vpc?.cidr),
    ...workerZones(old, now),
  ];
  if (zonesOf(before).length > zonesOf(after).length) {
    return [...errors, forbidden('networks.zones', 'removing zones is not allowed')];
  }
  for (const [index, zone] of zonesOf(before).entries()) {
    for (const field of ['name', 'public', 'internal', 'workers']) {
      errors.push(...immutable(`networks.zones[${index}].${field}`, zone[field], zonesOf(after)[index]?.[field]));
    }
  }
  return errors;
};

export const openstackUpdate: UpdateRule = (old, now) => [
  ...immutable(
    `${infrastructurePath}.floatingPoolName`,
    old.infrastructure.floatingPoolName,
    now.infrastructure.floatingPoolName,
  ),
  ...immutable('networks', networksOf(old), networksOf(now)),
  ...workerZones(old, now),
];

/** Zones are added to a pool at the end of its list, and stay. */
function workerZones(old: ProviderConfigs, now: ProviderConfigs): FieldError[] {
  const pools: { name: string; zones?: string[] }[] = now.spec.provider.workers ?? [];
  return pools.flatMap(({ name, zones = [] }, index) => {
    const before = old.spec.provider.workers?.find((pool: { name: string }) => pool.name === name);
    if (!before) return [];
    const present: string[] = before.zones ?? [];
    const isAppended = isDeepStrictEqual(zones.slice(0, present.length), present);
    return isAppended ? [] : [invalid(`spec.provider.workers[${index}].zones`, zones, 'field is immutable')];
  });
}

function immutable(field: string, before: unknown, after: unknown): FieldError[] {
  return isDeepStrictEqual(before, after) ? [] : [invalid(field, after ?? null, 'field is immutable')];
}

function grownOnly(field: string, before: unknown, after: unknown): FieldError[] {
  const [old, now] = [before, after].map((text) => (typeof text === 'string' ? parseCidr(text) : undefined));
  return old && now && contains(now, old) ? [] : immutable(field, before, after);
}

function networksOf({ infrastructure }: ProviderConfigs): ProviderConfigs['infrastructure'] {
  return infrastructure.networks ?? {};
}

function zonesOf(networks: ProviderConfigs['infrastructure']): readonly Zone[] {
  return networks.zones ?? [];
}
