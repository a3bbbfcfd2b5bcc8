import type { GardenerConfig } from '../../../domain/gardener-config.ts';
import { isRecord, readPath, readRecords, readText } from '../../../domain/json.ts';
import type { Drift } from '../../cluster-watch.ts';
import type { ProviderSupport } from '../providers/provider-support.ts';
import { authenticationConfigMapName } from './authentication-config.ts';
import { compareVersions } from './compare-versions.ts';
import { euAccessLabel } from './option-extenders.ts';
import type { Shoot } from './shoot.ts';
import { workerPool, workerPoolName } from './worker-pool.ts';

interface Subject {
  readonly config: GardenerConfig;
  readonly provider: ProviderSupport;
  readonly live: Shoot;
}

/** A field of the configuration: what it asks for, and what the Shoot has instead. */
interface OwnedField {
  readonly field: string;
  ours(subject: Subject): unknown;
  theirs(subject: Subject): unknown;
  /** A version may be raised by Gardener; ours may be the beginning of one, such as `1.34`. */
  readonly version?: true;
}

const setting = (field: keyof GardenerConfig, ...path: readonly string[]): OwnedField => ({
  field,
  ours: ({ config }) => config[field],
  theirs: ({ live }) => readPath(live, ...path),
});

const ofWorkers = (field: keyof GardenerConfig, ...path: readonly string[]): OwnedField => ({
  field,
  ours: ({ config }) => config[field],
  theirs: ({ live }) => readPath(workerPool(live), ...path),
});

/** True where ours is; false and left out are the same. */
const flag = (field: keyof GardenerConfig, theirs: OwnedField['theirs']): OwnedField => ({
  field,
  ours: ({ config }) => (config[field] === undefined ? undefined : config[field] === true),
  theirs,
});

/**
 * What an order sets in a Shoot and what can change there: Gardener lets nobody change region, ranges of Pods and such.
 * Where a configuration says nothing, whatever the Shoot has is right.
 */
// biome-ignore format: a table
const ownedFields: readonly OwnedField[] = [
  { ...setting('kubernetesVersion', 'spec', 'kubernetes', 'version'), version: true },
  setting('purpose', 'spec', 'purpose'),
  setting('seed', 'spec', 'seedName'),
  setting('exposureClassName', 'spec', 'exposureClassName'),
  setting('controlPlaneFailureTolerance', 'spec', 'controlPlane', 'highAvailability', 'failureTolerance', 'type'),
  { field: 'targetSecret', ours: ({ config }) => config.targetSecret, theirs: ({ live }) => readText(live, 'spec', 'credentialsBindingName') ?? readText(live, 'spec', 'secretBindingName') },
  { field: 'workerCidr', ours: ({ config, provider }) => provider.nodesCidr(config), theirs: ({ live }) => readPath(live, 'spec', 'networking', 'nodes') },
  ofWorkers('machineType', 'machine', 'type'),
  ofWorkers('machineImage', 'machine', 'image', 'name'),
  { ...ofWorkers('machineImageVersion', 'machine', 'image', 'version'), version: true },
  ofWorkers('diskType', 'volume', 'type'),
  { field: 'volumeSizeGB', ours: ({ config }) => config.volumeSizeGB, theirs: ({ live }) => sizeInGigabytes(readText(workerPool(live), 'volume', 'size')) },
  ofWorkers('autoScalerMin', 'minimum'),
  ofWorkers('autoScalerMax', 'maximum'),
  ofWorkers('maxSurge', 'maxSurge'),
  ofWorkers('maxUnavailable', 'maxUnavailable'),
  { field: 'zones', ours: ({ config, provider }) => noneIfEmpty(provider.zones(config)), theirs: ({ live }) => readPath(workerPool(live), 'zones') },
  flag('enableKubernetesVersionAutoUpdate', ({ live }) => readPath(live, 'spec', 'maintenance', 'autoUpdate', 'kubernetesVersion') === true),
  flag('enableMachineImageVersionAutoUpdate', ({ live }) => readPath(live, 'spec', 'maintenance', 'autoUpdate', 'machineImageVersion') === true),
  flag('euAccess', ({ live }) => isForEuropeOnly(live)),
  flag('shootNetworkingFilterDisabled', ({ live }) => networkingFilterDisabled(live)),
  { field: 'providerSpecificConfig.enableIMDSv2', ours: ({ config }) => config.providerSpecificConfig.awsConfig?.enableIMDSv2 || undefined, theirs: ({ live }) => readText(workerPool(live), 'providerConfig', 'instanceMetadataOptions', 'httpTokens') === 'required' },
  { field: 'dnsConfig.domain', ours: ({ config }) => config.dnsConfig?.domain, theirs: ({ live }) => readPath(live, 'spec', 'dns', 'domain') },
];

/** Only of fields that we own, and only where they say something else: Gardener fills in many more. */
export function findDrift(subject: Subject): readonly Drift[] {
  const { config, provider, live } = subject;
  const pool = workerPool(live);
  const others = otherPools(live);
  const pools: Drift = { field: 'workers', ours: undefined, theirs: others, kind: 'changed' };
  if (pool === undefined) return [{ ...pools, ours: workerPoolName }];
  const infrastructure = readPath(live, 'spec', 'provider', 'infrastructureConfig');
  return [
    ...ownedFields.flatMap((owned) => compare(owned, subject)),
    ...compareIssuer(subject),
    ...compareConfig('infrastructureConfig', provider.infrastructureConfig(config), infrastructure),
    ...(others === undefined ? [] : [pools]),
  ];
}

function compare({ field, version, ...owned }: OwnedField, subject: Subject): readonly Drift[] {
  const ours = write(owned.ours(subject));
  const theirs = write(owned.theirs(subject));
  if (ours === undefined || ours === theirs) return [];
  if (!version || theirs === undefined) return [{ field, ours, theirs, kind: 'changed' }];
  if (theirs.startsWith(`${ours}.`)) return [];
  return [{ field, ours, theirs, kind: compareVersions(theirs, ours) > 0 ? 'newer' : 'changed' }];
}

/**
 * A Shoot only names the ConfigMap that holds the issuer. What is in that is not watched; it shows where somebody has
 * put the issuer into the Shoot itself, as Gardener allows below Kubernetes 1.32.
 */
function compareIssuer({ config: { name, oidcConfig }, live }: Subject): readonly Drift[] {
  if (!oidcConfig) return [];
  const server = readPath(live, 'spec', 'kubernetes', 'kubeAPIServer');
  const named = readText(server, 'structuredAuthentication', 'configMapName');
  const inShoot = readPath(server, 'oidcConfig');
  if (named === undefined && isRecord(inShoot)) {
    return Object.entries(oidcConfig).flatMap(([field, wanted]) => {
      const [ours, theirs] = [write(wanted), write(inShoot[field])];
      return ours === theirs ? [] : [{ field: `oidcConfig.${field}`, ours, theirs, kind: 'changed' as const }];
    });
  }
  const [ours, theirs] = [authenticationConfigMapName(name), named].map((one) => one && `ConfigMap ${one}`);
  return ours === theirs ? [] : [{ field: 'oidcConfig', ours, theirs, kind: 'changed' }];
}

/** What is in ours and not the same in theirs; whatever else theirs holds was filled in by the provider's extension. */
function compareConfig(path: string, ours: unknown, theirs: unknown): readonly Drift[] {
  if (isRecord(ours)) {
    const fields = Object.entries(ours).filter(([name]) => name !== 'apiVersion' && name !== 'kind');
    return fields.flatMap(([name, value]) => compareConfig(`${path}.${name}`, value, readPath(theirs, name)));
  }
  if (Array.isArray(ours) && ours.every(isRecord)) {
    const present = Array.isArray(theirs) ? theirs.filter(isRecord) : [];
    return ours.flatMap((one, index) => {
      const same = present.find(({ name }) => name === one.name);
      return compareConfig(`${path}[${index}]`, one, same);
    });
  }
  const field = `providerSpecificConfig.${path}`;
  const [mine, others] = [write(ours), write(theirs)];
  return mine === undefined || mine === others ? [] : [{ field, ours: mine, theirs: others, kind: 'changed' }];
}

/** Names of pools of nodes that we know nothing of. */
function otherPools(live: Shoot): string | undefined {
  const names = readRecords(live, 'spec', 'provider', 'workers').map(({ name }) => name);
  return write(noneIfEmpty(names.filter((name) => name !== workerPoolName)));
}

/** In today's form, or in that of Gardens which do not know it. */
function isForEuropeOnly(live: Shoot): boolean {
  const restricted = readRecords(live, 'spec', 'accessRestrictions').some(({ name }) => name === 'eu-access-only');
  return restricted || readText(live, 'spec', 'seedSelector', 'matchLabels', euAccessLabel) === 'true';
}

function networkingFilterDisabled(live: Shoot): boolean {
  const filter = readRecords(live, 'spec', 'extensions').find(({ type }) => type === 'shoot-networking-filter');
  return filter === undefined || filter.disabled === true;
}

function sizeInGigabytes(size: string | undefined): string | undefined {
  return size?.replace(/Gi$/, '');
}

function noneIfEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** As a caller reads it; undefined for what is not there, or is empty. */
function write(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (Array.isArray(value)) return value.map((one) => write(one) ?? '').join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
