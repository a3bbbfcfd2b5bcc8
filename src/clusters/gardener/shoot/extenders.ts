import { ownershipAnnotations } from './ownership.ts';
import { shootKind } from './shoot.ts';
import type { ShootExtender } from './shoot-extender.ts';
import { workerPoolName } from './worker-pool.ts';

/**
 * The ranges that Gardener's own examples use, out of the shared address space of RFC 6598: disjoint from every private
 * range that nodes can have. They are set here because Gardener leaves a Shoot pending when its Seed has none to give.
 */
export const defaultPodsCidr = '100.96.0.0/11';
export const defaultServicesCidr = '100.64.0.0/13';

export const identity: ShootExtender = ({ order, operationId, settings }) => ({
  apiVersion: shootKind.apiVersion,
  kind: 'Shoot',
  metadata: {
    name: order.cluster.name,
    namespace: settings.namespace,
    labels: { account: order.tenant, subaccount: order.subAccount ?? '' },
    annotations: ownershipAnnotations({
      runtimeId: order.runtimeId,
      operationId,
      licenceType: order.cluster.config.licenceType,
      installation: settings.installation,
    }),
  },
});

export const placement: ShootExtender = ({ order: { cluster }, provider, settings }) => ({
  spec: {
    ...(settings.forms?.cloudProfile === 'name'
      ? { cloudProfileName: provider.cloudProfile(cluster.config) }
      : {
          cloudProfile: {
            kind: settings.cloudProfileKind ?? 'CloudProfile',
            name: provider.cloudProfile(cluster.config),
          },
        }),
    ...(settings.forms?.binding === 'SecretBinding'
      ? { secretBindingName: cluster.config.targetSecret }
      : { credentialsBindingName: cluster.config.targetSecret }),
    region: cluster.config.region,
    purpose: cluster.config.purpose,
    seedName: cluster.config.seed || undefined,
  },
});

/** Without a version Gardener takes the newest that its CloudProfile supports. */
export const kubernetesVersion: ShootExtender = ({ order }) => {
  const version = order.cluster.config.kubernetesVersion;
  return version === undefined ? {} : { spec: { kubernetes: { version } } };
};

export const networking: ShootExtender = ({ order, provider }) => {
  const { config } = order.cluster;
  return {
    spec: {
      networking: {
        type: 'calico',
        nodes: provider.nodesCidr(config),
        pods: config.podsCidr ?? defaultPodsCidr,
        services: config.servicesCidr ?? defaultServicesCidr,
      },
    },
  };
};

export const infrastructure: ShootExtender = ({ order, provider }) => {
  const { config } = order.cluster;
  return {
    spec: {
      provider: {
        type: config.provider,
        infrastructureConfig: provider.infrastructureConfig(config),
        controlPlaneConfig: provider.controlPlaneConfig(config),
        workersSettings: { sshAccess: { enabled: false } },
      },
    },
  };
};

export const workers: ShootExtender = ({ order, provider, settings }) => {
  const { config } = order.cluster;
  const { machineImage, machineImageVersion: version } = config;
  const zones = provider.zones(config);
  const worker = {
    name: workerPoolName,
    machine: {
      type: config.machineType ?? provider.defaultMachineType,
      ...(machineImage && { image: { name: machineImage, ...(version && { version }) } }),
    },
    ...(provider.defaultVolume && {
      volume: {
        type: config.diskType ?? provider.defaultVolume.type,
        size: `${config.volumeSizeGB ?? provider.defaultVolume.sizeGB}Gi`,
      },
    }),
    minimum: config.autoScalerMin,
    maximum: config.autoScalerMax,
    maxSurge: config.maxSurge,
    maxUnavailable: config.maxUnavailable,
    ...(zones.length > 0 && { zones }),
    providerConfig: provider.workerConfig(config, settings.policy ?? {}),
  };
  return { spec: { provider: { workers: [worker] } } };
};

export const maintenance: ShootExtender = ({ order, settings }) => {
  const { enableKubernetesVersionAutoUpdate, enableMachineImageVersionAutoUpdate } = order.cluster.config;
  return {
    spec: {
      maintenance: {
        autoUpdate: {
          kubernetesVersion: enableKubernetesVersionAutoUpdate ?? settings.autoUpdateKubernetesVersion,
          machineImageVersion: enableMachineImageVersionAutoUpdate ?? settings.autoUpdateMachineImageVersion,
        },
        timeWindow: settings.policy?.maintenanceWindow,
      },
    },
  };
};
