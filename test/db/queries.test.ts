import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { ColumnCipher, EncryptionError } from '../../src/db/encryption.ts';
import { acceptProvision } from '../../src/db/queries/accept-provision.ts';
import { findOperation } from '../../src/db/queries/find-operation.ts';
import { findRuntime } from '../../src/db/queries/find-runtime.ts';
import { operationEvents } from '../../src/db/queries/operation-events.ts';
import {
  abandonedRegistrationIntents,
  recordRegistrationIntent,
  settleRegistrationIntent,
} from '../../src/db/queries/registration-intents.ts';
import { newOperationId, type Tenant } from '../../src/domain/ids.ts';
import type { KymaInstallation } from '../../src/domain/kyma-config.ts';
import { done } from '../../src/domain/outcome.ts';
import { Secret } from '../../src/domain/secret.ts';
import {
  deprovision,
  ended,
  migratedDatabase,
  newRuntime,
  provision,
  startEngine,
  tenant,
} from '../engine/support/engine-fixture.ts';
import { provisionFlow } from '../engine/support/flows.ts';
import { eventually } from '../harness/eventually.ts';

const cipher = new ColumnCipher({ keys: [new Secret(Buffer.alloc(32, 7))] });
const flow = provisionFlow([{ stage: 'One', run: async () => done() }]);
const foreign = 'tenant-b' as Tenant;

const kyma: KymaInstallation = {
  installer: 'modules',
  plan: { release: '1.2.3', modules: [{ name: 'istio' }] },
  config: {
    version: 'fast',
    configuration: [
      { key: 'global.password', value: 'hunter2', secret: true },
      { key: 'global.password', value: 'hunter3', secret: true },
      { key: 'global.domain', value: 'example.com' },
    ],
    components: [
      { component: 'istio', namespace: 'kyma-system' },
      {
        component: 'application-connector',
        namespace: 'kyma-system',
        configuration: [{ key: 'token', value: 'hunter4', secret: true }],
      },
    ],
  },
};

test('a Runtime is read as it was stored', async () => {
  const { database } = await migratedDatabase({ cipher });
  const runtime = newRuntime({
    ...{ subAccount: 'sub', description: 'first "runtime"', labels: { team: 'a', nested: { list: [1, null] } } },
    ...{ registration: 'ours', administrators: ['a@example.com', 'b, "c" {d}'], kyma },
  });
  const operation = await provision(database, flow, runtime);
  const found = await findRuntime({ database, tenant, runtimeId: runtime.id });
  assert.ok(found);
  const { createdAt, deletedAt, configurationRevision, ...stored } = found.runtime;
  assert.deepEqual(stored, runtime);
  assert.ok(createdAt instanceof Date);
  assert.deepEqual([deletedAt, configurationRevision], [undefined, 0]);
  assert.deepEqual(found.lastOperation, operation);
});

test('confidential entries are nowhere in clear, and everything else is', async () => {
  const { database } = await migratedDatabase({ cipher });
  await provision(database, flow, newRuntime({ kyma }));
  const { rows } = await sql<{ dump: string }>`
    SELECT (SELECT json_agg(runtime) FROM runtime)::text || (SELECT json_agg(operation) FROM operation)::text
      || (SELECT json_agg(operation_event) FROM operation_event)::text AS dump`.execute(database.kysely);
  assert.doesNotMatch(rows[0]?.dump ?? '', /hunter/);
  assert.match(rows[0]?.dump ?? '', /example\.com/);
});

test('a confidential entry that was moved, within its Runtime or to another, is not read', async () => {
  const { database } = await migratedDatabase({ cipher });
  const [one, two] = [newRuntime({ kyma }), newRuntime({ kyma })];
  await provision(database, flow, one);
  await provision(database, flow, two);
  const swap = sql`UPDATE runtime SET kyma_config = jsonb_set(jsonb_set(kyma_config,
      '{configuration,0}', kyma_config #> '{configuration,1}'), '{configuration,1}', kyma_config #> '{configuration,0}')
    WHERE id = ${one.id}`;
  await swap.execute(database.kysely);
  await assert.rejects(findRuntime({ database, tenant, runtimeId: one.id }), EncryptionError);
  await swap.execute(database.kysely);
  assert.ok(await findRuntime({ database, tenant, runtimeId: one.id }));
  await sql`UPDATE runtime SET kyma_config = (SELECT kyma_config FROM runtime WHERE id = ${two.id}) WHERE id = ${one.id}`.execute(
    database.kysely,
  );
  await assert.rejects(findRuntime({ database, tenant, runtimeId: one.id }), EncryptionError);
});

test('an operation whose Runtime cannot be read waits, says why, and goes on once it can', async () => {
  const { database } = await migratedDatabase({ cipher });
  const runtime = newRuntime({ kyma });
  const accepted = await provision(database, flow, runtime);
  const { kyma_config: intact } = await database.kysely
    .selectFrom('runtime')
    .select('kyma_config')
    .executeTakeFirstOrThrow();
  await sql`UPDATE runtime SET kyma_config = jsonb_set(kyma_config, '{configuration,0,encrypted}', '"v1.x.y"')`.execute(
    database.kysely,
  );
  await startEngine({ database, flows: [flow] });
  await eventually('the error to be told', async () => {
    const operation = await findOperation({ database, tenant, operationId: accepted.id });
    return operation?.lastError !== undefined;
  });
  await database.kysely
    .updateTable('runtime')
    .set({ kyma_config: JSON.stringify(intact) })
    .execute();
  assert.equal((await ended(database, accepted)).state, 'Succeeded');
});

test('without a key, a confidential entry is refused rather than stored', async () => {
  const { database } = await migratedDatabase();
  await assert.rejects(provision(database, flow, newRuntime({ kyma })), /APP_DATABASE_SECRET_KEY/);
  assert.deepEqual(await database.kysely.selectFrom('runtime').select('id').execute(), []);
});

test('a tenant finds nothing of another', async () => {
  const { database } = await migratedDatabase();
  const operation = await provision(database, flow);
  const { id: operationId, runtimeId } = operation;
  assert.equal(await findRuntime({ database, tenant: foreign, runtimeId }), undefined);
  assert.equal(await findOperation({ database, tenant: foreign, operationId }), undefined);
  assert.deepEqual(await operationEvents({ database, tenant: foreign, operationId }), []);
  assert.equal((await operationEvents({ database, tenant, operationId })).length, 1);
  const deletion = { ...flow, kind: 'Deprovision' as const };
  const refused = await deprovision(database, operation, deletion, foreign).catch((error: Error) => error);
  const missing = { ...operation, runtimeId: newRuntime().id };
  const unknown = await deprovision(database, missing, deletion).catch((error: Error) => error);
  assert.ok(refused instanceof Error && unknown instanceof Error);
  assert.equal(refused.message.replace(runtimeId, ''), unknown.message.replace(missing.runtimeId, ''));
});

test('an id and a cluster name are given once; a name is free again after its cluster is gone', async () => {
  const { database } = await migratedDatabase();
  const runtime = newRuntime();
  await provision(database, flow, runtime);
  await assert.rejects(provision(database, flow, { ...newRuntime(), id: runtime.id }), {
    ...{ code: 'ALREADY_EXISTS', message: new RegExp(`Runtime ${runtime.id} already provisioned`) },
  });
  const namesake = { ...newRuntime(), cluster: runtime.cluster };
  await assert.rejects(provision(database, flow, namesake), { code: 'CLUSTER_NAME_TAKEN' });
  await database.kysely.updateTable('runtime').set({ deleted_at: new Date() }).where('id', '=', runtime.id).execute();
  await provision(database, flow, namesake);
});

test('the newest operation is the one accepted last, whatever the clock said', async () => {
  const { database } = await migratedDatabase();
  const first = await provision(database, flow);
  await sql`UPDATE operation SET state = 'Succeeded', ended_at = now(), started_at = now() + interval '1 day'`.execute(
    database.kysely,
  );
  const second = await deprovision(database, first, { ...flow, kind: 'Deprovision' });
  const found = await findRuntime({ database, tenant, runtimeId: first.runtimeId });
  assert.equal(found?.lastOperation.id, second.id);
});

test('of operations accepted at the same moment, one is', async () => {
  const { database } = await migratedDatabase();
  const first = await provision(database, flow);
  await sql`UPDATE operation SET state = 'Succeeded', ended_at = now()`.execute(database.kysely);
  const deletion = { ...flow, kind: 'Deprovision' as const };
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => deprovision(database, first, deletion)));
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const result of results) {
    if (result.status === 'rejected') assert.equal(result.reason.code, 'OPERATION_IN_PROGRESS');
  }
});

test('an intent ends with the storing of its Runtime, and a claimed one stores nothing', async () => {
  const { database } = await migratedDatabase();
  const [kept, abandoned] = [crypto.randomUUID(), crypto.randomUUID()];
  const accept = (registrationIntent: string) =>
    acceptProvision({
      ...{ database, runtime: newRuntime(), operationId: newOperationId(), registrationIntent },
      ...{ startMessage: 'Provisioning started', firstStage: 'One' },
    });
  await recordRegistrationIntent({ database, intent: { id: kept, tenant } });
  await recordRegistrationIntent({ database, intent: { id: kept, tenant } });
  await accept(kept);
  await recordRegistrationIntent({ database, intent: { id: abandoned, tenant } });
  assert.deepEqual(await abandonedRegistrationIntents({ database, olderThanMillis: 60_000 }), []);
  const sweeps = await Promise.all(
    Array.from({ length: 5 }, () => abandonedRegistrationIntents({ database, olderThanMillis: 0 })),
  );
  assert.deepEqual(
    sweeps.flat().map(({ id }) => id),
    [abandoned],
  );
  await assert.rejects(accept(abandoned), { code: 'DIRECTOR_UNAVAILABLE' });
  await settleRegistrationIntent({ database, intentId: abandoned });
  await settleRegistrationIntent({ database, intentId: abandoned });
  await assert.rejects(accept(abandoned), { code: 'DIRECTOR_UNAVAILABLE' });
  const runtimes = await database.kysely.selectFrom('runtime').select('id').execute();
  assert.equal(runtimes.length, 1);
});

test('the database itself refuses what must not be', async () => {
  const { database } = await migratedDatabase();
  const { id } = await provision(database, flow);
  const refused = {
    'a state that does not exist': sql`UPDATE operation SET state = 'Paused'`,
    'an end without an ending': sql`UPDATE operation SET ended_at = now()`,
    'an owner of what has ended': sql`UPDATE operation SET state = 'Failed', ended_at = now(), owner = gen_random_uuid()`,
    'a progress of 101': sql`UPDATE operation SET progress = 101`,
    'a second event of the same sequence': sql`INSERT INTO operation_event (operation_id, sequence, type, stage, message)
      VALUES (${id}, 1, 'Failed', 'One', '')`,
    'an operation of no Runtime': sql`UPDATE operation SET runtime_id = gen_random_uuid()`,
    'half a Kyma': sql`UPDATE runtime SET kyma_version = 'fast'`,
    'a Runtime of nobody': sql`UPDATE runtime SET tenant = ''`,
  };
  for (const [name, query] of Object.entries(refused)) {
    await assert.rejects(query.execute(database.kysely), { code: /^23/ }, name);
  }
});
