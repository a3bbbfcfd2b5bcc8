import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { runtimesAndOperations } from '../../src/db/migrations/0001-runtimes-and-operations.ts';
import { listing } from '../../src/db/migrations/0002-listing.ts';
import { anotherConnection, migratedDatabase } from '../engine/support/engine-fixture.ts';
import { testDatabase } from '../harness/postgres.ts';

/** Statements as the version before the migration sends them: they know no column of it. */
async function insertRuntime(database: Database, name: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO runtime (id, tenant, name, labels, registration, driver, cluster_name, cluster_config, provider, region,
      kubernetes_version, administrators)
    VALUES (gen_random_uuid(), 'tenant-a', ${name}, '{"team": "a"}', 'none', 'gardener', ${name}, '{}', 'gcp',
      'europe-west3', '1.34.2', '{}')
    RETURNING id`.execute(database.kysely);
  return rows[0]?.id ?? assert.fail();
}

async function insertOperation(database: Database, runtimeId: string, kind: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO operation (id, runtime_id, kind, stage, message)
    VALUES (gen_random_uuid(), ${runtimeId}, ${kind}, 'One', 'started') RETURNING id`.execute(database.kysely);
  return rows[0]?.id ?? assert.fail();
}

async function finish(database: Database, operationId: string, state: 'Succeeded' | 'Failed'): Promise<void> {
  await sql`UPDATE operation SET state = ${state}, ended_at = now() WHERE id = ${operationId}`.execute(database.kysely);
}

async function listed(database: Database, runtimeId: string): Promise<unknown> {
  const row = await database.kysely
    .selectFrom('runtime_listing')
    .selectAll()
    .where('runtime_id', '=', runtimeId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { runtime_id, created_at, ...rest } = row;
  return rest;
}

const asStored = {
  ...{ tenant: 'tenant-a', deleted: false, labels: { team: 'a' }, provider: 'gcp', region: 'europe-west3' },
  ...{ kubernetes_version: '1.34.2', kyma_version: null },
};

test('rows of the version before are listed as they are', async () => {
  const { settings } = await testDatabase();
  const database = anotherConnection(settings);
  const anyTables = database.kysely as unknown as Kysely<unknown>;
  await runtimesAndOperations(anyTables);
  const provisioned = await insertRuntime(database, 'provisioned');
  await finish(database, await insertOperation(database, provisioned, 'Provision'), 'Succeeded');
  const failing = await insertOperation(database, provisioned, 'Upgrade');
  await finish(database, failing, 'Failed');
  const fresh = await insertRuntime(database, 'fresh');
  await insertOperation(database, fresh, 'Provision');

  await listing(anyTables);

  const upgrade = { operation_kind: 'Upgrade', operation_state: 'Failed' };
  assert.deepEqual(await listed(database, provisioned), { ...asStored, name: 'provisioned', ...upgrade });
  const provision = { operation_kind: 'Provision', operation_state: 'InProgress' };
  assert.deepEqual(await listed(database, fresh), { ...asStored, name: 'fresh', ...provision });
  const { rows } = await sql`SELECT DISTINCT tenant, provider, region FROM operation`.execute(database.kysely);
  assert.deepEqual(rows, [{ tenant: 'tenant-a', provider: 'gcp', region: 'europe-west3' }]);
});

test('what the version before writes afterwards is listed too', async () => {
  const { database } = await migratedDatabase();
  const id = await insertRuntime(database, 'later');
  assert.deepEqual(await listed(database, id), {
    ...{ ...asStored, name: 'later', lost: false, operation_kind: null, operation_state: null },
  });
  const provision = await insertOperation(database, id, 'Provision');
  await finish(database, provision, 'Succeeded');
  const deprovision = await insertOperation(database, id, 'Deprovision');
  await sql`UPDATE runtime SET deleted_at = now(), seed = 'a' WHERE id = ${id}`.execute(database.kysely);
  await finish(database, deprovision, 'Succeeded');
  assert.deepEqual(await listed(database, id), {
    ...{
      ...asStored,
      name: 'later',
      lost: false,
      deleted: true,
      operation_kind: 'Deprovision',
      operation_state: 'Succeeded',
    },
  });
  const copied = await database.kysely.selectFrom('operation').select(['tenant', 'provider', 'region']).execute();
  const copy = { tenant: 'tenant-a', provider: 'gcp', region: 'europe-west3' };
  assert.deepEqual(copied, [copy, copy]);
});

test('versions and labels that change are listed as they are now', async () => {
  const { database } = await migratedDatabase();
  const id = await insertRuntime(database, 'changing');
  const labels = { team: 'b' };
  await sql`
    UPDATE runtime SET kubernetes_version = '1.35.0', kyma_version = 'fast', kyma_installer = 'modules', kyma_config = '{}',
      labels = ${JSON.stringify(labels)}::jsonb
    WHERE id = ${id}`.execute(database.kysely);
  const { kubernetes_version, kyma_version, ...rest } = (await listed(database, id)) as Record<string, unknown>;
  assert.deepEqual([kubernetes_version, kyma_version, rest.labels], ['1.35.0', 'fast', labels]);
});

test('a Runtime whose rows are removed is listed no more', async () => {
  const { database } = await migratedDatabase();
  const id = await insertRuntime(database, 'gone');
  await sql`DELETE FROM runtime WHERE id = ${id}`.execute(database.kysely);
  assert.equal(await listed(database, id), undefined);
});
