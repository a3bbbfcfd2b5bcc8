import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { newRuntimeColumns, newRuntimeValues } from '../../src/db/runtime-row.ts';
import { statement } from '../../src/db/statement.ts';
import type { GardenerConfig } from '../../src/domain/gardener-config.ts';
import { newOperationId, newRuntimeId, type OperationId, type RuntimeId, type Tenant } from '../../src/domain/ids.ts';
import type { OperationKind, OperationState } from '../../src/domain/operation.ts';
import type { NewRuntime } from '../../src/domain/runtime.ts';

export interface StoredRuntime extends Partial<Omit<NewRuntime, 'tenant' | 'cluster'>> {
  readonly tenant?: string;
  readonly config?: Partial<GardenerConfig>;
  readonly createdAt?: Date | string;
  readonly deleted?: boolean;
  readonly operation?: StoredOperation;
}

export interface StoredOperation {
  readonly kind?: OperationKind;
  readonly state?: OperationState;
  readonly stage?: string;
  readonly startedAt?: Date | string;
}

const columns = [...newRuntimeColumns, 'created_at', 'deleted_at'];
const insertRuntime = statement<never>(
  'test-insert-runtime',
  `INSERT INTO runtime (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
);

/** Stores a Runtime and its operation as if that had happened, at a chosen time. */
export async function storeRuntime(database: Database, stored: StoredRuntime = {}): Promise<RuntimeId> {
  const { tenant = 'tenant-a', config, createdAt = new Date(), deleted = false, operation, ...more } = stored;
  const id = newRuntimeId();
  const name = `c-${id.slice(0, 8)}`;
  const runtime: NewRuntime = {
    ...{ id, tenant: tenant as Tenant, subAccount: undefined, name: 'demo', description: undefined, labels: {} },
    ...{ registration: 'none', kyma: undefined, administrators: [] },
    cluster: {
      ...{ driver: 'gardener', name, config: { ...gardenerConfig(name), ...config } },
      ...{ domain: undefined, seed: undefined },
    },
    ...more,
  };
  const values = newRuntimeValues(runtime, database.cipher);
  await database.run(insertRuntime, [...values, createdAt, deleted ? createdAt : null]);
  await storeOperation(database, runtime.id, { startedAt: createdAt, ...operation });
  return runtime.id;
}

export async function storeOperation(
  database: Database,
  runtimeId: RuntimeId,
  { kind = 'Provision', state = 'Succeeded', stage, startedAt = new Date() }: StoredOperation = {},
): Promise<OperationId> {
  const id = newOperationId();
  const ended = state !== 'InProgress';
  await sql`
    INSERT INTO operation (id, runtime_id, kind, state, stage, message, started_at, ended_at)
    VALUES (${id}, ${runtimeId}, ${kind}, ${state}, ${stage ?? (ended ? 'Finished' : 'CreatingCluster')}, 'message',
      ${startedAt}, ${ended ? startedAt : null})`.execute(database.kysely);
  return id;
}

function gardenerConfig(name: string): GardenerConfig {
  return {
    ...{ name, machineType: 'n2-standard-4', region: 'europe-west3', provider: 'gcp', targetSecret: 'gcp-credentials' },
    ...{ workerCidr: '10.250.0.0/22', autoScalerMin: 2, autoScalerMax: 4, maxSurge: 4, maxUnavailable: 1 },
    providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a'] } },
  };
}
