import { randomInt } from 'node:crypto';

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** What Kubernetes makes of a generateName: the prefix and five letters that spell no word. */
export function nameFromGenerateName(prefix: string): string {
  const suffix = Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return `${prefix.slice(0, 63 - suffix.length)}${suffix}`;
}
