import type { KubeObject } from '../../../landscape/kubernetes/resource-type.ts';

/** A Shoot on GCP that Gardener accepts. */
export function gcpShoot(name = 'demo'): KubeObject {
  return shoot(name, 'gcp', {
    cloudProfile: 'gcp',
    region: 'europe-west3',
    nodes: '10.250.0.0/22',
    infrastructureConfig: { networks: { workers: '10.250.0.0/22' } },
    controlPlaneConfig: { zone: 'europe-west3-a' },
    machineType: 'n2-standard-4',
    volumeType: 'pd-balanced',
    zones: ['europe-west3-a'],
  });
}

export function azureShoot(name = 'demo'): KubeObject {
  return shoot(name, 'azure', {
    cloudProfile: 'az',
    region: 'westeurope',
    nodes: '10.250.0.0/16',
    infrastructureConfig: { zoned: true, networks: { vnet: { cidr: '10.250.0.0/16' }, workers: '10.250.0.0/19' } },
    controlPlaneConfig: {},
    machineType: 'Standard_D4s_v5',
    volumeType: 'Standard_LRS',
    zones: ['1', '2'],
  });
}

export function awsShoot(name = 'demo'): KubeObject {
  return shoot(name, 'aws', {
    cloudProfile: 'aws',
    region: 'eu-central-1',
    nodes: '10.250.0.0/16',
    infrastructureConfig: {
      networks: {
        vpc: { cidr: '10.250.0.0/16' },
        zones: [
          { name: 'eu-central-1a', internal: '10.250.48.0/20', public: '10.250.32.0/20', workers: '10.250.0.0/19' },
        ],
      },
    },
    controlPlaneConfig: {},
    machineType: 'm5.xlarge',
    volumeType: 'gp3',
    zones: ['eu-central-1a'],
  });
}

export function openstackShoot(name = 'demo'): KubeObject {
  const made = shoot(name, 'openstack', {
    cloudProfile: 'converged-cloud-kyma',
    region: 'eu-de-1',
    nodes: '10.250.0.0/22',
    infrastructureConfig: {
      floatingPoolName: 'FloatingIP-external-kyma-01',
      networks: { workers: '10.250.0.0/22' },
    },
    controlPlaneConfig: { loadBalancerProvider: 'f5' },
    machineType: 'g_c4_m16',
    volumeType: '',
    zones: ['eu-de-1a'],
  });
  delete made.spec.provider.workers[0].volume;
  return made;
}

interface ShootDetails {
  readonly cloudProfile: string;
  readonly region: string;
  readonly nodes: string;
  readonly infrastructureConfig: object;
  readonly controlPlaneConfig: object;
  readonly machineType: string;
  readonly volumeType: string;
  readonly zones: readonly string[];
}

function shoot(name: string, provider: string, details: ShootDetails): KubeObject {
  const apiVersion = `${provider}.provider.extensions.gardener.cloud/v1alpha1`;
  return {
    apiVersion: 'core.gardener.cloud/v1beta1',
    kind: 'Shoot',
    metadata: { name, namespace: 'garden-dev' },
    spec: {
      cloudProfile: { kind: 'CloudProfile', name: details.cloudProfile },
      credentialsBindingName: `${provider}-credentials`,
      region: details.region,
      purpose: 'evaluation',
      kubernetes: { version: '1.34.2' },
      networking: { type: 'calico', nodes: details.nodes, pods: '100.96.0.0/11', services: '100.64.0.0/13' },
      provider: {
        type: provider,
        infrastructureConfig: { apiVersion, kind: 'InfrastructureConfig', ...details.infrastructureConfig },
        controlPlaneConfig: { apiVersion, kind: 'ControlPlaneConfig', ...details.controlPlaneConfig },
        workers: [
          {
            name: 'cpu-worker-0',
            machine: { type: details.machineType },
            volume: { type: details.volumeType, size: '50Gi' },
            minimum: 2,
            maximum: 4,
            maxSurge: 4,
            maxUnavailable: 1,
            zones: details.zones,
          },
        ],
      },
    },
  };
}
