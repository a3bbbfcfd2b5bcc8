import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { Secret } from '../../src/domain/secret.ts';
import { atEnd } from './at-end.ts';
import { sharedServerVariable } from './shared-server.ts';
import { silentLog } from './silent-log.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Everything that is needed to connect. */
export interface TestDatabaseSettings {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: Secret;
  readonly name: string;
  readonly sslMode: 'disable';
}

/** A database that only this test uses. */
export interface TestDatabase {
  readonly settings: TestDatabaseSettings;
  /** Cuts every connection to it, as a server restart does. */
  terminateConnections(): Promise<void>;
  /** From now on the database is down: connections are cut and new ones refused, until `comeBack`. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  /** Also done when the test file ends. */
  drop(): Promise<void>;
}

type Server = Omit<TestDatabaseSettings, 'name' | 'sslMode'>;

let shared: Promise<Server> | undefined;

/** A fresh, empty database on the run's shared server; a file that runs alone starts a server of its own. */
export async function testDatabase(): Promise<TestDatabase> {
  shared ??= findServer();
  const server = await shared;
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, `CREATE DATABASE ${name} STRATEGY file_copy`);

  const terminateConnections = () =>
    administer(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  const database: TestDatabase = {
    settings: { ...server, name, sslMode: 'disable' },
    terminateConnections,
    goDown: async () => {
      await administer(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await terminateConnections();
    },
    comeBack: () => administer(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`),
    drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
  atEnd(database.drop);
  return database;
}

/** A server of its own for tests that kill or restart the server itself; stopped and removed when the test file ends. */
export async function testServer(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ directory: temporaryFolder(), log: silentLog, temporary: true });
  atEnd(() => server.stop());
  return server;
}

async function findServer(): Promise<Server> {
  const address = process.env[sharedServerVariable];
  if (address === undefined) {
    const { host, port, user, password } = await testServer();
    return { host, port, user, password };
  }
  const url = new URL(address);
  return {
    host: url.hostname,
    port: Number(url.port),
    user: decodeURIComponent(url.username),
    password: new Secret(decodeURIComponent(url.password)),
  };
}

async function administer(server: Server, statement: string): Promise<void> {
  const { host, port, user, password } = server;
  const client = new pg.Client({ host, port, user, password: password.reveal(), database: 'postgres' });
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}
