import type { ExpirableVersion } from './cloud-profiles.ts';

/** Orders `1.9.2` before `1.34.0`. */
export function compareVersions(one: string, other: string): number {
  const left = one.split('.').map(Number);
  const right = other.split('.').map(Number);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** True when `version` is at least the minor release `minor`, such as `1.34`. */
export function atLeast(version: string, minor: string): boolean {
  return compareVersions(version.split('.').slice(0, 2).join('.'), minor) >= 0;
}

export function isExpired({ expirationDate }: ExpirableVersion): boolean {
  return expirationDate !== undefined && Date.parse(expirationDate) < Date.now();
}
