import type { Done } from './live-through.ts';

/** What an operation and its like without a kill do not have in common, a line each. */
export function describeDifference(before: Done, now: Done): string {
  const [expected, seen] = [flatten(before), flatten(now)];
  const lines = [
    ...without(expected, seen).map((line) => `  only without a kill: ${line}`),
    ...without(seen, expected).map((line) => `  only with kills:     ${line}`),
  ];
  return ['it is not as without a kill:', ...(lines.length > 0 ? lines : ['  the order differs'])].join('\n');
}

function flatten({ course, surroundings: { objects, directorEntries, ...counts } }: Done): readonly string[] {
  return [
    ...course,
    ...objects,
    ...directorEntries,
    ...Object.entries(counts).map(([name, count]) => `${name} ${count}`),
  ];
}

/** Counts: what is twice in one and once in the other is left once. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
