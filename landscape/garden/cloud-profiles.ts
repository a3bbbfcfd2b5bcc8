import type { KubeObject } from '../kubernetes/resource-type.ts';
import { atLeast } from './versions.ts';

export interface ExpirableVersion {
  readonly version: string;
  readonly classification?: 'preview' | 'supported' | 'deprecated';
  readonly expirationDate?: string;
}

/** The part of a CloudProfile's spec that the landscape validates against. */
export interface CloudProfileSpec {
  readonly type: string;
  readonly kubernetes: { readonly versions: readonly ExpirableVersion[] };
  readonly machineImages: readonly {
    readonly name: string;
    readonly versions: readonly (ExpirableVersion & { readonly architectures: readonly string[] })[];
  }[];
  readonly machineTypes: readonly {
    readonly name: string;
    readonly cpu: string;
    readonly gpu: string;
    readonly memory: string;
    readonly architecture: string;
    readonly usable: boolean;
  }[];
  readonly volumeTypes: readonly {
    readonly name: string;
    readonly class: string;
    readonly usable: boolean;
    readonly minSize?: string;
  }[];
  readonly regions: readonly Region[];
  /** What only the provider's extension reads. */
  readonly providerConfig?: OpenstackProfileConfig;
}

interface Region {
  readonly name: string;
  readonly zones: readonly { readonly name: string }[];
  readonly accessRestrictions?: readonly { readonly name: string }[];
}

export interface OpenstackProfileConfig {
  readonly apiVersion: string;
  readonly kind: 'CloudProfileConfig';
  readonly constraints: {
    readonly floatingPools: readonly { readonly name: string; readonly region?: string }[];
    readonly loadBalancerProviders: readonly { readonly name: string; readonly region?: string }[];
  };
}

const kubernetesVersions: readonly ExpirableVersion[] = [
  { version: '1.36.0', classification: 'preview' },
  { version: '1.35.1', classification: 'supported' },
  { version: '1.35.0', classification: 'deprecated' },
  { version: '1.34.3', classification: 'supported' },
  { version: '1.34.2', classification: 'supported' },
  { version: '1.33.6', classification: 'supported' },
  { version: '1.33.5', classification: 'deprecated' },
  { version: '1.32.10', classification: 'supported' },
  { version: '1.32.9', classification: 'deprecated' },
  { version: '1.32.0', classification: 'deprecated', expirationDate: '2026-01-31T23:59:59Z' },
];

const machineImages: CloudProfileSpec['machineImages'] = [
  {
    name: 'gardenlinux',
    versions: [
      { version: '2150.0.0', classification: 'preview', architectures: ['amd64', 'arm64'] },
      { version: '1877.9.0', classification: 'supported', architectures: ['amd64', 'arm64'] },
      { version: '1877.8.0', classification: 'deprecated', architectures: ['amd64', 'arm64'] },
      {
        version: '1592.1.0',
        classification: 'deprecated',
        expirationDate: '2026-01-31T23:59:59Z',
        architectures: ['amd64'],
      },
    ],
  },
  {
    name: 'ubuntu',
    versions: [{ version: '22.4.20251015', classification: 'supported', architectures: ['amd64'] }],
  },
];

/** The CloudProfiles of the Garden: the shape of real ones, with a choice of regions, machines and volumes. */
export const cloudProfiles: readonly KubeObject[] = [
  cloudProfile('gcp', 'gcp', {
    machineTypes: [
      machine('n2-standard-2', 2, 8),
      machine('n2-standard-4', 4, 16),
      machine('n2-standard-8', 8, 32),
      machine('n2-standard-16', 16, 64),
      machine('n2-standard-32', 32, 128),
      machine('n1-standard-2', 2, 7.5),
      machine('n1-standard-4', 4, 15),
      machine('e2-standard-4', 4, 16),
      machine('t2a-standard-4', 4, 16, 'arm64'),
    ],
    volumeTypes: [volume('pd-standard', 'standard'), volume('pd-balanced', 'premium'), volume('pd-ssd', 'premium')],
    regions: [
      euOnly(region('europe-west3', ['a', 'b', 'c'])),
      region('europe-west1', ['b', 'c', 'd']),
      region('europe-west4', ['a', 'b', 'c']),
      region('us-central1', ['a', 'b', 'c', 'f']),
      region('asia-south1', ['a', 'b', 'c']),
      region('me-central2', ['a', 'b', 'c']),
    ],
  }),
  cloudProfile('az', 'azure', {
    machineTypes: [
      machine('Standard_D2s_v5', 2, 8),
      machine('Standard_D4s_v5', 4, 16),
      machine('Standard_D8s_v5', 8, 32),
      machine('Standard_D4_v3', 4, 16),
      machine('Standard_D8_v3', 8, 32),
    ],
    volumeTypes: [
      volume('Standard_LRS', 'standard'),
      volume('StandardSSD_LRS', 'standard'),
      volume('Premium_LRS', 'premium'),
    ],
    regions: [
      euOnly({ name: 'westeurope', zones: zones(['1', '2', '3']) }),
      { name: 'northeurope', zones: zones(['1', '2', '3']) },
      { name: 'eastus', zones: zones(['1', '2', '3']) },
      { name: 'westus', zones: [] },
    ],
  }),
  cloudProfile('aws', 'aws', {
    machineTypes: [
      machine('m5.large', 2, 8),
      machine('m5.xlarge', 4, 16),
      machine('m5.2xlarge', 8, 32),
      machine('m6i.large', 2, 8),
      machine('m6i.xlarge', 4, 16),
      machine('m6g.xlarge', 4, 16, 'arm64'),
    ],
    volumeTypes: [
      volume('gp2', 'standard'),
      volume('gp3', 'standard'),
      { ...volume('io1', 'premium'), minSize: '4Gi' },
    ],
    regions: [
      euOnly(region('eu-central-1', ['a', 'b', 'c'], '')),
      region('eu-west-1', ['a', 'b', 'c'], ''),
      region('us-east-1', ['a', 'b', 'c', 'd'], ''),
    ],
  }),
  cloudProfile('converged-cloud-kyma', 'openstack', {
    machineTypes: [machine('g_c2_m8', 2, 8), machine('g_c4_m16', 4, 16), machine('g_c8_m32', 8, 32)],
    volumeTypes: [],
    regions: [euOnly(region('eu-de-1', ['a', 'b', 'd'], '')), region('ap-sa-1', ['a', 'b'], '')],
    providerConfig: {
      apiVersion: 'openstack.provider.extensions.gardener.cloud/v1alpha1',
      kind: 'CloudProfileConfig',
      constraints: {
        floatingPools: [{ name: 'FloatingIP-external-kyma-01' }, { name: 'FloatingIP-external-monsoon3-*' }],
        loadBalancerProviders: [{ name: 'f5' }],
      },
    },
  }),
];

/** The profile without the versions of Kubernetes that no old Garden could make. */
export function ofOldGarden(profile: KubeObject): KubeObject {
  const versions = kubernetesVersions.filter(({ version }) => !atLeast(version, '1.34'));
  return { ...profile, spec: { ...profile.spec, kubernetes: { versions } } };
}

export function profileSpec(profile: KubeObject): CloudProfileSpec {
  return profile.spec;
}

function cloudProfile(
  name: string,
  type: string,
  offer: Pick<CloudProfileSpec, 'machineTypes' | 'volumeTypes' | 'regions' | 'providerConfig'>,
): KubeObject {
  const spec: CloudProfileSpec = { type, kubernetes: { versions: kubernetesVersions }, machineImages, ...offer };
  return { apiVersion: 'core.gardener.cloud/v1beta1', kind: 'CloudProfile', metadata: { name }, spec };
}

function machine(name: string, cpu: number, memoryGi: number, architecture = 'amd64') {
  return { name, cpu: String(cpu), gpu: '0', memory: `${memoryGi}Gi`, architecture, usable: true };
}

function volume(name: string, volumeClass: string) {
  return { name, class: volumeClass, usable: true };
}

function region(name: string, letters: readonly string[], separator = '-') {
  return { name, zones: zones(letters.map((letter) => `${name}${separator}${letter}`)) };
}

/** A region in which access can be restricted to personnel in the EU. */
function euOnly(one: Region): Region {
  return { ...one, accessRestrictions: [{ name: 'eu-access-only' }] };
}

function zones(names: readonly string[]) {
  return names.map((name) => ({ name }));
}
