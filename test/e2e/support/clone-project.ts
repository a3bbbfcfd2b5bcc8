import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lchownSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const sources = ['src', 'schema', 'scripts', 'package.json', 'package-lock.json'];

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}

/**
 * Copies what the service needs to run for the account, its installed packages included. Node itself is 200 MB, so it is
 * only linked to where the account can run this one.
 */
export function cloneProject({ to, account }: { to: string; account: Account }): void {
  const sharesNode = spawnSync(process.execPath, ['--version'], { cwd: '/', ...account }).status === 0;
  mkdirSync(to, { recursive: true });
  for (const source of sources) cpSync(source, path.join(to, source), { recursive: true });
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  const needed = Object.keys(packages).filter((name) => {
    const { dev, devOptional } = packages[name] ?? {};
    const isNode = /^node_modules\/node-[a-z]+-/.test(name);
    return name !== '' && !dev && !devOptional && !(isNode && sharesNode) && existsSync(name);
  });
  const topmost = needed.filter((name) => name.lastIndexOf('node_modules/') === 0);
  for (const name of [...topmost, 'node_modules/.package-lock.json']) {
    cpSync(name, path.join(to, name), { recursive: true, verbatimSymlinks: true });
  }
  const node = path.join('node_modules', '.bin', 'node');
  mkdirSync(path.join(to, path.dirname(node)));
  if (sharesNode) symlinkSync(process.execPath, path.join(to, node));
  else cpSync(node, path.join(to, node), { verbatimSymlinks: true });
}

/** A file or folder with all that is in it. */
export function giveTo(account: Account, target: string): void {
  lchownSync(target, account.uid, account.gid);
  for (const entry of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
    lchownSync(path.join(target, entry), account.uid, account.gid);
  }
}
