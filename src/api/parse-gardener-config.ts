import type { Problem } from '../domain/failures.ts';
import {
  type AwsProviderConfig,
  type GardenerConfig,
  type GardenerProvider,
  gardenerProviders,
  type ProviderSpecificConfig,
} from '../domain/gardener-config.ts';
import { generateClusterName } from './cluster-name.ts';
import type { AWSProviderConfigInput, GardenerConfigInput, ProviderSpecificInput } from './generated/schema.ts';

/** For whoever does not name one: 4 CPUs and 16 GiB, of the current general-purpose family. */
const defaultMachineTypes: Readonly<Record<GardenerProvider, string>> = {
  gcp: 'n2-standard-4',
  azure: 'Standard_D4s_v5',
  aws: 'm6i.xlarge',
};

/**
 * The input with defaults filled in. Only what must hold for there to be a GardenerConfig at all is judged here; the
 * rest is the driver's. Undefined when it must not go on; `problems` says why.
 */
export function parseGardenerConfig(
  input: GardenerConfigInput,
  path: string,
): { config: GardenerConfig | undefined; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  for (const field of ['region', 'targetSecret', 'workerCidr'] as const) {
    if (input[field].trim() === '') problems.push({ path: `${path}.${field}`, message: 'must not be empty' });
  }
  const provider = gardenerProviders.find((known) => known === input.provider);
  if (provider === undefined) {
    const message = `"${input.provider}" is not supported; supported are ${gardenerProviders.join(', ')}`;
    problems.push({ path: `${path}.provider`, message });
  }
  const specific = parseProviderSpecific(input.providerSpecificConfig, input.workerCidr, problems, path);
  if (provider === undefined || problems.length > 0) return { config: undefined, problems };

  const autoScalerMin = input.autoScalerMin ?? 2;
  const config: GardenerConfig = {
    name: given(input.name) ?? generateClusterName(),
    provider,
    region: input.region,
    targetSecret: input.targetSecret,
    machineType: given(input.machineType) ?? defaultMachineTypes[provider],
    workerCidr: input.workerCidr,
    autoScalerMin,
    autoScalerMax: input.autoScalerMax ?? Math.max(4, autoScalerMin),
    maxSurge: input.maxSurge ?? 1,
    maxUnavailable: input.maxUnavailable ?? 0,
    providerSpecificConfig: specific,
    ...onlyGiven({
      kubernetesVersion: given(input.kubernetesVersion),
      machineImage: given(input.machineImage),
      machineImageVersion: given(input.machineImageVersion),
      diskType: given(input.diskType),
      volumeSizeGB: input.volumeSizeGB ?? undefined,
      purpose: given(input.purpose),
      licenceType: given(input.licenceType),
      seed: given(input.seed),
      podsCidr: given(input.podsCidr),
      servicesCidr: given(input.servicesCidr),
      enableKubernetesVersionAutoUpdate: input.enableKubernetesVersionAutoUpdate ?? undefined,
      enableMachineImageVersionAutoUpdate: input.enableMachineImageVersionAutoUpdate ?? undefined,
    }),
  };
  return { config, problems };
}

function parseProviderSpecific(
  input: ProviderSpecificInput,
  workerCidr: string,
  problems: Problem[],
  path: string,
): ProviderSpecificConfig {
  const { gcpConfig, azureConfig, awsConfig } = input;
  return {
    ...(gcpConfig && { gcpConfig: { zones: gcpConfig.zones } }),
    ...(azureConfig && {
      azureConfig: { vnetCidr: azureConfig.vnetCidr, ...(azureConfig.zones && { zones: azureConfig.zones }) },
    }),
    ...(awsConfig && {
      awsConfig: parseAws(awsConfig, workerCidr, problems, `${path}.providerSpecificConfig.awsConfig`),
    }),
  };
}

/** The form of 2020 has one zone, whose nodes take the whole of `workerCidr`. */
function parseAws(
  input: AWSProviderConfigInput,
  workerCidr: string,
  problems: Problem[],
  path: string,
): AwsProviderConfig {
  const { vpcCidr, awsZones } = input;
  const old = { zone: given(input.zone), publicCidr: given(input.publicCidr), internalCidr: given(input.internalCidr) };
  const { zone, publicCidr, internalCidr } = old;
  const oldFieldGiven = Object.values(old).some((value) => value !== undefined);
  if (awsZones) {
    if (oldFieldGiven) problems.push({ path, message: 'give either awsZones or zone, publicCidr and internalCidr' });
    const zones = awsZones.map((each) => ({
      name: each.name,
      publicCidr: each.publicCidr,
      internalCidr: each.internalCidr,
      workerCidr: each.workerCidr,
    }));
    return { vpcCidr, awsZones: zones };
  }
  if (zone !== undefined && publicCidr !== undefined && internalCidr !== undefined) {
    return { vpcCidr, awsZones: [{ name: zone, publicCidr, internalCidr, workerCidr }] };
  }
  if (oldFieldGiven) {
    const missing = Object.entries(old).filter(([, value]) => value === undefined);
    for (const [field] of missing) problems.push({ path: `${path}.${field}`, message: 'is missing' });
  } else {
    problems.push({ path: `${path}.awsZones`, message: 'at least one zone is needed' });
  }
  return { vpcCidr, awsZones: [] };
}

/** An empty text counts as not given, as it did for the original's clients, which cannot leave a field out. */
function given(text: string | null | undefined): string | undefined {
  return text === null || text === undefined || text.trim() === '' ? undefined : text;
}

function onlyGiven<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
