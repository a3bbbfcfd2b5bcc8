import { cpSync, existsSync, lchownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const sources = ['src', 'schema', 'scripts', 'package.json', 'package-lock.json'];

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}

/** Copies what the service needs to run, its installed packages included. */
export function cloneProject(to: string): void {
  mkdirSync(to, { recursive: true });
  for (const source of sources) cpSync(source, path.join(to, source), { recursive: true });
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  const needed = Object.keys(packages).filter((name) => {
    const { dev, devOptional } = packages[name] ?? {};
    return name !== '' && !dev && !devOptional && existsSync(name);
  });
  const topmost = needed.filter((name) => name.lastIndexOf('node_modules/') === 0);
  for (const name of [...topmost, 'node_modules/.package-lock.json', 'node_modules/.bin/node']) {
    cpSync(name, path.join(to, name), { recursive: true, verbatimSymlinks: true });
  }
}

/** A file or folder with all that is in it. */
export function giveTo(account: Account, target: string): void {
  lchownSync(target, account.uid, account.gid);
  for (const entry of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
    lchownSync(path.join(target, entry), account.uid, account.gid);
  }
}
