// `npm run dev`: the service with reload. The landscape and the database stay up while an edit below src/ starts the
// service anew, so an operation in progress goes on under the new code. Variables that are set already stay as they are.
// `-- --pace instant|demo|realistic` sets the landscape's time. Edits below landscape/ need a new start.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { startLandscape } from '../landscape/landscape.ts';
import { paceNames } from '../landscape/pace.ts';
import { removeDirectory } from '../src/db/embedded/data-directory.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { createLog } from '../src/observability/log.ts';
import { readOptions, refuseOptions } from './read-options.ts';

const usage = `usage: npm run dev -- [--pace ${paceNames.join('|')}]
  --pace   how long the clouds of the landscape take; demo (seconds) unless given`;
const options = readOptions({ usage, options: { pace: { type: 'string', default: 'demo' } } });
const pace =
  paceNames.find((name) => name === options.pace) ??
  refuseOptions(`--pace ${options.pace}: ${paceNames.join(', ')} are possible`);

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
});
const folder = path.resolve('.data', 'dev');
const databaseFolder = path.join(folder, 'postgres');
// The landscape keeps its clouds in memory, so Runtimes of an earlier run would have clusters that are gone.
await removeDirectory(databaseFolder);
const landscape = await startLandscape({ directory: path.join(folder, 'landscape'), pace });
const database = await startEmbeddedPostgres({ directory: databaseFolder, log: createLog({ level: 'warn' }) });

// A session of its own, so that Ctrl-C reaches us alone and the service is stopped before what it needs.
const service = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/main.ts'], {
  stdio: 'inherit',
  detached: true,
  env: {
    ...landscape.environment,
    APP_DATABASE_HOST: database.host,
    APP_DATABASE_PORT: String(database.port),
    APP_DATABASE_USER: database.user,
    APP_DATABASE_PASSWORD: database.password.reveal(),
    APP_DATABASE_NAME: database.name,
    APP_DATABASE_SSL_MODE: 'disable',
    APP_DATABASE_SECRET_KEY: randomBytes(32).toString('base64'),
    APP_SHUTDOWN_DELAY: '0s',
    ...process.env,
  },
});
const ended = once(service, 'exit');
console.log(
  `The landscape is up (pace ${pace}); its files are in ${path.relative('.', folder)}. Tenant: demo. Ctrl-C stops everything.`,
);
await Promise.race([interrupted, ended]);
service.kill('SIGTERM');
await ended;
await database.stop();
await landscape.stop();
