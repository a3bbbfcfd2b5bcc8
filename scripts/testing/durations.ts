import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const file = path.join('node_modules', '.cache', 'test-durations.json');

type Durations = Record<string, number>;

/** The files that took longest last time come first, so that none of them is alone at the end. New ones lead. */
export function longestFirst(files: readonly string[]): string[] {
  const durations = read();
  const of = (name: string) => durations[name] ?? Number.MAX_SAFE_INTEGER;
  return files.toSorted((left, right) => of(right) - of(left) || left.localeCompare(right));
}

/** A hint for the next run; not being able to keep it is no failure. */
export function keepDurations(durations: Durations): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...read(), ...durations }));
  } catch {
    // A read-only checkout.
  }
}

function read(): Durations {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Durations;
  } catch {
    return {};
  }
}
