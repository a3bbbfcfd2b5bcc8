import type { AzureProviderConfig } from '../../../domain/gardener-config.ts';
import { defineProvider, workerRange } from './provider-support.ts';

const apiVersion = 'azure.provider.extensions.gardener.cloud/v1alpha1';

export const azure = defineProvider({
  block: 'azureConfig',
  cloudProfile: 'az',
  defaultVolume: { type: 'StandardSSD_LRS', sizeGB: 50 },
  zonesPath: 'zones',
  zonesRequired: false,
  nodesCidr: (_, { vnetCidr }) => vnetCidr,
  zones: zonesOf,
  zoneMistake: (zone) => (/^[1-9]$/.test(zone) ? undefined : 'is not a number such as "1", as zones of Azure are'),
  ranges: (config, { vnetCidr }) => {
    const workers = workerRange(config);
    const vnet = { path: 'providerSpecificConfig.azureConfig.vnetCidr', text: vnetCidr };
    return { ranges: [workers, vnet], inside: [[workers, vnet]], disjoint: [[vnet]] };
  },
  infrastructureConfig: ({ workerCidr }, block) => ({
    apiVersion,
    kind: 'InfrastructureConfig',
    networks: { vnet: { cidr: block.vnetCidr }, workers: workerCidr },
    zoned: zonesOf(block).length > 0,
  }),
});

function zonesOf({ zones }: AzureProviderConfig): readonly string[] {
  return zones ?? [];
}
