import { compareVersions } from '../shoot/compare-versions.ts';

/** More than these are not read by anybody. */
const longestList = 10;
/** What is longer is not a slip of the name of anything. */
const longestName = 64;

/** `a, b, c and 12 more`: what could have been asked for, what is most like it first. */
export function choices(given: string, offered: readonly string[]): string {
  const nearest = isVersion(given) ? byVersion(given, offered) : byLetters(given, offered);
  const shown = nearest.slice(0, longestList);
  const more = offered.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function isVersion(text: string): boolean {
  return /^\d+(\.\d+)*/.test(text);
}

/** Those that differ latest and least come first, newer ones before older ones. */
function byVersion(given: string, offered: readonly string[]): readonly string[] {
  const wanted = numbersOf(given);
  const distance = (version: string) => {
    const parts = numbersOf(version).map((part, index) => Math.abs(part - (wanted[index] ?? 0)));
    const place = parts.findIndex((part) => part > 0);
    return place === -1 ? [Number.POSITIVE_INFINITY, 0] : [place, parts[place] ?? 0];
  };
  return offered.toSorted((one, other) => {
    const [[place = 0, steps = 0], [otherPlace = 0, otherSteps = 0]] = [distance(one), distance(other)];
    return otherPlace - place || steps - otherSteps || compareVersions(other, one);
  });
}

function byLetters(given: string, offered: readonly string[]): readonly string[] {
  const wanted = given.slice(0, longestName).toLowerCase();
  const ranked = offered.map((name) => ({
    name,
    distance: editDistance(wanted, name.slice(0, longestName).toLowerCase()),
  }));
  return ranked.toSorted((one, other) => one.distance - other.distance).map(({ name }) => name);
}

function numbersOf(version: string): readonly number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10) || 0);
}

/** How many letters have to be added, removed or replaced (Levenshtein). */
function editDistance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[other.length] ?? 0;
}
