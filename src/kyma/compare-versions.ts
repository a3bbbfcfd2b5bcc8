/** `2026-11`, `1.11.0`, `v1.11.0-rc1`: numbers, and perhaps the name of a pre-release. */
const version = /^v?(\d+(?:[.-]\d+)*)(?:-([a-z][\w.-]*))?$/i;

/**
 * Below 0 when `one` is older than `other`, above 0 when it is newer. A pre-release is older than its release. Undefined
 * for names whose order nobody can tell.
 */
export function compareVersions(one: string, other: string): number | undefined {
  const [left, right] = [version.exec(one), version.exec(other)];
  if (!left || !right) return one === other ? 0 : undefined;
  const [leftNumbers, rightNumbers] = [numbers(left), numbers(right)];
  for (let index = 0; index < Math.max(leftNumbers.length, rightNumbers.length); index++) {
    const difference = (leftNumbers[index] ?? 0) - (rightNumbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  const [leftName, rightName] = [left[2], right[2]];
  if (leftName === rightName) return 0;
  if (leftName === undefined) return 1;
  return rightName === undefined ? -1 : leftName.localeCompare(rightName, 'en', { numeric: true });
}

function numbers(match: RegExpExecArray): readonly number[] {
  return (match[1] ?? '').split(/[.-]/).map(Number);
}
