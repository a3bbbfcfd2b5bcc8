/** `1.34.3-gke.1444000` as numbers; undefined for what is no version. */
function parts(version: string): readonly number[] | undefined {
  const match = /^(\d+)\.(\d+)(?:\.(\d+)(?:-gke\.(\d+))?)?$/.exec(version);
  return match?.slice(1).flatMap((part) => (part === undefined ? [] : [Number(part)]));
}

/** Whether the text names a version as the API takes it: `1.34`, `1.34.3` or `1.34.3-gke.1444000`. */
export function isVersion(text: string): boolean {
  return parts(text) !== undefined;
}

/** Whether an exact version is one of those that `asked` stands for. */
export function isOf(exact: string, asked: string): boolean {
  const [whole, wanted] = [parts(exact), parts(asked)];
  if (!whole || !wanted) return false;
  return wanted.every((part, index) => part === whole[index]);
}

/** Order of two versions, as far as both are exact: `1.34` and `1.34.3` are equal. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [parts(one) ?? [], parts(other) ?? []];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** How many minor versions the second is ahead of the first. */
export function minorsBetween(from: string, to: string): number {
  return (parts(to)?.[1] ?? 0) - (parts(from)?.[1] ?? 0);
}

/** For a message: the newest of each minor version, which may be asked for in short. */
export function tellVersions(offered: readonly string[]): string {
  const newest = new Map<string, string>();
  for (const version of [...offered].sort(compareVersions))
    newest.set(version.split('.').slice(0, 2).join('.'), version);
  return [...newest].map(([minor, version]) => `${minor} (${version})`).join(', ');
}
