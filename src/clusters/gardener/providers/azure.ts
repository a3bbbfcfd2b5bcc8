import type { AzureProviderConfig } from '../../../domain/gardener-config.ts';
import type { Mistake } from '../checks/mistake.ts';
import { defineProvider, type NamedRange, workerRange } from './provider-support.ts';

const apiVersion = 'azure.provider.extensions.gardener.cloud/v1alpha1';
/** Of a NAT gateway, in minutes; what Azure takes. */
const idleTimeout = { shortest: 4, longest: 120 };

/** All nodes in one subnet, `workerCidr`; or a subnet for each of `azureZones`. */
export const azure = defineProvider({
  block: 'azureConfig',
  cloudProfile: () => 'az',
  defaultMachineType: 'Standard_D4s_v5',
  defaultVolume: { type: 'StandardSSD_LRS', sizeGB: 50 },
  zonesPath: ({ azureZones }) => (azureZones ? 'azureZones' : 'zones'),
  zonesRequired: false,
  nodesCidr: (_, { vnetCidr }) => vnetCidr,
  zones: zonesOf,
  zoneMistake: (zone) => (/^[1-9]$/.test(zone) ? undefined : 'is not a number such as "1", as zones of Azure are'),
  ranges: (config, block) => {
    const workers = workerRange(config);
    const vnet = { path: 'providerSpecificConfig.azureConfig.vnetCidr', text: block.vnetCidr };
    const subnets = subnetsOf(block);
    const inside = [workers, ...subnets].map((range) => [range, vnet] as const);
    return { ranges: [workers, vnet, ...subnets], inside, disjoint: [[vnet], subnets] };
  },
  infrastructureConfig: ({ workerCidr }, block) => ({
    apiVersion,
    kind: 'InfrastructureConfig',
    networks: { vnet: { cidr: block.vnetCidr }, ...subnetConfig(block, workerCidr) },
    zoned: zonesOf(block).length > 0,
  }),
  mistakes,
});

function zonesOf({ zones, azureZones }: AzureProviderConfig): readonly string[] {
  return azureZones?.map(({ name }) => String(name)) ?? zones ?? [];
}

function subnetsOf({ azureZones = [] }: AzureProviderConfig): readonly NamedRange[] {
  return azureZones.map(({ cidr }, index) => ({
    path: `providerSpecificConfig.azureConfig.azureZones[${index}].cidr`,
    text: cidr,
  }));
}

function subnetConfig(block: AzureProviderConfig, workers: string): object {
  const { azureZones, enableNatGateway, idleConnectionTimeoutMinutes } = block;
  const natGateway = enableNatGateway && {
    natGateway: { enabled: true, ...(idleConnectionTimeoutMinutes !== undefined && { idleConnectionTimeoutMinutes }) },
  };
  if (!azureZones) return { workers, ...natGateway };
  return { zones: azureZones.map(({ name, cidr }) => ({ name, cidr, ...natGateway })) };
}

function* mistakes(block: AzureProviderConfig): Generator<Mistake> {
  const { zones, azureZones, enableNatGateway, idleConnectionTimeoutMinutes: minutes } = block;
  if (azureZones && zones && zones.toSorted().join() !== zonesOf(block).toSorted().join()) {
    yield { path: 'zones', message: 'zones and azureZones name different zones; give one of them' };
  }
  if (enableNatGateway && zonesOf(block).length === 0) {
    yield { path: 'enableNatGateway', message: 'a NAT gateway needs zones' };
  }
  if (minutes === undefined) return;
  const path = 'idleConnectionTimeoutMinutes';
  if (!enableNatGateway) yield { path, message: `${path} ${minutes} needs enableNatGateway: true` };
  if (minutes < idleTimeout.shortest || minutes > idleTimeout.longest) {
    yield { path, message: `${path} ${minutes} is not from ${idleTimeout.shortest} to ${idleTimeout.longest}` };
  }
}
