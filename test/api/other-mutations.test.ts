import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiUnderTest, provisionMutation } from './api-under-test.ts';

const id = '309051b6-0bac-44c8-8bae-3fc59c12bb5c';

/** The call of each mutation that begins something on a Runtime that is there, and how it is refused while another runs. */
const onRuntimes = [
  ['upgradeRuntime(id: $id, config: { kymaConfig: { version: "1.1.0" } }) { id }', 'OPERATION_IN_PROGRESS'],
  ['upgradeRuntime(id: $id, config: { clusterConfig: { version: "1.35.1" } })', 'OPERATION_IN_PROGRESS'],
  [
    'upgradeShoot(id: $id, config: { gardenerConfig: { machineType: "n2-standard-8" } }) { id }',
    'OPERATION_IN_PROGRESS',
  ],
  ['rollBackUpgradeOperation(id: $id) { lastOperationStatus { id } }', 'ROLLBACK_REFUSED'],
] as const;

test('what begins something on a Runtime is refused while another operation runs, and told to its own tenant only', async (t) => {
  const { call } = await apiUnderTest(t);
  const { runtimeID } = (await call(provisionMutation())).data.provisionRuntime;
  for (const [mutation, refusal] of onRuntimes) {
    const document = `mutation ($id: String!) { ${mutation} }`;
    const code = async (variables: object, tenant?: string) => {
      const { errors } = await call(document, { variables, ...(tenant !== undefined && { tenant }) });
      return errors?.[0].extensions.code;
    };
    assert.equal(await code({ id: runtimeID }), refusal, mutation);
    assert.equal(await code({ id: runtimeID }, 'tenant-b'), 'NOT_FOUND', mutation);
    assert.equal(await code({ id: runtimeID }, ''), 'TENANT_MISSING', mutation);
    assert.equal(await code({ id: 'demo' }), 'INVALID_INPUT', mutation);
  }
});

const cleanup = 'mutation ($id: String!) { cleanupRuntimeData(id: $id) { id message } }';

test('a Runtime that was deprovisioned is forgotten with its history', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const variables = { id };
  const kept = (await call(provisionMutation())).data.provisionRuntime.runtimeID;
  await call(provisionMutation({ id }));

  const running = await call(cleanup, { variables });
  assert.equal(running.errors?.[0].extensions.code, 'OPERATION_IN_PROGRESS');
  await database.kysely
    .updateTable('operation')
    .set({ state: 'Failed', stage: 'Finished', ended_at: new Date() })
    .where('runtime_id', '=', id)
    .execute();
  const existing = await call(cleanup, { variables });
  assert.equal(existing.errors?.[0].extensions.code, 'CLUSTER_EXISTS');
  assert.match(existing.errors?.[0].message, /deprovision the Runtime first/);
  await database.kysely.updateTable('runtime').set({ deleted_at: new Date() }).where('id', '=', id).execute();

  const foreign = await call(cleanup, { variables, tenant: 'tenant-b' });
  assert.equal(foreign.errors?.[0].message, `Runtime with ID ${id} not found in the database`);
  const { data, errors } = await call(cleanup, { variables });
  assert.equal(errors, undefined);
  const message = `Successfully cleaned up data for Runtime with ID ${id}`;
  assert.deepEqual(data.cleanupRuntimeData, { id, message });

  const again = await call(cleanup, { variables });
  assert.equal(again.errors?.[0].extensions.error_reason, 'err_db_not_found');
  const rows = await database.kysely.selectFrom('runtime').select('id').execute();
  assert.deepEqual(rows, [{ id: kept }]);
  const operations = await database.kysely.selectFrom('operation').select('runtime_id').execute();
  assert.deepEqual(operations, [{ runtime_id: kept }]);
  const events = await database.kysely.selectFrom('operation_event').select('type').execute();
  assert.deepEqual(events, [{ type: 'Accepted' }]);
});
