import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../scripts/demo/free-port.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { isAlive } from '../../src/db/embedded/running-server.ts';
import { atEnd } from '../harness/at-end.ts';
import { testLandscape } from '../harness/landscape.ts';
import { testDatabase } from '../harness/postgres.ts';
import { databaseEnvironment, ServiceProcess, startServiceProcess } from '../harness/service-process.ts';
import { silentLog } from '../harness/silent-log.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const landscape = await testLandscape();

test('a wrong configuration ends the start with 78 and one line for each mistake', async () => {
  const service = new ServiceProcess({
    ...landscape.environment,
    APP_ADDRESS: 'nowhere',
    APP_DATABASE_HOST: 'localhost',
    APP_DATABASE_PASSWORD: 'not-to-be-shown',
    APP_DATABASE_SSL_MODE: 'on',
    APP_PROVISIONING_TIMEOUT_INSTALLATION: '1 hour',
  });
  assert.equal(await service.exited, 78);
  const lines = service.written.trimEnd().split('\n');
  const mistaken = [
    'APP_ADDRESS',
    'APP_DATABASE_SSL_MODE',
    'APP_PROVISIONING_TIMEOUT_INSTALLATION',
    'APP_DATABASE_SECRET_KEY',
  ];
  assert.deepEqual(
    lines.map((line) => line.split(':')[0]),
    mistaken,
  );
  for (const line of lines) assert.match(line, /; allowed: \S/);
  assert.doesNotMatch(service.written, /not-to-be-shown/);
});

test('a database that is not up yet is waited for', async () => {
  const port = await freePort(0);
  const directory = temporaryFolder();
  // Made and stopped again, so that its password is known.
  const early = await startEmbeddedPostgres({ directory, log: silentLog, port });
  const { host, user, password, name } = early;
  await early.stop();

  const service = new ServiceProcess({
    ...landscape.environment,
    ...databaseEnvironment({ host, port, user, password, name, sslMode: 'disable' }),
  });
  const waiting = () => service.log.filter(({ msg }) => msg === 'waiting for the database');
  await service.waitForLog('that it waits, and again', () => waiting().length >= 3);
  await assert.rejects(async () => fetch(`${service.origin}/healthz`), /does not listen yet/);

  const late = await startEmbeddedPostgres({ directory, log: silentLog, port });
  atEnd(() => late.stop());
  await service.waitUntilReady();
  assert.equal(await service.stop(), 0);
});

test('a service that is told to stop while it waits for the database stops', async () => {
  const { settings } = await testDatabase();
  const service = new ServiceProcess({
    ...landscape.environment,
    ...databaseEnvironment({ ...settings, port: await freePort(0) }),
  });
  await service.waitForLog('that it waits', ({ msg }) => msg === 'waiting for the database');
  assert.equal(await service.stop(), 0);
});

test('with APP_DATABASE_HOST there is no embedded PostgreSQL, and a slip in a name is told', async () => {
  const { settings } = await testDatabase();
  const embedded = path.join(temporaryFolder(), 'postgres');
  const service = await startServiceProcess({
    ...landscape.environment,
    ...databaseEnvironment(settings),
    APP_DATABASE_EMBEDDED_PATH: embedded,
    APP_GARDNER_PROJECT: 'slip',
  });
  assert.ok(!existsSync(embedded));
  const warning = service.log.find(({ variable }) => variable === 'APP_GARDNER_PROJECT');
  assert.equal(warning?.level, 'warn');
  assert.equal(await service.stop(), 0);
});

test('a database that refuses the password ends the start with its words', async () => {
  const server = await startEmbeddedPostgres({ directory: temporaryFolder(), log: silentLog, temporary: true });
  atEnd(() => server.stop());
  const { host, port, user, password, name } = server;
  const settings = { host, port, user, password, name, sslMode: 'disable' as const };
  const service = new ServiceProcess({
    ...landscape.environment,
    ...databaseEnvironment(settings),
    APP_DATABASE_PASSWORD: 'wrong-one',
  });
  assert.equal(await service.exited, 1);
  assert.match(service.written, /password authentication failed/);
  assert.doesNotMatch(service.written, /wrong-one/);
});

test('an address that is taken ends the start, says which, and leaves no PostgreSQL running', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const service = new ServiceProcess({
    ...landscape.environment,
    APP_DATABASE_EMBEDDED_PATH: temporaryFolder(),
    APP_ADDRESS: `127.0.0.1:${port}`,
  });
  assert.equal(await service.exited, 1);
  taken.close();
  assert.match(service.written, new RegExp(`address already in use 127\\.0\\.0\\.1:${port}`));
  const postgres = service.log.find(({ msg }) => msg === 'embedded PostgreSQL is running');
  assert.ok(!isAlive(Number(postgres?.pid)));
});
