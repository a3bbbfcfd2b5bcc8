// Prints docs/schema.md from a migrated database of its own; `--check` fails when the page is stale.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Database } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../src/db/migrate.ts';
import { printSchema } from '../src/db/print-schema.ts';
import { createLog } from '../src/observability/log.ts';

const page = new URL('../docs/schema.md', import.meta.url);
const printed = await printMigrated();

if (!process.argv.includes('--check')) {
  writeFileSync(page, printed);
} else if (!existsSync(page) || readFileSync(page, 'utf8') !== printed) {
  console.error('docs/schema.md is stale: run `npm run generate`');
  process.exitCode = 1;
}

async function printMigrated(): Promise<string> {
  const log = createLog({ level: 'error' });
  const directory = mkdtempSync(path.join(tmpdir(), 'provisioner-schema-'));
  const server = await startEmbeddedPostgres({ directory, log, temporary: true });
  const { host, port, user, password, name } = server;
  const database = new Database({ settings: { host, port, user, password, name, sslMode: 'disable' }, log });
  try {
    await migrate({ database, log });
    return await printSchema({ database });
  } finally {
    await database.close();
    await server.stop();
  }
}
