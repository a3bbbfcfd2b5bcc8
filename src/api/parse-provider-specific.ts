import type { Problem } from '../domain/failures.ts';
import type {
  AwsProviderConfig,
  AzureProviderConfig,
  GcpProviderConfig,
  OpenStackProviderConfig,
  ProviderSpecificConfig,
} from '../domain/gardener-config.ts';
import type {
  AWSProviderConfigInput,
  AzureProviderConfigInput,
  GCPProviderConfigInput,
  OpenStackProviderConfigInput,
  ProviderSpecificInput,
} from './generated/schema.ts';
import { given, onlyGiven, withoutNulls } from './given.ts';

interface Place {
  readonly path: string;
  readonly problems: Problem[];
}

/** One shape for the forms that a provider's block had over the years. */
export function parseProviderSpecific({
  input,
  workerCidr,
  path,
}: {
  input: ProviderSpecificInput;
  workerCidr: string;
  path: string;
}): { config: ProviderSpecificConfig; problems: readonly Problem[] } {
  const { gcpConfig, azureConfig, awsConfig, openStackConfig } = input;
  const problems: Problem[] = [];
  const at = (block: keyof ProviderSpecificInput): Place => ({ path: `${path}.${block}`, problems });
  const config = onlyGiven({
    gcpConfig: gcpConfig && parseGcp(gcpConfig, at('gcpConfig')),
    azureConfig: azureConfig && parseAzure(azureConfig),
    awsConfig: awsConfig && parseAws(awsConfig, workerCidr, at('awsConfig')),
    openStackConfig: openStackConfig && parseOpenStack(openStackConfig),
  });
  return { config, problems };
}

function parseGcp(input: GCPProviderConfigInput, { path, problems }: Place): GcpProviderConfig {
  const zone = given(input.zone);
  if (input.zones && zone !== undefined) problems.push({ path, message: 'give either zones or zone' });
  return { zones: input.zones ?? (zone === undefined ? [] : [zone]) };
}

function parseAzure(input: AzureProviderConfigInput): AzureProviderConfig {
  const { vnetCidr, zones, azureZones, enableNatGateway, idleConnectionTimeoutMinutes } = input;
  return {
    vnetCidr,
    ...onlyGiven({
      zones,
      azureZones: azureZones?.map(({ name, cidr }) => ({ name, cidr })),
      enableNatGateway,
      idleConnectionTimeoutMinutes,
    }),
  };
}

/** The form of 2020 has one zone, whose nodes take the whole of `workerCidr`. */
function parseAws(input: AWSProviderConfigInput, workerCidr: string, { path, problems }: Place): AwsProviderConfig {
  const common = { vpcCidr: input.vpcCidr, ...onlyGiven({ enableIMDSv2: input.enableIMDSv2 }) };
  const old = { zone: given(input.zone), publicCidr: given(input.publicCidr), internalCidr: given(input.internalCidr) };
  const { zone, publicCidr, internalCidr } = old;
  const oldFieldGiven = Object.values(old).some((value) => value !== undefined);
  if (input.awsZones) {
    if (oldFieldGiven) problems.push({ path, message: 'give either awsZones or zone, publicCidr and internalCidr' });
    const awsZones = withoutNulls(input.awsZones).map((each) => ({
      name: each.name,
      publicCidr: each.publicCidr,
      internalCidr: each.internalCidr,
      workerCidr: each.workerCidr,
    }));
    return { ...common, awsZones };
  }
  if (zone !== undefined && publicCidr !== undefined && internalCidr !== undefined) {
    return { ...common, awsZones: [{ name: zone, publicCidr, internalCidr, workerCidr }] };
  }
  if (oldFieldGiven) {
    const missing = Object.entries(old).filter(([, value]) => value === undefined);
    for (const [field] of missing) problems.push({ path: `${path}.${field}`, message: 'is missing' });
  } else {
    problems.push({ path: `${path}.awsZones`, message: 'at least one zone is needed' });
  }
  return { ...common, awsZones: [] };
}

function parseOpenStack(input: OpenStackProviderConfigInput): OpenStackProviderConfig {
  const { zones, loadBalancerProvider } = input;
  const floatingPoolName = given(input.floatingPoolName);
  const cloudProfileName = given(input.cloudProfileName);
  return { zones, loadBalancerProvider, ...onlyGiven({ floatingPoolName, cloudProfileName }) };
}
