import type { BadOrder } from './bad-orders.ts';
import { aws, azure, type Changes } from './orders.ts';

const gardener = (gardenerConfig: Changes['gardenerConfig']): { changes: Changes } => ({
  changes: { gardenerConfig: gardenerConfig ?? {} },
});
const azureIn = (vnetCidr: string, workerCidr: string) =>
  gardener({ ...azure, workerCidr, providerSpecificConfig: { azureConfig: { vnetCidr, zones: ['1'] } } });
const awsZone = { name: 'eu-central-1a', workerCidr: '10.250.0.0/22', publicCidr: '10.250.4.0/22' };
export const mistakesInTheCluster: readonly BadOrder[] = [
  {
    reason: 'an unknown provider',
    ...gardener({ provider: 'ibm' }),
    code: 'INVALID_INPUT',
    paths: ['.provider'],
    words: /provider "ibm" is not supported; use one of gcp, azure, aws, openstack/,
  },
  {
    reason: 'the block of another provider',
    ...gardener({ provider: 'azure' }),
    code: 'INVALID_INPUT',
    paths: ['.providerSpecificConfig'],
    words: /provider "azure" needs azureConfig in providerSpecificConfig, and nothing else; it has gcpConfig/,
  },
  {
    reason: 'two blocks',
    ...gardener({
      providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a'] }, azureConfig: { vnetCidr: '10.0.0.0/8' } },
    }),
    code: 'INVALID_INPUT',
    paths: ['.providerSpecificConfig'],
    words: /it has gcpConfig and azureConfig/,
  },
  {
    reason: 'no block',
    ...gardener({ providerSpecificConfig: {} }),
    code: 'INVALID_INPUT',
    paths: ['.providerSpecificConfig'],
    words: /it is empty/,
  },
  {
    reason: 'a range that does not parse',
    ...gardener({ workerCidr: '10.250.0.0' }),
    code: 'INVALID_INPUT',
    paths: ['.workerCidr'],
    words: /workerCidr 10\.250\.0\.0 is not an IPv4 range such as 10\.250\.0\.0\/22/,
  },
  {
    reason: 'a range that begins elsewhere',
    ...gardener({ workerCidr: '10.250.0.1/22' }),
    code: 'INVALID_INPUT',
    paths: ['.workerCidr'],
    words: /which is 10\.250\.0\.0\/22/,
  },
  {
    reason: 'nodes among the pods',
    ...gardener({ podsCidr: '10.250.0.0/16' }),
    code: 'INVALID_INPUT',
    paths: ['.workerCidr'],
    words: /workerCidr 10\.250\.0\.0\/22 overlaps podsCidr 10\.250\.0\.0\/16/,
  },
  {
    reason: 'services among the pods',
    ...gardener({ podsCidr: '100.64.0.0/12', servicesCidr: '100.64.0.0/13' }),
    code: 'INVALID_INPUT',
    paths: ['.podsCidr'],
    words: /podsCidr 100\.64\.0\.0\/12 overlaps servicesCidr 100\.64\.0\.0\/13/,
  },
  {
    reason: 'nodes among the default services',
    ...gardener({ workerCidr: '100.64.0.0/22' }),
    code: 'INVALID_INPUT',
    paths: ['.workerCidr'],
    words: /overlaps servicesCidr 100\.64\.0\.0\/13 \(the default\)/,
  },
  {
    reason: 'nodes outside the network of Azure',
    ...azureIn('10.0.0.0/16', '10.250.0.0/22'),
    code: 'INVALID_INPUT',
    paths: ['.workerCidr'],
    words: /workerCidr 10\.250\.0\.0\/22 is not inside vnetCidr 10\.0\.0\.0\/16/,
  },
  {
    reason: 'subnets of AWS that overlap',
    ...gardener({
      ...aws,
      providerSpecificConfig: {
        awsConfig: { vpcCidr: '10.250.0.0/16', awsZones: [{ ...awsZone, internalCidr: '10.250.4.0/23' }] },
      },
    }),
    code: 'INVALID_INPUT',
    paths: ['.providerSpecificConfig.awsConfig.awsZones.0.publicCidr'],
    words: /overlaps awsZones\[0\]\.internalCidr/,
  },
  {
    reason: 'capital letters in the name',
    ...gardener({ name: 'Demo' }),
    code: 'INVALID_INPUT',
    paths: ['.name'],
    words: /must consist of lower-case letters/,
  },
  {
    reason: 'two hyphens in a row in the name',
    ...gardener({ name: 'a--b' }),
    code: 'INVALID_INPUT',
    paths: ['.name'],
    words: /two hyphens/,
  },
  {
    reason: 'a name that is too long with the project',
    ...gardener({ name: 'a123456789012345678' }),
    code: 'INVALID_INPUT',
    paths: ['.name'],
    words: /has 19 characters, and in the Gardener project "dev" at most 18 are possible/,
  },
  {
    reason: 'no zones on GCP',
    ...gardener({ providerSpecificConfig: { gcpConfig: { zones: [] } } }),
    code: 'INVALID_INPUT',
    paths: ['.providerSpecificConfig.gcpConfig.zones'],
    words: /no zone is given/,
  },
  {
    reason: 'no zones on AWS',
    ...gardener({ ...aws, providerSpecificConfig: { awsConfig: { vpcCidr: '10.250.0.0/16' } } }),
    code: 'INVALID_INPUT',
    paths: ['.providerSpecificConfig.awsConfig.awsZones'],
    words: /at least one zone is needed/,
  },
  {
    reason: 'a zone of another region',
    ...gardener({ providerSpecificConfig: { gcpConfig: { zones: ['us-central1-a'] } } }),
    code: 'INVALID_INPUT',
    paths: ['.providerSpecificConfig.gcpConfig.zones'],
    words: /zone "us-central1-a" is not in region europe-west3/,
  },
  {
    reason: 'fewer nodes at most than at least',
    ...gardener({ autoScalerMin: 5, autoScalerMax: 4 }),
    code: 'INVALID_INPUT',
    paths: ['.autoScalerMax'],
    words: /at least autoScalerMin, 5/,
  },
  {
    reason: 'a version of no image',
    ...gardener({ machineImageVersion: '1.0.0' }),
    code: 'INVALID_INPUT',
    paths: ['.machineImageVersion'],
    words: /error: Machine Image Version passed while Machine Image is empty/,
  },
  {
    reason: 'two mistakes at once',
    ...gardener({ name: 'Demo', workerCidr: 'all' }),
    code: 'INVALID_INPUT',
    paths: ['.name', '.workerCidr'],
    words: /^2 problems: /,
  },
];

/** What the CloudProfile does not offer: told with what it does, the nearest first. */
export const notOffered: readonly BadOrder[] = [
  {
    reason: 'an unknown machine type',
    ...gardener({ machineType: 'n2-standrad-8' }),
    code: 'INVALID_INPUT',
    paths: ['.machineType'],
    words: /machineType "n2-standrad-8" is not offered; offered are n2-standard-8, /,
  },
  {
    reason: 'a machine type with other CPUs',
    ...gardener({ machineType: 't2a-standard-4' }),
    code: 'INVALID_INPUT',
    paths: ['.machineType'],
    words:
      /"t2a-standard-4" has CPUs of the architecture arm64, and nodes need amd64; such are n2-standard-4, e2-standard-4, /,
  },
  {
    reason: 'an unknown version of Kubernetes',
    ...gardener({ kubernetesVersion: '1.99.9' }),
    code: 'INVALID_INPUT',
    paths: ['.kubernetesVersion'],
    words: /kubernetesVersion "1\.99\.9" is not offered, or not any more; offered are 1\.36\.0, 1\.35\.1, /,
  },
  {
    reason: 'an expired version of Kubernetes',
    ...gardener({ kubernetesVersion: '1.32.0' }),
    code: 'INVALID_INPUT',
    paths: ['.kubernetesVersion'],
    words: /kubernetesVersion "1\.32\.0" is not offered, or not any more; offered are 1\.32\.9, 1\.32\.10, 1\.33\.6, /,
  },
  {
    reason: 'a minor version of Kubernetes that has previews only',
    ...gardener({ kubernetesVersion: '1.36' }),
    code: 'INVALID_INPUT',
    paths: ['.kubernetesVersion'],
    words: /kubernetesVersion "1\.36" has only previews, which have to be named in full: 1\.36\.0/,
  },
  {
    reason: 'an unknown region',
    ...gardener({ region: 'mars-1', providerSpecificConfig: { gcpConfig: { zones: ['mars-1-a'] } } }),
    code: 'INVALID_INPUT',
    paths: ['.region'],
    words: /region "mars-1" is not offered; offered are /,
  },
  {
    reason: 'an unknown zone of the region',
    ...gardener({ providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a', 'europe-west3-z'] } } }),
    code: 'INVALID_INPUT',
    paths: ['.providerSpecificConfig.gcpConfig.zones'],
    words:
      /zone "europe-west3-z" does not exist in region europe-west3, whose zones are europe-west3-a, europe-west3-b,/,
  },
  {
    reason: 'zones in a region that has none',
    ...gardener({ ...azure, region: 'westus' }),
    code: 'INVALID_INPUT',
    paths: ['.providerSpecificConfig.azureConfig.zones', '.providerSpecificConfig.azureConfig.zones'],
    words: /zone "1" does not exist in region westus, which has none: leave them out/,
  },
  {
    reason: 'an unknown disk type',
    ...gardener({ diskType: 'pd-sdd' }),
    code: 'INVALID_INPUT',
    paths: ['.diskType'],
    words: /diskType "pd-sdd" is not offered; offered are pd-ssd, /,
  },
  {
    reason: 'an unknown image',
    ...gardener({ machineImage: 'dos' }),
    code: 'INVALID_INPUT',
    paths: ['.machineImage'],
    words: /machineImage "dos" is not offered; offered are (gardenlinux, ubuntu|ubuntu, gardenlinux)$/,
  },
  {
    reason: 'an expired version of an image',
    ...gardener({ machineImage: 'gardenlinux', machineImageVersion: '1592.1.0' }),
    code: 'INVALID_INPUT',
    paths: ['.machineImageVersion'],
    words:
      /machineImageVersion "1592\.1\.0" of gardenlinux is not offered, or not any more; offered are 1877\.9\.0, 1877\.8\.0, /,
  },
  {
    reason: 'what Gardener alone finds beside it',
    ...gardener({ machineType: 'abacus-1', targetSecret: 'nowhere' }),
    code: 'INVALID_INPUT',
    paths: ['.machineType', '.targetSecret'],
    words:
      /^2 problems: .*machineType "abacus-1" is not offered.*credentialsbinding\.security\.gardener\.cloud "nowhere"/,
  },
];

/** What only Gardener knows, and how it says it. */
export const refusalsOfGardener: readonly BadOrder[] = [
  {
    reason: 'an unknown credentials binding',
    ...gardener({ targetSecret: 'nowhere' }),
    code: 'CLUSTER_REJECTED',
    paths: ['.targetSecret'],
    words: /credentialsbinding\.security\.gardener\.cloud "nowhere" not found/,
  },
  {
    reason: 'the credentials of another cloud',
    ...gardener({ targetSecret: 'aws-credentials' }),
    code: 'CLUSTER_REJECTED',
    paths: ['.targetSecret'],
    words: /must match provider type of referenced CredentialsBinding: "aws"/,
  },
  {
    reason: 'an unknown seed',
    ...gardener({ seed: 'nowhere' }),
    code: 'CLUSTER_REJECTED',
    paths: ['.seed'],
    words: /seed\.core\.gardener\.cloud "nowhere" not found/,
  },
  {
    reason: 'the name of a cluster that is not ours',
    ...gardener({ name: 'foreign' }),
    code: 'CLUSTER_NAME_TAKEN',
    paths: ['.name'],
    words: /name "foreign" is taken in the Gardener project "dev"/,
  },
];
