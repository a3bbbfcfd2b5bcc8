import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Landscape, startLandscape } from '../../landscape/landscape.ts';
import type { PaceName } from '../../landscape/pace.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { silentLog } from '../../test/harness/silent-log.ts';
import { freePort } from '../demo/free-port.ts';
import { installOwnershipLog } from './ownership-log.ts';
import { ReplicaProcess } from './replica-process.ts';

/** What a chaos run is done to: replicas of the service on one PostgreSQL and one landscape. */
export interface Surroundings {
  readonly replicas: readonly ReplicaProcess[];
  readonly landscape: Landscape;
  readonly database: FailingDatabase;
  /** A line of JSON for each request that is no read. */
  readonly requestLog: string;
}

/** A PostgreSQL server that goes away and comes back on its port, with what it has answered. */
export class FailingDatabase {
  #server: EmbeddedPostgres;
  readonly #directory: string;
  #away: Promise<void> | undefined;

  constructor(server: EmbeddedPostgres, directory: string) {
    this.#server = server;
    this.#directory = directory;
  }

  /** False when it is away already. */
  restart(): Promise<boolean> {
    return this.#goAway(async () => {
      const { port } = this.#server;
      await this.#server.stop();
      this.#server = await startEmbeddedPostgres({ directory: this.#directory, log: silentLog, port });
    });
  }

  /** kill -9 of the server; it is started again by itself, and recovers. */
  kill(): Promise<boolean> {
    return this.#goAway(async () => {
      const killed = this.#server.pid();
      process.kill(killed, 'SIGKILL');
      while (this.#server.pid() === killed) await pause(20);
    });
  }

  async connect(): Promise<pg.Client> {
    const { host, port, user, password, name: database } = this.#server;
    const client = new pg.Client({ host, port, user, password: password.reveal(), database });
    await client.connect();
    return client;
  }

  async stop(): Promise<void> {
    await this.#away;
    await this.#server.stop();
  }

  get environment(): Readonly<Record<string, string>> {
    const { host, port, user, password, name } = this.#server;
    return {
      ...{ APP_DATABASE_HOST: host, APP_DATABASE_PORT: String(port), APP_DATABASE_NAME: name },
      ...{ APP_DATABASE_USER: user, APP_DATABASE_PASSWORD: password.reveal() },
      APP_DATABASE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
  }

  async #goAway(work: () => Promise<void>): Promise<boolean> {
    if (this.#away !== undefined) return false;
    this.#away = work().finally(() => {
      this.#away = undefined;
    });
    await this.#away;
    return true;
  }
}

/** Everything is ready when this resolves. The clock of the last replica is `clockOffset` milliseconds off. */
export async function startSurroundings(options: {
  readonly directory: string;
  readonly replicas: number;
  readonly pace: PaceName;
  readonly clockOffset: number;
  readonly resources: AsyncDisposableStack;
}): Promise<Surroundings> {
  const { directory, pace, clockOffset, resources } = options;
  mkdirSync(directory, { recursive: true });
  const inside = (name: string) => path.join(directory, name);
  // One that keeps what it has answered: a temporary one may lose it when it is killed.
  const server = await startEmbeddedPostgres({ directory: inside('postgres'), log: silentLog });
  const database = new FailingDatabase(server, inside('postgres'));
  resources.defer(() => database.stop());
  const landscape = await startLandscape({ directory: inside('landscape'), pace });
  resources.defer(() => landscape.stop());
  const requestLog = inside('requests.jsonl');
  const replicas: ReplicaProcess[] = [];
  resources.defer(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
  });
  for (let index = 0; index < options.replicas; index += 1) {
    const offset = index === options.replicas - 1 ? clockOffset : 0;
    const origin = `http://127.0.0.1:${await freePort(0)}`;
    const environment = {
      ...{ ...landscape.environment, ...database.environment },
      ...{ CHAOS_REQUEST_LOG: requestLog, CHAOS_CLOCK_OFFSET: String(offset) },
    };
    replicas.push(new ReplicaProcess({ origin, environment, logFile: inside(`replica-${index + 1}.log`) }));
  }
  const [first, ...others] = replicas;
  await first?.start();
  const client = await database.connect();
  await installOwnershipLog(client).finally(() => client.end());
  await Promise.all(others.map((replica) => replica.start()));
  return { replicas, landscape, database, requestLog };
}
