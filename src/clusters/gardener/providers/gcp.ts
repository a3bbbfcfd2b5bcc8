import { defineProvider, onlyWorkers } from './provider-support.ts';

const apiVersion = 'gcp.provider.extensions.gardener.cloud/v1alpha1';

export const gcp = defineProvider({
  block: 'gcpConfig',
  cloudProfile: () => 'gcp',
  defaultMachineType: 'n2-standard-4',
  defaultVolume: { type: 'pd-balanced', sizeGB: 50 },
  // Seeds in Saudi Arabia take only clusters that are meant for them.
  tolerations: (region) => (region === 'me-central2' ? ['ksa-assured-workload'] : []),
  zonesPath: 'zones',
  zonesRequired: true,
  nodesCidr: (config) => config.workerCidr,
  zones: ({ zones }) => zones,
  zoneMistake: (zone, region) =>
    /^-[a-z]$/.test(zone.slice(region.length)) && zone.startsWith(region)
      ? undefined
      : `is not in region ${region}, whose zones are named like ${region}-a`,
  ranges: onlyWorkers,
  infrastructureConfig: ({ workerCidr }) => ({
    apiVersion,
    kind: 'InfrastructureConfig',
    networks: { workers: workerCidr },
  }),
  controlPlaneConfig: ({ zones: [zone] }) => ({ apiVersion, kind: 'ControlPlaneConfig', zone }),
});
