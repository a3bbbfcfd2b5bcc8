import { GkeError } from './gke-error.ts';

/** The regions of this cloud and the letters of their zones. */
const regions: Readonly<Record<string, string>> = {
  'europe-west1': 'bcd',
  'europe-west3': 'abc',
  'europe-west4': 'abc',
  'us-central1': 'abcf',
  'us-east1': 'bcd',
};

const machineFamilies: Readonly<Record<string, readonly number[]>> = {
  'e2-standard': [2, 4, 8, 16],
  'n1-standard': [1, 2, 4, 8, 16],
  'n2-standard': [2, 4, 8, 16],
};

export function isZone(location: string): boolean {
  return zonesOf(location.replace(/-[a-z]$/, '')).includes(location);
}

/** Throws for a place that there is not. */
export function checkLocation(location: string): void {
  if (Object.hasOwn(regions, location) || isZone(location)) return;
  throw new GkeError('INVALID_ARGUMENT', `Location "${location}" does not exist.`);
}

/** Where the nodes of a cluster are: a zonal cluster's own zone, or three zones of the region. */
export function nodeLocations(location: string): readonly string[] {
  return isZone(location) ? [location] : zonesOf(location).slice(0, 3);
}

export function checkMachineType(machineType: string, zone: string): void {
  if (machineType === 'e2-medium') return;
  const [, family = '', cpus = ''] = /^(.+)-(\d+)$/.exec(machineType) ?? [];
  if (machineFamilies[family]?.includes(Number(cpus))) return;
  throw new GkeError('INVALID_ARGUMENT', `Machine type with name "${machineType}" does not exist in zone "${zone}".`);
}

function zonesOf(region: string): readonly string[] {
  return [...(regions[region] ?? '')].map((letter) => `${region}-${letter}`);
}
