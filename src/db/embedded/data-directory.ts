import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '../../domain/logger.ts';
import { Secret } from '../../domain/secret.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { privateFolder } from './private-folder.ts';
import { canReach, type ServerAccount } from './server-account.ts';

/** The superuser that initdb makes. */
export const databaseUser = 'provisioner';

/**
 * Makes the folder and answers where the data is in it: `data`, a folder of PostgreSQL's own, or a link to one that
 * lies elsewhere. Undefined when there is none yet.
 */
export async function openDirectory(directory: string): Promise<{ root: string; data: string | undefined }> {
  await mkdir(directory, { recursive: true });
  const root = await realpath(directory);
  const data = path.join(root, 'data');
  if ((await lstat(data).catch(ifMissing)) === undefined) return { root, data: undefined };
  const { uid } = await stat(data);
  const ourUid = process.getuid?.();
  if (ourUid !== 0 && uid !== ourUid) {
    throw new Error(
      `The database in ${data} belongs to user id ${uid}. Run as that user or as root, or set APP_DATABASE_EMBEDDED_PATH to another folder.`,
    );
  }
  return { root, data: await realpath(data) };
}

/** Removes a database that is not running, also where its data lies elsewhere. */
export async function removeDirectory(directory: string): Promise<void> {
  const root = await realpath(directory).catch(ifMissing);
  if (root === undefined) return;
  const data = await realpath(path.join(root, 'data')).catch(ifMissing);
  if (data !== undefined && path.dirname(data) !== root) await rm(path.dirname(data), { recursive: true, force: true });
  await rm(root, { recursive: true, force: true });
}

/** Made once, readable by us alone, and kept through a crash between this and initdb. */
export async function readOrMakePassword(root: string): Promise<Secret> {
  const file = path.join(root, 'password');
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const existing = await readFile(file, 'utf8').catch(ifMissing);
  if (existing !== undefined) return new Secret(existing.trim());
  await writeFile(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    // A link is made once: of two processes that start together, both read the password of the first.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return new Secret((await readFile(file, 'utf8')).trim());
  } finally {
    await rm(draft, { force: true });
  }
}

interface Initialisation {
  readonly root: string;
  readonly account: ServerAccount | undefined;
  readonly binaries: PostgresBinaries;
  readonly password: Secret;
  /** False: fast, and worthless after a crash of the machine. For tests. */
  readonly durable: boolean;
  readonly log: Logger;
}

/** Runs initdb. The data appears under its name only when it is whole; answers its path. */
export async function initialiseData(initialisation: Initialisation): Promise<string> {
  const { root, account, log } = initialisation;
  const data = path.join(root, 'data');
  const home = await reachableHome(root, account);
  const draft = await mkdtemp(path.join(home, 'initialising-'));
  try {
    if (account) await chown(draft, account.uid, account.gid);
    await runInitdb(draft, initialisation);
    if (home === root) {
      await rename(draft, data);
    } else {
      const elsewhere = path.join(home, 'data');
      await rename(draft, elsewhere);
      log.info({ data: elsewhere }, `the database is kept in ${elsewhere}, because ${root} is closed to other users`);
      await symlink(elsewhere, data);
    }
    if (initialisation.durable) await syncFolder(root);
  } catch (error) {
    await rm(home === root ? draft : home, { recursive: true, force: true });
    // Another process may have been faster; then its data is as good as ours.
    if ((await lstat(data).catch(ifMissing)) === undefined) throw error;
  }
  return realpath(data);
}

/** The folder itself, or one below our private folder when the account cannot pass through to it. */
async function reachableHome(root: string, account: ServerAccount | undefined): Promise<string> {
  if (canReach(root, account)) return root;
  // The folder is ours alone, and what must stay secret in it is closed by itself.
  await chmod(root, 0o711);
  if (canReach(root, account)) return root;
  const elsewhere = await mkdtemp(path.join(privateFolder(), 'database-'));
  await writeFile(path.join(elsewhere, 'belongs-to'), `${root}\n`);
  await chmod(elsewhere, 0o711);
  return elsewhere;
}

async function runInitdb(data: string, { account, binaries, password, durable }: Initialisation): Promise<void> {
  const passwordFile = `${data}.password`;
  await writeFile(passwordFile, password.reveal(), { mode: 0o600 });
  try {
    if (account) await chown(passwordFile, account.uid, account.gid);
    const options = [
      `--pgdata=${data}`,
      `--username=${databaseUser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ];
    await promisify(execFile)(binaries.initdb, options, { cwd: '/', env: { LC_ALL: 'C' }, ...account });
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new Error(`initdb failed in ${data}: ${stderr?.trim() || String(error)}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
