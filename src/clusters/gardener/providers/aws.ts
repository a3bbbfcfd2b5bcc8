import type { AwsZone } from '../../../domain/gardener-config.ts';
import { defineProvider, type NamedRange, workerRange } from './provider-support.ts';

const apiVersion = 'aws.provider.extensions.gardener.cloud/v1alpha1';
const zonesPath = 'awsZones';

/** Nodes are spread over the zones' own ranges; the common workerCidr only has to lie in the same network. */
export const aws = defineProvider({
  block: 'awsConfig',
  cloudProfile: () => 'aws',
  defaultMachineType: 'm6i.xlarge',
  defaultVolume: { type: 'gp3', sizeGB: 50 },
  zonesPath,
  zonesRequired: true,
  nodesCidr: (_, { vpcCidr }) => vpcCidr,
  zones: ({ awsZones }) => awsZones.map(({ name }) => name),
  zoneMistake: (zone, region) =>
    zone.startsWith(region) && /^(-[a-z]+-\d+)?[a-z]$/.test(zone.slice(region.length))
      ? undefined
      : `is not in region ${region}, whose zones are named like ${region}a`,
  ranges: (config, { vpcCidr, awsZones }) => {
    const workers = workerRange(config);
    const vpc = { path: 'providerSpecificConfig.awsConfig.vpcCidr', text: vpcCidr };
    const subnets = awsZones.flatMap(subnetsOf);
    const inside = [workers, ...subnets].map((range) => [range, vpc] as const);
    return { ranges: [workers, vpc, ...subnets], inside, disjoint: [[vpc], subnets] };
  },
  infrastructureConfig: (_, { vpcCidr, awsZones }) => ({
    apiVersion,
    kind: 'InfrastructureConfig',
    networks: {
      vpc: { cidr: vpcCidr },
      zones: awsZones.map(({ name, workerCidr, publicCidr, internalCidr }) => ({
        name,
        workers: workerCidr,
        public: publicCidr,
        internal: internalCidr,
      })),
    },
  }),
  workerConfig: ({ enableIMDSv2 }, policy) =>
    (enableIMDSv2 ?? policy.instanceMetadataV2)
      ? {
          apiVersion,
          kind: 'WorkerConfig',
          // Two hops, so that Pods reach the service, too.
          instanceMetadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 },
        }
      : undefined,
});

function subnetsOf(zone: AwsZone, index: number): readonly NamedRange[] {
  const at = `providerSpecificConfig.awsConfig.${zonesPath}[${index}]`;
  return [
    { path: `${at}.workerCidr`, text: zone.workerCidr },
    { path: `${at}.publicCidr`, text: zone.publicCidr },
    { path: `${at}.internalCidr`, text: zone.internalCidr },
  ];
}
