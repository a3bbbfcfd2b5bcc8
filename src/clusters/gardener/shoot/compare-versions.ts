/** Below 0 when the first is older. Compares the numbers; what follows them, such as `-beta.1`, does not count. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  for (let place = 0; place < Math.max(left.length, right.length); place += 1) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): readonly number[] {
  const [numbers = ''] = version.split(/[-+]/, 1);
  return numbers.split('.').map((number) => Number.parseInt(number, 10) || 0);
}
