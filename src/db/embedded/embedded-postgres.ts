import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../domain/logger.ts';
import type { Secret } from '../../domain/secret.ts';
import { databaseUser, initialiseData, openDirectory, readOrMakePassword, removeDirectory } from './data-directory.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { type Postmaster, startPostmaster } from './postmaster.ts';
import { settleEarlierServer } from './running-server.ts';
import { chooseServerAccount } from './server-account.ts';

const databaseName = 'provisioner';

export interface EmbeddedPostgresOptions {
  /** Everything is kept below it: the data, the password, the server's log. Made when it does not exist. */
  readonly directory: string;
  readonly log: Logger;
  /** A free one when not given. */
  readonly port?: number;
  /** For tests: fast instead of durable, and the directory is removed when the server ends, however it ends. */
  readonly temporary?: boolean;
}

/** How to connect, from this machine only, without TLS. */
export interface EmbeddedPostgres {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: Secret;
  readonly name: string;
  /** The server process that runs now. */
  pid(): number;
  /** Idempotent. The server also ends when this process ends, even by kill -9. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL server on 127.0.0.1 that belongs to this process, on data that outlives it. Works as root
 * (the server then runs as another user) and as a plain user. A server that an earlier, killed run left behind is shut
 * down first; if the data is in use by a live process, this throws. A server that dies is started again on its port.
 *
 * The npm package brings the programs. Its own life cycle is not used: it neither finds earlier servers, nor ends its
 * server when the process is killed, nor works where root's files are closed to other users.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  const durable = options.temporary !== true;
  const { root, data: existing } = await openDirectory(options.directory);
  const account = chooseServerAccount(existing);
  const binaries = await findPostgresBinaries({ account, log });
  const password = await readOrMakePassword(root);
  const data = existing ?? (await initialiseData({ root, account, binaries, password, durable, log }));
  await settleEarlierServer(data, log);

  // A temporary database may have been put elsewhere; its folder there goes too.
  const temporaryFolders = durable ? [] : [...new Set([root, path.dirname(data)])];
  const start = (port: number) =>
    startPostmaster({
      data,
      port,
      account,
      binaries,
      durable,
      logFile: path.join(root, 'postgres.log'),
      temporaryFolders,
    });
  const { postmaster, port } = await startOnPort(start, options.port, () => settleEarlierServer(data, log));
  const connection = { host: '127.0.0.1', port, user: databaseUser, password, name: databaseName };

  const keeper = keepRunning(postmaster, () => start(port), log);
  try {
    await ensureDatabase(connection);
  } catch (error) {
    await keeper.stop();
    throw error;
  }
  log.info({ data, port, pid: keeper.pid() }, 'embedded PostgreSQL is running');
  return {
    ...connection,
    pid: keeper.pid,
    stop: async () => {
      await keeper.stop();
      if (!durable) await removeDirectory(root);
    },
  };
}

async function startOnPort(
  start: (port: number) => Promise<Postmaster>,
  wanted: number | undefined,
  settle: () => Promise<void>,
): Promise<{ postmaster: Postmaster; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = wanted ?? (await findFreePort());
    try {
      return { postmaster: await start(port), port };
    } catch (error) {
      if (attempt === 5) throw error;
      const text = String(error);
      if (text.includes('postmaster.pid')) {
        await settle(); // A start at the same time was faster: wait for it or be refused.
      } else if (text.includes('shared memory block')) {
        await delay(500); // The last sessions of a server that was killed are still ending.
      } else if (wanted !== undefined || !text.includes('could not bind')) {
        throw error; // Otherwise somebody took the port between our look and the server's.
      }
    }
  }
}

/** Starts the server again when it dies without having been stopped. */
function keepRunning(first: Postmaster, start: () => Promise<Postmaster>, log: Logger) {
  let current = first;
  let stopping = false;
  const watch = async (): Promise<void> => {
    for (;;) {
      await current.ended;
      if (stopping) return;
      log.error({ pid: current.pid }, 'embedded PostgreSQL died; starting it again');
      while (!stopping) {
        try {
          current = await start();
          break;
        } catch (error) {
          log.error({ err: error }, 'embedded PostgreSQL does not start');
          await delay(1_000, undefined, { ref: false });
        }
      }
    }
  };
  const watching = watch();
  return {
    pid: () => current.pid,
    stop: async () => {
      stopping = true;
      await current.stop();
      await watching;
      await current.stop();
    },
  };
}

async function ensureDatabase(connection: Omit<EmbeddedPostgres, 'pid' | 'stop'>): Promise<void> {
  const { host, port, user, password } = connection;
  const client = new pg.Client({ host, port, user, password: password.reveal(), database: 'postgres' });
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  } finally {
    await client.end();
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
