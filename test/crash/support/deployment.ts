import { sql } from 'kysely';
import type { Landscape } from '../../../landscape/landscape.ts';
import { Database } from '../../../src/db/database.ts';
import type { OperationEventType } from '../../../src/domain/operation-event.ts';
import { atEnd } from '../../harness/at-end.ts';
import { type TestDatabaseSettings, testDatabase } from '../../harness/postgres.ts';
import { databaseEnvironment, ServiceProcess } from '../../harness/service-process.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { type Caller, caller } from './caller.ts';

type Environment = Readonly<Record<string, string>>;

/** A service process that is ready, and a caller who speaks to it. */
export interface Replica extends Caller {
  readonly process: ServiceProcess;
}

/** Service processes on one database, and a look at what is stored there. */
export interface Deployment {
  startReplica(environment?: Environment): Promise<Replica>;
  /** One that may end before it is ready. */
  startProcess(environment: Environment): ServiceProcess;
  /** As if all processes so far had fallen silent so long ago that others may go on at once. */
  giveUpSilent(): Promise<void>;
  /** The process that runs an operation now, while one does. */
  runnerOf(operationId: string): Promise<number | undefined>;
  /** `Type Stage` of each event in order, without waits and retries, which depend on who is faster. */
  course(operationId: string): Promise<readonly string[]>;
  /** The numbers of an operation's events; 1, 2, 3 and so on when none is missing or doubled. */
  sequences(operationId: string): Promise<readonly number[]>;
  /** How often each is stored. */
  counts(): Promise<{ readonly runtimes: number; readonly operations: number; readonly intents: number }>;
  /** For what only a test may do. */
  readonly stored: Database;
}

/** A deployment on a fresh database, or on the given one. What it starts is ended with the test file. */
export async function openDeployment({
  landscape,
  settings,
}: {
  landscape: Landscape;
  settings?: TestDatabaseSettings;
}): Promise<Deployment> {
  const connection = settings ?? (await testDatabase()).settings;
  const stored = new Database({ settings: { ...connection, poolSize: 1 }, log: silentLog });
  atEnd(() => stored.close());
  const base = { ...landscape.environment, ...databaseEnvironment(connection) };
  const startProcess = (environment: Environment) => new ServiceProcess({ ...base, ...environment });
  return {
    ...{ stored, startProcess },
    async startReplica(environment = {}) {
      const process = startProcess(environment);
      await process.waitUntilReady();
      return { process, ...caller(process.endpoint) };
    },
    async giveUpSilent() {
      await sql`UPDATE replica SET seen = seen - interval '10 minutes'`.execute(stored.kysely);
    },
    async runnerOf(operationId) {
      const { rows } = await sql<{ process: number }>`
        SELECT replica.process FROM operation JOIN replica ON replica.id = operation.owner
        WHERE operation.id = ${operationId}`.execute(stored.kysely);
      return rows[0]?.process;
    },
    async course(operationId) {
      const { rows } = await sql<{ type: OperationEventType; stage: string }>`
        SELECT type, stage FROM operation_event
        WHERE operation_id = ${operationId} AND type NOT IN ('Waiting', 'Retrying') ORDER BY sequence`.execute(
        stored.kysely,
      );
      return rows.map(({ type, stage }) => `${type} ${stage}`);
    },
    async sequences(operationId) {
      const { rows } = await sql<{ sequence: number }>`
        SELECT sequence FROM operation_event WHERE operation_id = ${operationId} ORDER BY sequence`.execute(
        stored.kysely,
      );
      return rows.map(({ sequence }) => sequence);
    },
    async counts() {
      const { rows } = await sql<{ runtimes: number; operations: number; intents: number }>`
        SELECT (SELECT count(*)::int FROM runtime) AS runtimes, (SELECT count(*)::int FROM operation) AS operations,
          (SELECT count(*)::int FROM registration_intent) AS intents`.execute(stored.kysely);
      return rows[0] ?? { runtimes: 0, operations: 0, intents: 0 };
    },
  };
}
