import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { claimOperations } from '../../src/db/queries/claim-operations.ts';
import { commitOperation } from '../../src/db/queries/commit-operation.ts';
import { listOperations, type OperationListFilter } from '../../src/db/queries/list-operations.ts';
import { joinReplicas } from '../../src/db/queries/replicas.ts';
import type { Operation } from '../../src/domain/operation.ts';
import { done } from '../../src/domain/outcome.ts';
import { deprovision, migratedDatabase, newRuntime, provision, tenant } from '../engine/support/engine-fixture.ts';
import { provisionFlow } from '../engine/support/flows.ts';

const provisioning = provisionFlow([{ stage: 'One', run: async () => done() }]);
const deprovisioning = { ...provisioning, kind: 'Deprovision' } as const;

/** Claims every operation that is due and ends it, all at the same time. */
async function endAll(database: Database, replicaId: string): Promise<void> {
  const kinds = ['Provision', 'Deprovision'] as const;
  const stages = kinds.map((kind) => `${kind}/One`);
  const { claimed } = await claimOperations({
    ...{ database, replicaId, leaseMillis: 60_000, limit: 1_000, kinds, stages, except: [] },
    strangeAfterMillis: 0,
  });
  await Promise.all(
    claimed.map(async ({ operation, revision, wakeSeq }) => {
      const landed = await commitOperation({
        database,
        guard: { operationId: operation.id, replicaId, attempt: operation.attempt, revision, wakeSeq },
        change: {
          ...{ state: 'Failed', stage: 'One', entersStage: false, message: 'failed', progress: undefined },
          ...{ lastError: undefined, looks: 1, failures: 0, wakeKey: undefined, runtime: undefined },
          events: [{ type: 'Failed', stage: 'One', message: 'failed' }],
        },
        hold: { kind: 'release', dueInMillis: 0 },
      });
      assert.ok(landed.landed);
    }),
  );
}

/** Asks again while the operation before is in progress, as impatient callers do; answers how often. */
async function acceptStubbornly(database: Database, of: Operation): Promise<number> {
  for (let refused = 0; ; refused++) {
    try {
      await deprovision(database, of, deprovisioning);
      return refused;
    } catch (error) {
      if ((error as { code?: string }).code !== 'OPERATION_IN_PROGRESS') throw error;
    }
  }
}

/** Rows of the list that do not say what the Runtime and its newest operation say. */
async function wrongRows(database: Database): Promise<readonly unknown[]> {
  const { rows } = await sql`
    SELECT listing.*, newest.kind, newest.state
    FROM runtime FULL JOIN runtime_listing listing ON listing.runtime_id = runtime.id
    LEFT JOIN LATERAL (
      SELECT kind, state FROM operation WHERE operation.runtime_id = runtime.id ORDER BY sequence DESC LIMIT 1
    ) newest ON true
    WHERE (listing.operation_kind, listing.operation_state) IS DISTINCT FROM (newest.kind, newest.state)
      OR (listing.tenant, listing.created_at, listing.name, listing.labels, listing.deleted)
        IS DISTINCT FROM (runtime.tenant, runtime.created_at, runtime.name, runtime.labels, runtime.deleted_at IS NOT NULL)
  `.execute(database.kysely);
  return rows;
}

test('the list says what is so, also where an operation is accepted while the one before it ends', async () => {
  const { database, server } = await migratedDatabase();
  const replicaId = crypto.randomUUID();
  await joinReplicas({ database, replicaId, host: 'test', process: 1 });
  let refusals = 0;
  for (let round = 0; round < 6; round++) {
    const provisions = await Promise.all(
      Array.from({ length: 15 }, () => provision(database, provisioning, newRuntime())),
    );
    assert.deepEqual(await wrongRows(database), []);
    const stubborn = provisions.map((operation) => acceptStubbornly(database, operation));
    await endAll(database, replicaId);
    refusals += (await Promise.all(stubborn)).reduce((sum, refused) => sum + refused, 0);
    assert.deepEqual(await wrongRows(database), []);
    await endAll(database, replicaId);
    assert.deepEqual(await wrongRows(database), []);
  }
  assert.ok(refusals > 0, 'some were asked for while the one before was in progress');
  const { rows } = await sql<{ deadlocks: string }>`
    SELECT deadlocks FROM pg_stat_database WHERE datname = ${server.settings.name}`.execute(database.kysely);
  assert.deepEqual(rows, [{ deadlocks: '0' }]);
});

test('more rows than a list answers are not asked for', async () => {
  const { database } = await migratedDatabase();
  const anything: OperationListFilter = {
    ...{ runtimeIds: undefined, kinds: undefined, states: undefined, stages: undefined },
    ...{ providers: undefined, regions: undefined, labels: undefined },
    ...{ kymaVersions: undefined, kubernetesVersions: undefined },
  };
  const bounds = { behind: undefined, since: undefined, before: undefined };
  const request = { database, tenant, bounds, limit: 1_002 };
  await assert.rejects(listOperations({ ...request, filter: anything }), /at most 1001 rows, not 1002/);
  assert.deepEqual(await listOperations({ ...request, limit: 1_001, filter: anything }), []);
});
