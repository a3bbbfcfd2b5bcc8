import { after } from 'node:test';
import { Database, type DatabaseSettings } from '../../../src/db/database.ts';
import type { ColumnCipher } from '../../../src/db/encryption.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { acceptOperation } from '../../../src/db/queries/accept-operation.ts';
import { acceptProvision } from '../../../src/db/queries/accept-provision.ts';
import { acceptRetry } from '../../../src/db/queries/accept-retry.ts';
import { findOperation } from '../../../src/db/queries/find-operation.ts';
import { operationEvents } from '../../../src/db/queries/operation-events.ts';
import { requestCancellation } from '../../../src/db/queries/request-cancellation.ts';
import type { Flow } from '../../../src/domain/flow.ts';
import type { GardenerConfig } from '../../../src/domain/gardener-config.ts';
import { newOperationId, newRuntimeId, type Tenant } from '../../../src/domain/ids.ts';
import type { Operation } from '../../../src/domain/operation.ts';
import type { OperationEvent } from '../../../src/domain/operation-event.ts';
import type { NewRuntime, Runtime } from '../../../src/domain/runtime.ts';
import { Engine, type EngineOptions } from '../../../src/engine/engine.ts';
import { eventually } from '../../harness/eventually.ts';
import { type TestDatabase, testDatabase } from '../../harness/postgres.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { deadlines } from './deadlines.ts';
import type { NoTools } from './flows.ts';

export const tenant = 'tenant-a' as Tenant;

/** A migrated database of its own, closed when the file ends. */
export async function migratedDatabase(options: { cipher?: ColumnCipher } = {}): Promise<{
  database: Database;
  server: TestDatabase;
  settings: DatabaseSettings;
}> {
  const server = await testDatabase();
  const database = new Database({ settings: server.settings, log: silentLog, ...options });
  await migrate({ database, log: silentLog });
  closeLater(() => database.close());
  return { database, server, settings: server.settings };
}

/** Connections of another replica to the same database. */
export function anotherConnection(settings: DatabaseSettings): Database {
  const database = new Database({ settings, log: silentLog });
  closeLater(() => database.close());
  return database;
}

/** An engine that is stopped when the file ends. */
export async function startEngine(
  options: Pick<EngineOptions<NoTools>, 'database' | 'flows'> & Partial<EngineOptions<NoTools>>,
): Promise<Engine<NoTools>> {
  const engine = new Engine<NoTools>({
    ...{ tools: {}, deadlines: deadlines(), log: silentLog },
    ...options,
    timing: { beat: 300, lease: 3_000, retry: { from: 20, upTo: 100 }, abortGrace: 500, ...options.timing },
  });
  closeFirst(() => engine.stop({ graceSeconds: 0 }));
  await engine.start();
  return engine;
}

let clusters = 0;

export function newRuntime(more: Partial<Runtime> = {}): NewRuntime {
  clusters += 1;
  const name = `c-${process.pid}-${clusters}`;
  return {
    id: newRuntimeId(),
    ...{ tenant, subAccount: undefined, name: 'demo', description: undefined, labels: { team: 'a' } },
    registration: 'none',
    cluster: { driver: 'gardener', name, config: gardenerConfig(name), domain: undefined, seed: undefined },
    kyma: undefined,
    administrators: [],
    ...more,
  };
}

/** Stores a new Runtime with its operation, as the mutation does. */
export async function provision(
  database: Database,
  flow: Flow<NoTools>,
  runtime: NewRuntime = newRuntime(),
): Promise<Operation> {
  const [first] = flow.steps;
  const operationId = newOperationId();
  const { startMessage } = flow;
  return acceptProvision({ database, runtime, operationId, startMessage, firstStage: first?.stage ?? '' });
}

export async function deprovision(
  database: Database,
  of: Operation,
  flow: Flow<NoTools>,
  asTenant: Tenant = tenant,
): Promise<Operation> {
  const { runtimeId } = of;
  const [first] = flow.steps;
  return acceptOperation({
    ...{ database, tenant: asTenant, runtimeId, operationId: newOperationId(), kind: 'Deprovision' },
    ...{ startMessage: flow.startMessage, firstStage: first?.stage ?? '' },
  });
}

/** The operation once it has ended. */
export async function ended(database: Database, { id }: Operation): Promise<Operation> {
  return eventually(`operation ${id} to end`, async () => {
    const operation = await findOperation({ database, tenant, operationId: id });
    return operation !== undefined && operation.state !== 'InProgress' && operation;
  });
}

/** `Type Stage`, in order. */
export async function timeline(database: Database, { id }: Operation): Promise<readonly string[]> {
  return (await history(database, id)).map(({ type, stage }) => `${type} ${stage}`);
}

export async function history(database: Database, operationId: Operation['id']): Promise<readonly OperationEvent[]> {
  return operationEvents({ database, tenant, operationId, limit: 10_000 });
}

function gardenerConfig(name: string): GardenerConfig {
  return {
    ...{ name, machineType: 'n2-standard-4', region: 'europe-west3', provider: 'gcp', targetSecret: 'gcp-credentials' },
    ...{ workerCidr: '10.250.0.0/22', autoScalerMin: 2, autoScalerMax: 4, maxSurge: 4, maxUnavailable: 1 },
    providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a'] } },
  };
}

const closings: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closings) await close();
});
function closeLater(close: () => Promise<void>): void {
  closings.push(close);
}
function closeFirst(close: () => Promise<void>): void {
  closings.unshift(close);
}

/** Asks for the end of an operation, as the mutation does. */
export async function cancel(database: Database, { id }: Operation): Promise<Operation> {
  const asked = await requestCancellation({ database, tenant, operationId: id });
  if (asked === undefined) throw new Error(`there is no operation ${id}`);
  return asked;
}

/** Takes up a failed operation, as the mutation does. */
export async function retry(database: Database, { id }: Operation, asTenant: Tenant = tenant): Promise<Operation> {
  const operationId = newOperationId();
  return acceptRetry({ database, tenant: asTenant, retryOf: id, operationId, startMessage: 'Retry started' });
}
