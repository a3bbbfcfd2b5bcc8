import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One import of one file. */
export interface Import {
  /** The file that imports, relative to the root of the project. */
  readonly from: string;
  readonly line: number;
  /** What is imported: a file relative to the root, or the name of a package (`node:fs`, `@scope/name`). */
  readonly to: string;
  readonly isFile: boolean;
  /** True for `import type` and `export type`, which are gone at run time. */
  readonly typeOnly: boolean;
}

const folders = ['src', 'landscape', 'scripts', 'bench', 'test'];
// The formatter keeps statements at the start of a line, so text inside comments and strings does not match.
const statement = /^(?:import|export)\s(?<kind>type\s)?[^'"`;]*?from\s+'(?<from>[^']+)'|^import\s+'(?<bare>[^']+)'/gm;
const dynamic = /\b(?:import|import\.meta\.resolve)\(\s*'(?<target>[^']+)'/g;

/** All imports of the TypeScript files below `root`. */
export function readImports(root: string): Import[] {
  const files = globSync(`{${folders.join(',')}}/**/*.ts`, { cwd: root });
  return files.sort().flatMap((file) => parseImports(file, readFileSync(path.join(root, file), 'utf8')));
}

export function parseImports(from: string, source: string): Import[] {
  const describe = (position: number, target: string, typeOnly: boolean): Import => {
    const isFile = target.startsWith('.');
    const to = isFile ? path.posix.join(path.posix.dirname(from), target) : packageName(target);
    return { from, line: source.slice(0, position).split('\n').length, to, isFile, typeOnly };
  };
  return [
    ...[...source.matchAll(statement)].map(({ index, groups }) =>
      describe(index, groups?.from ?? groups?.bare ?? '', groups?.kind !== undefined),
    ),
    ...[...source.matchAll(dynamic)].map(({ index, groups }) => describe(index, groups?.target ?? '', false)),
  ];
}

function packageName(target: string): string {
  if (target.startsWith('node:')) return target;
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}
