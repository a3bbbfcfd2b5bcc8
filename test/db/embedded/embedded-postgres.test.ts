import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { isAlive } from '../../../src/db/embedded/running-server.ts';
import { eventually } from '../../harness/eventually.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const started: EmbeddedPostgres[] = [];
const owners: ChildProcess[] = [];
after(async () => {
  for (const owner of owners) owner.kill('SIGKILL');
  await Promise.all(started.map((server) => server.stop()));
});

test('data and password outlive the server, and fsync is on', async () => {
  const directory = temporaryFolder();
  const first = await start(directory);
  await write(first, 'kept');
  await first.stop();
  assert.equal(isAlive(first.pid()), false);

  const second = await start(directory);
  assert.equal(await read(second), 'kept');
  assert.equal(second.password.reveal(), first.password.reveal());
  assert.deepEqual(await query(second, 'SHOW fsync'), [{ fsync: 'on' }]);
});

test('the password is long, asked for, and closed to others', async () => {
  const directory = temporaryFolder();
  const server = await start(directory);
  assert.ok(server.password.reveal().length >= 32);
  assert.equal(statSync(path.join(directory, 'password')).mode & 0o777, 0o600);
  await assert.rejects(query({ ...server, password: 'wrong' }, 'SELECT 1'), /password authentication failed/);
});

test('the server ends when its owner is killed with kill -9', async () => {
  const { owner, server } = await startOwner(temporaryFolder());
  owner.kill('SIGKILL');
  await eventually('the server to end', () => !isAlive(server.pid));
});

test('a temporary database leaves nothing behind when its owner is killed with kill -9', async () => {
  const directory = temporaryFolder();
  const { owner, server } = await startOwner(directory, 'temporary');
  owner.kill('SIGKILL');
  await eventually('the server to end', () => !isAlive(server.pid));
  await eventually('the folder to be removed', () => !existsSync(directory));
});

test('a server that lost its owner and its guard is shut down by the next start, with nothing lost', async () => {
  const directory = temporaryFolder();
  const { owner, server } = await startOwner(directory);
  const connection = { host: '127.0.0.1', user: 'provisioner', name: 'provisioner', ...server };
  await write(connection, 'survives');
  // The guard first, otherwise it does its work.
  for (const child of childrenOf(owner)) if (child !== server.pid) process.kill(child, 'SIGKILL');
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  assert.equal(isAlive(server.pid), true);

  const next = await start(directory);
  assert.equal(await read(next), 'survives');
  await eventually('the earlier server to end', () => !isAlive(server.pid));
});

test('a second start on data in use is refused and names the process that uses it', async () => {
  const directory = temporaryFolder();
  const { owner } = await startOwner(directory);
  await assert.rejects(start(directory), new RegExp(`in use by process ${owner.pid}`));
});

test('of two starts at the same time on an empty folder, one wins and the other is refused', async () => {
  const directory = temporaryFolder();
  const results = await Promise.allSettled([start(directory), start(directory)]);
  const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  assert.equal(won.length, 1);
  assert.match(refused.join(), /in use by process/);
  const [winner] = won;
  assert.ok(winner);
  await write(winner, 'works');
  assert.equal(await read(winner), 'works');
});

test('a postmaster.pid whose process id went to another program does not stop the start', async () => {
  const directory = temporaryFolder();
  const first = await start(directory);
  await write(first, 'kept');
  const data = realpathSync(path.join(directory, 'data'));
  const pidFile = readFileSync(path.join(data, 'postmaster.pid'), 'utf8');
  await first.stop();
  writeFileSync(path.join(data, 'postmaster.pid'), pidFile.replace(/^\d+/, String(process.pid)));

  assert.equal(await read(await start(directory)), 'kept');
});

test('a server that dies is started again on its port, with nothing lost', async () => {
  const server = await start(temporaryFolder());
  await write(server, 'kept');
  const died = server.pid();
  process.kill(died, 'SIGKILL');
  assert.equal(await eventually('the database to answer again', () => read(server)), 'kept');
  assert.notEqual(server.pid(), died);
});

test('root keeps the data elsewhere when the folder is closed to other users, and says where', {
  skip: process.getuid?.() !== 0 && 'needs root',
}, async () => {
  const home = temporaryFolder();
  chmodSync(home, 0o700);
  const directory = path.join(home, 'project', '.data');
  mkdirSync(directory, { recursive: true });
  const first = await startEmbeddedPostgres({ directory, log: silentLog, temporary: true });
  started.push(first);
  const data = realpathSync(path.join(directory, 'data'));
  assert.equal(data.startsWith(home), false);
  assert.equal(readFileSync(path.join(data, '..', 'belongs-to'), 'utf8').trim(), directory);
  await write(first, 'works');
  assert.equal(await read(first), 'works');
  await first.stop();
  assert.equal(existsSync(path.dirname(data)), false);
});

interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | EmbeddedPostgres['password'];
  readonly name: string;
}

async function start(directory: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ directory, log: silentLog });
  started.push(server);
  return server;
}

async function startOwner(directory: string, ...options: string[]) {
  const owner = fork(path.join(import.meta.dirname, 'owner-process.ts'), [directory, ...options]);
  owners.push(owner);
  const [server] = (await once(owner, 'message')) as [{ port: number; password: string; pid: number }];
  return { owner, server };
}

function childrenOf(owner: ChildProcess): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' });
  return processes
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([parent, pid]) => (parent === owner.pid && pid !== undefined ? [pid] : []));
}

async function write(connection: Connection, word: string): Promise<void> {
  await query(connection, `CREATE TABLE IF NOT EXISTS words AS SELECT '${word}'::text AS word`);
}

async function read(connection: Connection): Promise<string> {
  const [row] = await query(connection, 'SELECT word FROM words');
  return String(row?.word);
}

async function query(connection: Connection, statement: string): Promise<Record<string, unknown>[]> {
  const { host, port, user, name: database, password } = connection;
  const client = new pg.Client({
    host,
    port,
    user,
    database,
    password: typeof password === 'string' ? password : password.reveal(),
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
