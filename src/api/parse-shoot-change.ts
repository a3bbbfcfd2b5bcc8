import type { Problem } from '../domain/failures.ts';
import type { GardenerConfig, ProviderSpecificConfig } from '../domain/gardener-config.ts';
import type { GardenerUpgradeInput, ProviderSpecificInput } from './generated/schema.ts';
import { given, onlyGiven } from './given.ts';
import { parseOidc } from './parse-gardener-config.ts';
import { parseProviderSpecific } from './parse-provider-specific.ts';

/** What an input asks for, on top of what a cluster is configured to be. */
export interface ShootChange {
  readonly target: GardenerConfig;
  /** Fields that were asked for, whether they differ or not; those of the provider's block one by one. */
  readonly fields: readonly string[];
  readonly problems: readonly Problem[];
}

/** The original refused these when they were empty, in these words. */
const notEmpty = {
  machineType: 'machine type',
  kubernetesVersion: 'kubernetes version',
  diskType: 'disk type',
  purpose: 'purpose',
} as const;

const blocks = {
  gcp: 'gcpConfig',
  azure: 'azureConfig',
  aws: 'awsConfig',
  openstack: 'openStackConfig',
} as const satisfies Record<GardenerConfig['provider'], keyof ProviderSpecificConfig>;

/** Whatever an input leaves out, or has as null, stays as it is. */
export function parseShootChange(config: GardenerConfig, input: GardenerUpgradeInput, path: string): ShootChange {
  const asked = onlyGiven({
    kubernetesVersion: given(input.kubernetesVersion),
    machineType: given(input.machineType),
    machineImage: given(input.machineImage),
    machineImageVersion: given(input.machineImageVersion),
    diskType: given(input.diskType),
    volumeSizeGB: input.volumeSizeGB,
    workerCidr: given(input.workerCidr),
    autoScalerMin: input.autoScalerMin,
    autoScalerMax: input.autoScalerMax,
    maxSurge: input.maxSurge,
    maxUnavailable: input.maxUnavailable,
    purpose: given(input.purpose),
    enableKubernetesVersionAutoUpdate: input.enableKubernetesVersionAutoUpdate,
    enableMachineImageVersionAutoUpdate: input.enableMachineImageVersionAutoUpdate,
    exposureClassName: given(input.exposureClassName),
    shootNetworkingFilterDisabled: input.shootNetworkingFilterDisabled,
    targetSecret: given(input.targetSecret),
  });
  const { oidcConfig: issuer, machineImageVersion: imageVersion, ...rest } = config;
  const oidcConfig = input.oidcConfig ? parseOidc(input.oidcConfig) : issuer;
  // The version of another image means nothing.
  const sameImage = asked.machineImage === undefined || asked.machineImage === config.machineImage;
  const machineImageVersion = asked.machineImageVersion ?? (sameImage ? imageVersion : undefined);
  const specific = providerSpecific(config, input.providerSpecificConfig ?? {}, `${path}.providerSpecificConfig`);
  const empty = Object.entries(notEmpty).filter(([field]) => input[field as keyof typeof notEmpty]?.trim() === '');
  return {
    target: {
      ...rest,
      ...asked,
      providerSpecificConfig: specific.config,
      ...onlyGiven({ oidcConfig, machineImageVersion }),
    },
    fields: [...Object.keys(asked), ...(input.oidcConfig ? ['oidcConfig'] : []), ...specific.fields],
    problems: [
      ...empty.map(([field, name]) => ({ path: `${path}.${field}`, message: `empty ${name} provided` })),
      ...specific.problems,
    ],
  };
}

/** The block of the cluster's own cloud, completed by what it is now. */
function providerSpecific(
  config: GardenerConfig,
  input: ProviderSpecificInput,
  path: string,
): { config: ProviderSpecificConfig; fields: readonly string[]; problems: readonly Problem[] } {
  const own = blocks[config.provider];
  const foreign = Object.values(blocks).filter((block) => block !== own && input[block]);
  const problems = foreign.map((block) => ({
    path: `${path}.${block}`,
    message: `the cluster is on ${config.provider}, so that only ${own} can be given`,
  }));
  const block = input[own];
  if (!block) return { config: config.providerSpecificConfig, fields: [], problems };
  const parsed = parseProviderSpecific({
    input: { [own]: completed(config.providerSpecificConfig[own], block) },
    workerCidr: config.workerCidr,
    path,
  });
  const fields = Object.entries(block).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`providerSpecificConfig.${own}.${zonesField(own, name)}`],
  );
  return {
    config: { [own]: { ...config.providerSpecificConfig[own], ...parsed.config[own] } },
    fields: [...new Set(fields)],
    problems: [...problems, ...parsed.problems],
  };
}

/** Which field of today a field of an older form is part of. */
function zonesField(block: keyof ProviderSpecificConfig, name: string): string {
  if (block === 'awsConfig') return ['zone', 'publicCidr', 'internalCidr'].includes(name) ? 'awsZones' : name;
  return name === 'zone' ? 'zones' : name;
}

const zoneFields = ['zone', 'zones', 'awsZones', 'azureZones', 'publicCidr', 'internalCidr'];

/** With the zones that there are when none are given. */
function completed(present: object | undefined, block: object): object {
  const isGiven = Object.entries(block).some(([name, value]) => zoneFields.includes(name) && value != null);
  if (isGiven) return block;
  const zones = Object.entries(present ?? {}).filter(([name]) => name === 'zones' || name === 'awsZones');
  return { ...block, ...Object.fromEntries(zones) };
}
