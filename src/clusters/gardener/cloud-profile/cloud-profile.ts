import { isRecord, readPath, readRecords, readText } from '../../../domain/json.ts';

/** What a CloudProfile offers, as far as an order can ask for it. Everything usable, nothing expired. */
export interface CloudProfile {
  readonly kind: CloudProfileKind;
  readonly kubernetesVersions: readonly OfferedVersion[];
  /** In the profile's order: the first is the one that Gardener takes for whoever names none. */
  readonly machineImages: readonly { readonly name: string; readonly versions: readonly OfferedVersion[] }[];
  readonly machineTypes: readonly MachineType[];
  readonly volumeTypes: readonly string[];
  readonly regions: readonly Region[];
}

export type CloudProfileKind = 'CloudProfile' | 'NamespacedCloudProfile';

export interface OfferedVersion {
  readonly version: string;
  /** Never taken for whoever does not name it in full. */
  readonly preview: boolean;
  /** CPU architectures of an image; empty when the profile does not say. */
  readonly architectures: readonly string[];
}

export interface MachineType {
  readonly name: string;
  readonly cpus: number;
  readonly memoryGi: number;
  readonly gpus: number;
  readonly architecture: string;
}

export interface Region {
  readonly name: string;
  readonly zones: readonly Zone[];
}

export interface Zone {
  readonly name: string;
  readonly lacksMachineTypes: readonly string[];
  readonly lacksVolumeTypes: readonly string[];
}

/** Gardener takes nodes for this one unless a Shoot says otherwise, and ours do not. */
export const nodeArchitecture = 'amd64';

/**
 * Reads the spec of a CloudProfile, leniently: a profile that says less offers less. Versions carry a `classification`
 * and an `expirationDate`, or else a `lifecycle` (Gardener's GEP-32); an image's and a machine type's architecture are
 * in `architectures` and `architecture`, or in `capabilities`.
 */
export function readCloudProfile(spec: unknown, kind: CloudProfileKind, now: number): CloudProfile {
  return {
    kind,
    kubernetesVersions: versionsIn(spec, ['kubernetes', 'versions'], now),
    machineImages: readRecords(spec, 'machineImages').map((image) => ({
      name: readText(image, 'name') ?? '',
      versions: versionsIn(image, ['versions'], now),
    })),
    machineTypes: usable(readRecords(spec, 'machineTypes')).map((type) => ({
      name: readText(type, 'name') ?? '',
      cpus: quantity(readText(type, 'cpu')),
      memoryGi: quantity(readText(type, 'memory')) / 2 ** 30,
      gpus: quantity(readText(type, 'gpu')),
      architecture: readText(type, 'architecture') ?? capabilitiesOf(type)[0] ?? nodeArchitecture,
    })),
    volumeTypes: names(usable(readRecords(spec, 'volumeTypes'))),
    regions: readRecords(spec, 'regions').map((region) => ({
      name: readText(region, 'name') ?? '',
      zones: readRecords(region, 'zones').map((zone) => ({
        name: readText(zone, 'name') ?? '',
        lacksMachineTypes: texts(readPath(zone, 'unavailableMachineTypes')),
        lacksVolumeTypes: texts(readPath(zone, 'unavailableVolumeTypes')),
      })),
    })),
  };
}

function versionsIn(value: unknown, path: readonly string[], now: number): readonly OfferedVersion[] {
  return readRecords(value, ...path).flatMap((one) => {
    const version = readText(one, 'version');
    const classification = classificationOf(one, now);
    if (version === undefined || classification === 'expired' || classification === 'unavailable') return [];
    const given = texts(readPath(one, 'architectures'));
    const architectures = given.length > 0 ? given : capabilitiesOf(one);
    return [{ version, preview: classification === 'preview', architectures }];
  });
}

/** What the version is now; what has no classification is supported. */
function classificationOf(version: Record<string, unknown>, now: number): string {
  const expires = readText(version, 'expirationDate');
  if (expires !== undefined && Date.parse(expires) <= now) return 'expired';
  const lifecycle = readRecords(version, 'lifecycle');
  if (lifecycle.length === 0) return readText(version, 'classification') ?? 'supported';
  const begun = lifecycle.filter((stage) => {
    const from = readText(stage, 'startTime');
    return from === undefined || Date.parse(from) <= now;
  });
  const latest = begun.at(-1);
  return latest === undefined ? 'unavailable' : (readText(latest, 'classification') ?? 'supported');
}

/** Architectures among the capabilities of a machine type, or of the flavors of an image's version. */
function capabilitiesOf(value: Record<string, unknown>): readonly string[] {
  const own = texts(readPath(value, 'capabilities', 'architecture'));
  const flavors = ['capabilityFlavors', 'capabilitySets'].flatMap((name) => readRecords(value, name));
  return [...own, ...flavors.flatMap((flavor) => texts(readPath(flavor, 'architecture')))];
}

function usable(items: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] {
  return items.filter((item) => readPath(item, 'usable') !== false);
}

function names(items: readonly unknown[]): readonly string[] {
  return items.flatMap((item) => (isRecord(item) ? (readText(item, 'name') ?? []) : []));
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

const suffixes: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** A Kubernetes quantity such as `16Gi`; 0 when it is not one. */
function quantity(text = '0'): number {
  const [, number = '', suffix = ''] = /^(\d+(?:\.\d+)?)([a-zA-Z]*)$/.exec(text) ?? [];
  return Number(number) * (suffixes[suffix] ?? 0);
}
