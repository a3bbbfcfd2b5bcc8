import { defineProvider, onlyWorkers } from './provider-support.ts';

const apiVersion = 'openstack.provider.extensions.gardener.cloud/v1alpha1';
/** What the original took for callers who named none. */
const defaults = {
  cloudProfile: 'converged-cloud-kyma',
  floatingPool: 'FloatingIP-external-kyma-01',
  exposureClass: 'converged-cloud-internet',
};

/** The disk comes with the machine type, and zones have any name. */
export const openstack = defineProvider({
  block: 'openStackConfig',
  cloudProfile: ({ cloudProfileName }) => cloudProfileName ?? defaults.cloudProfile,
  defaultMachineType: 'g_c4_m16',
  exposureClass: defaults.exposureClass,
  zonesPath: 'zones',
  zonesRequired: true,
  nodesCidr: (config) => config.workerCidr,
  zones: ({ zones }) => zones,
  zoneMistake: () => undefined,
  ranges: onlyWorkers,
  infrastructureConfig: ({ workerCidr }, { floatingPoolName }) => ({
    apiVersion,
    kind: 'InfrastructureConfig',
    floatingPoolName: floatingPoolName ?? defaults.floatingPool,
    networks: { workers: workerCidr },
  }),
  controlPlaneConfig: ({ loadBalancerProvider }) => ({ apiVersion, kind: 'ControlPlaneConfig', loadBalancerProvider }),
  *mistakes({ loadBalancerProvider }) {
    if (loadBalancerProvider.trim() === '') {
      yield { path: 'loadBalancerProvider', message: 'loadBalancerProvider is empty' };
    }
  },
});
