import type { Mistake } from './mistake.ts';

/** Gardener builds names of cloud resources out of both. */
const longestTogether = 21;

export function checkName(name: string, project: string): readonly Mistake[] {
  return [...mistakesOf(name, project)].map((mistake) => ({ path: 'name', message: `name "${name}" ${mistake}` }));
}

function* mistakesOf(name: string, project: string): Generator<string> {
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) {
    yield 'must consist of lower-case letters, digits and hyphens, and begin and end with a letter or digit';
  }
  if (name.includes('--')) yield 'must not have two hyphens in a row';
  const longest = longestTogether - project.length;
  if (name.length > longest) {
    yield `has ${name.length} characters, and in the Gardener project "${project}" at most ${longest} are possible`;
  }
}
