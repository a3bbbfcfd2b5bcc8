import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseConfig } from '../config-shape.ts';
import { Database } from '../db/database.ts';
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts';
import { ColumnCipher, parseEncryptionKey } from '../db/encryption.ts';
import { migrate } from '../db/migrate.ts';
import type { Logger } from '../domain/logger.ts';
import type { Secret } from '../domain/secret.ts';

/** The database, up and migrated; an embedded one is started first. What is opened is closed with `resources`. */
export async function openDatabase({
  config,
  resources,
  signal,
  log,
}: {
  config: DatabaseConfig;
  resources: AsyncDisposableStack;
  signal: AbortSignal;
  log: Logger;
}): Promise<Database> {
  const { settings, key } =
    config.kind === 'embedded' ? await startEmbedded({ config, resources, log }) : asServer(config);
  const database = new Database({ settings, cipher: new ColumnCipher({ keys: [key] }), log });
  resources.defer(() => database.close());
  await database.waitUntilUp({ signal, log });
  await migrate({ database, log });
  return database;
}

async function startEmbedded({
  config,
  resources,
  log,
}: {
  config: Extract<DatabaseConfig, { kind: 'embedded' }>;
  resources: AsyncDisposableStack;
  log: Logger;
}) {
  const { host, port, user, password, name, stop } = await startEmbeddedPostgres({ directory: config.path, log });
  resources.defer(stop);
  const key = config.secretKey ?? (await readOrMakeKey(path.join(config.path, 'secret-key')));
  return { settings: { host, port, user, password, name, sslMode: 'disable' as const }, key };
}

function asServer({ kind: _, secretKey, ...settings }: Extract<DatabaseConfig, { kind: 'server' }>) {
  return { settings, key: secretKey };
}

/** Beside the data that it encrypts: an embedded database is for one machine, and whoever reads one may read both. */
async function readOrMakeKey(file: string): Promise<Secret<Buffer>> {
  try {
    await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await chmod(file, 0o600);
  }
  return parseEncryptionKey((await readFile(file, 'utf8')).trim());
}
