import type { GardenerConfig, GardenerProvider } from '../../../domain/gardener-config.ts';
import { readPath, readRecords, readText } from '../../../domain/json.ts';
import { authenticationConfigMapName } from '../shoot/authentication-config.ts';
import { workerPool } from '../shoot/worker-pool.ts';
import { type FieldRule, type FixedField, ofWorkers, setting } from './field-rule.ts';
import { providerRules } from './provider-rules.ts';
import { put } from './shoot-draft.ts';
import { targetSecret } from './target-secret.ts';
import { kubernetesVersion, machineImage, machineImageVersion } from './versions.ts';
import { workerCidr } from './worker-cidr.ts';

const structuredAuthentication = ['spec', 'kubernetes', 'kubeAPIServer', 'structuredAuthentication'] as const;
const networkingFilter = 'shoot-networking-filter';

const volumeSizeGB: FieldRule = {
  ...ofWorkers('volumeSizeGB', ['volume', 'size'], ({ volumeSizeGB: size }) => size && `${size}Gi`),
  read: (shoot) => {
    const size = readText(workerPool(shoot), 'volume', 'size');
    const [, number] = /^(\d+)Gi$/.exec(size ?? '') ?? [];
    return number ?? size;
  },
};

/** The ConfigMap that the Shoot names is written beside it; see `withAuthentication`. */
const oidcConfig: FieldRule = {
  field: 'oidcConfig',
  read: (shoot) => readText(shoot, ...structuredAuthentication, 'configMapName'),
  write(draft, { after }) {
    if (after.oidcConfig)
      put(draft, [...structuredAuthentication, 'configMapName'], authenticationConfigMapName(after.name));
    else if (readPath(draft, ...structuredAuthentication) !== undefined)
      put(draft, structuredAuthentication, undefined);
    return undefined;
  },
};

/** One of the Shoot's extensions, of which others may have been added and this one configured. */
const shootNetworkingFilterDisabled: FieldRule = {
  field: 'shootNetworkingFilterDisabled',
  read: (shoot) => {
    const found = readRecords(shoot, 'spec', 'extensions').find(({ type }) => type === networkingFilter);
    return found ? found.disabled === true : true;
  },
  write(draft, { after }) {
    const extensions = [...readRecords(draft, 'spec', 'extensions')];
    const disabled = after.shootNetworkingFilterDisabled === true;
    const index = extensions.findIndex(({ type }) => type === networkingFilter);
    const found = extensions[index];
    // A filter that is not there filters nothing.
    if (!found && disabled) return undefined;
    if (!found) extensions.push({ type: networkingFilter, disabled });
    else if ((found.disabled === true) !== disabled) extensions[index] = { ...found, disabled };
    put(draft, ['spec', 'extensions'], extensions);
    return undefined;
  },
};

const madeWith = (what: string): FixedField => ({ fixed: `${what} is chosen when the cluster is made` });
const byGardener = (what: string): FixedField => ({ fixed: `Gardener does not allow ${what} to change` });

/** What may become of each field of a live Shoot's configuration. A field that is forgotten here does not compile. */
export const fieldRules: Readonly<Record<keyof GardenerConfig, FieldRule | FixedField | 'by provider'>> = {
  kubernetesVersion,
  machineType: ofWorkers('machineType', ['machine', 'type']),
  machineImage,
  machineImageVersion,
  diskType: ofWorkers('diskType', ['volume', 'type']),
  volumeSizeGB,
  workerCidr,
  autoScalerMin: ofWorkers('autoScalerMin', ['minimum']),
  autoScalerMax: ofWorkers('autoScalerMax', ['maximum']),
  maxSurge: ofWorkers('maxSurge', ['maxSurge']),
  maxUnavailable: ofWorkers('maxUnavailable', ['maxUnavailable']),
  purpose: setting('purpose', 'spec', 'purpose'),
  enableKubernetesVersionAutoUpdate: setting(
    'enableKubernetesVersionAutoUpdate',
    ...['spec', 'maintenance', 'autoUpdate', 'kubernetesVersion'],
  ),
  enableMachineImageVersionAutoUpdate: setting(
    'enableMachineImageVersionAutoUpdate',
    ...['spec', 'maintenance', 'autoUpdate', 'machineImageVersion'],
  ),
  oidcConfig,
  shootNetworkingFilterDisabled,
  targetSecret,
  providerSpecificConfig: 'by provider',

  name: madeWith('the name'),
  provider: madeWith('the cloud'),
  projectName: madeWith('the Gardener project'),
  nodeCount: { fixed: 'it only says how many nodes a cluster begins with; use autoScalerMin' },
  licenceType: madeWith('the licence'),
  region: byGardener('the region'),
  seed: byGardener('the Seed'),
  shootAndSeedSameRegion: byGardener('the choice of a Seed'),
  podsCidr: byGardener('the range of Pods'),
  servicesCidr: byGardener('the range of Services'),
  dnsConfig: byGardener('the domain'),
  exposureClassName: byGardener('the exposure class'),
  controlPlaneFailureTolerance: madeWith('what the control plane outlives'),
  euAccess: madeWith('the restriction of access'),
  allowPrivilegedContainers: madeWith('what containers may do'),
};

/** Every rule for a cloud, in the order in which they are applied. */
export function rulesOf(provider: GardenerProvider): readonly FieldRule[] {
  return Object.values(fieldRules).flatMap((rule) => {
    if (rule === 'by provider') return providerRules[provider];
    return 'fixed' in rule ? [] : [rule];
  });
}

/** True when the field, or something of which it is a part, was asked for. */
export function isAsked(field: string, asked: readonly string[]): boolean {
  return asked.some((one) => field === one || field.startsWith(`${one}.`));
}
