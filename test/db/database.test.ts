import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Database } from '../../src/db/database.ts';
import { DatabaseUnavailable } from '../../src/db/database-unavailable.ts';
import { Listener } from '../../src/db/listener.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations/migrations.ts';
import { printSchema } from '../../src/db/print-schema.ts';
import { statement } from '../../src/db/statement.ts';
import { Secret } from '../../src/domain/secret.ts';
import { anotherConnection, migratedDatabase } from '../engine/support/engine-fixture.ts';
import { eventually } from '../harness/eventually.ts';
import { testDatabase } from '../harness/postgres.ts';
import { silentLog } from '../harness/silent-log.ts';

const one = statement<{ one: number }>('one', 'SELECT 1 AS one');
const patient = new AbortController().signal;

test('replicas that start together migrate once', async () => {
  const { settings } = await testDatabase();
  const databases = Array.from({ length: 4 }, () => anotherConnection(settings));
  await Promise.all(databases.map((database) => migrate({ database, log: silentLog })));
  const { rows } = await sql<{ name: string }>`SELECT name FROM migration ORDER BY name`.execute(
    databases[0]?.kysely ?? assert.fail(),
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    Object.keys(migrations).toSorted(),
  );
});

test('a program older than its database does not start on it', async () => {
  const { database } = await migratedDatabase();
  await sql`INSERT INTO migration (name, timestamp) VALUES ('9999-of-the-future', '')`.execute(database.kysely);
  await assert.rejects(migrate({ database, log: silentLog }), /9999-of-the-future/);
});

test('the printed schema is the same for every database, and has every table and column', async () => {
  const printed = await Promise.all(
    [await migratedDatabase(), await migratedDatabase()].map(({ database }) => printSchema({ database })),
  );
  assert.equal(printed[0], printed[1]);
  for (const words of [
    '## runtime',
    '## operation_event',
    '| wake_seq | bigint, not null, default 0 |',
    'operation_one_in_progress',
  ]) {
    assert.ok(printed[0]?.includes(words), words);
  }
  assert.doesNotMatch(printed[0] ?? '', /## migration/);
});

test('a database that is not up yet is waited for', async () => {
  const server = await testDatabase();
  const { settings } = server;
  await server.goDown();
  const database = anotherConnection(settings);
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => warnings.push(message) };
  const up = database.waitUntilUp({ signal: patient, log: { ...log, child: () => silentLog } });
  await eventually('the wait to be told', () => warnings.length > 1);
  await assert.rejects(database.run(one, []), { code: 'DATABASE_UNAVAILABLE', uncertain: false });
  await server.comeBack();
  await up;
  assert.deepEqual(await database.run(one, []), [{ one: 1 }]);
});

test('a database that does not exist yet is waited for', async () => {
  const { settings } = await testDatabase();
  const database = anotherConnection({ ...settings, name: `${settings.name}_later` });
  const up = database.waitUntilUp({ signal: patient, log: silentLog });
  const administrator = anotherConnection(settings);
  await sql`CREATE DATABASE ${sql.raw(`${settings.name}_later`)}`.execute(administrator.kysely);
  await up;
});

test('what waiting does not heal is told at once', async () => {
  const { settings } = await testDatabase();
  const wrong = anotherConnection({ ...settings, password: new Secret('wrong') });
  await assert.rejects(wrong.waitUntilUp({ signal: patient, log: silentLog }), /password authentication failed/);
  const encrypted = anotherConnection({ ...settings, sslMode: 'require' });
  await assert.rejects(encrypted.waitUntilUp({ signal: patient, log: silentLog }), /does not support SSL/);
});

test('waiting ends with its signal', async () => {
  const { settings } = await testDatabase();
  const database = anotherConnection({ ...settings, port: 1 });
  const signal = AbortSignal.abort(new Error('stopped'));
  await assert.rejects(database.waitUntilUp({ signal, log: silentLog }), /stopped/);
});

test('a statement whose connection is cut fails as unavailable and uncertain, and the next one works', async () => {
  const { database, server } = await migratedDatabase();
  const sleep = statement('sleep', 'SELECT pg_sleep(60)');
  const cut = database.run(sleep, []).catch((error: unknown) => error);
  const throughKysely = sql`SELECT pg_sleep(60)`.execute(database.kysely).catch((error: unknown) => error);
  const inTransaction = database
    .transaction((transaction) => transaction.run(sleep, []))
    .catch((error: unknown) => error);
  const watcher = anotherConnection({ ...server.settings, name: 'postgres' });
  await eventually('the statements to run', async () => {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = ${server.settings.name} AND query LIKE '%pg_sleep%'`.execute(watcher.kysely);
    return rows[0]?.count === 3;
  });
  await server.terminateConnections();
  for (const error of await Promise.all([cut, throughKysely, inTransaction])) {
    assert.ok(error instanceof DatabaseUnavailable && error.uncertain, String(error));
    assert.doesNotMatch(error.message, /pg_sleep|administrator/);
  }
  assert.deepEqual(await database.run(one, []), [{ one: 1 }]);
});

test('a transaction is all or nothing', async () => {
  const { database } = await migratedDatabase();
  const insert = statement('insert-intent', 'INSERT INTO registration_intent (id, tenant) VALUES ($1, $2)');
  const count = statement<{ count: number }>('count', 'SELECT count(*)::int AS count FROM registration_intent');
  await assert.rejects(
    database.transaction(async (transaction) => {
      await transaction.run(insert, [crypto.randomUUID(), 'a']);
      throw new Error('changed my mind');
    }),
    /changed my mind/,
  );
  assert.deepEqual(await database.run(count, []), [{ count: 0 }]);
  const answer = await database.transaction(async (transaction) => {
    await transaction.run(insert, [crypto.randomUUID(), 'a']);
    return 'kept';
  });
  assert.equal(answer, 'kept');
  assert.deepEqual(await database.run(count, []), [{ count: 1 }]);
});

test('statements that the server rolls back for a deadlock are sent again', async () => {
  const { database, settings } = await migratedDatabase();
  await sql`CREATE TABLE pair (id int PRIMARY KEY, hits int)`.execute(database.kysely);
  await sql`INSERT INTO pair VALUES (1, 0), (2, 0)`.execute(database.kysely);
  // One statement that locks two rows in the order given, with a pause in between for the other one to come.
  const lock = (first: number, second: number) =>
    statement(
      `lock-${first}-${second}`,
      `WITH one AS (UPDATE pair SET hits = hits + 1 WHERE id = ${first} RETURNING pg_sleep(0.2)),
        two AS (UPDATE pair SET hits = hits + 1 FROM (SELECT count(*) FROM one) done WHERE id = ${second} RETURNING 1)
      SELECT (SELECT count(*) FROM one), (SELECT count(*) FROM two)`,
    );
  const other = new Database({ settings, log: silentLog });
  await Promise.all([database.run(lock(1, 2), []), other.run(lock(2, 1), [])]);
  await other.close();
  const { rows } = await sql<{ hits: number }>`SELECT hits FROM pair`.execute(database.kysely);
  assert.deepEqual(rows, [{ hits: 2 }, { hits: 2 }]);
});

test('a listener hears, tells when it is down, and hears again', async () => {
  const { database, server } = await migratedDatabase();
  const told: string[] = [];
  const listener = new Listener({
    ...{ database, channels: ['one', 'two'], log: silentLog },
    onNotification: (channel, payload) => told.push(`${channel} ${payload}`),
    onUp: () => told.push('up'),
    onDown: () => told.push('down'),
  });
  listener.start();
  const heard = (what: string) => eventually(`"${what}" to be heard`, () => told.includes(what));
  await heard('up');
  await sql`SELECT pg_notify('two', 'first'), pg_notify('three', 'nobody listens')`.execute(database.kysely);
  await heard('two first');
  await server.goDown();
  await heard('down');
  assert.equal(listener.listening, false);
  await server.comeBack();
  await eventually('the listener to be up again', () => listener.listening);
  await sql`SELECT pg_notify('one', 'second')`.execute(database.kysely);
  await heard('one second');
  await listener.close();
  assert.deepEqual(told, ['up', 'two first', 'down', 'up', 'one second']);
});
