import { GkeError } from './gke-error.ts';

/** What is offered, newest first. */
const offered = [
  '1.35.2-gke.1034000',
  '1.35.1-gke.1616000',
  '1.34.4-gke.1130000',
  '1.34.3-gke.1444000',
  '1.33.8-gke.1112000',
  '1.33.5-gke.2392000',
  '1.32.11-gke.1174000',
] as const;
const standard = '1.34.3-gke.1444000';

export function serverConfig(): object {
  return {
    defaultClusterVersion: standard,
    validMasterVersions: offered,
    validNodeVersions: [...offered, '1.31.13-gke.1139000'],
    defaultImageType: 'COS_CONTAINERD',
    validImageTypes: ['COS_CONTAINERD', 'UBUNTU_CONTAINERD'],
    channels: [
      { channel: 'RAPID', defaultVersion: offered[0], validVersions: offered.slice(0, 4) },
      { channel: 'REGULAR', defaultVersion: standard, validVersions: offered.slice(2, 6) },
      { channel: 'STABLE', defaultVersion: offered[5], validVersions: offered.slice(4) },
    ],
  };
}

/** The exact version behind `latest`, `1.X`, `1.X.Y`, an exact one, or (empty, `-`) the default. */
export function resolveVersion(asked: string, what: 'Master' | 'Node'): string {
  if (asked === '' || asked === '-') return standard;
  const found = asked === 'latest' ? offered[0] : offered.find((version) => isOf(version, asked));
  if (found === undefined) throw new GkeError('INVALID_ARGUMENT', `${what} version "${asked}" is unsupported.`);
  return found;
}

/** Minor versions from one to the other; negative when the second is older. */
export function minorsBetween(from: string, to: string): number {
  return minorOf(to) - minorOf(from);
}

/** Order of two exact versions. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split(/\D+/).map(Number));
  for (const [index, part] of (left ?? []).entries()) {
    const difference = part - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isOf(version: string, asked: string): boolean {
  return (
    version === asked ||
    (/^\d+\.\d+$/.test(asked) && version.startsWith(`${asked}.`)) ||
    version.startsWith(`${asked}-gke.`)
  );
}

function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}
