import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiUnderTest, provisionMutation } from './api-under-test.ts';

/** Every field and mutation that takes an id, with an answer that must not depend on whether the id exists. */
const doors: { name: string; of: 'runtime' | 'operation'; ask: (id: string) => string }[] = [
  {
    name: 'runtimeStatus',
    of: 'runtime',
    ask: (id) => `{ runtimeStatus(id: "${id}") { lastOperationStatus { id } } }`,
  },
  {
    name: 'runtimeStatus with a kubeconfig',
    of: 'runtime',
    ask: (id) =>
      `{ runtimeStatus(id: "${id}") { runtimeConfiguration { kubeconfig } runtimeConnectionConfig { kubeconfig } } }`,
  },
  {
    name: 'runtimeOperationStatus',
    of: 'operation',
    ask: (id) => `{ runtimeOperationStatus(id: "${id}") { id state } }`,
  },
  {
    name: 'operationEvents',
    of: 'operation',
    ask: (id) => `{ operationEvents(operationID: "${id}") { nodes { sequence } } }`,
  },
  { name: 'cancelOperation', of: 'operation', ask: (id) => `mutation { cancelOperation(id: "${id}") { id } }` },
  {
    name: 'planDeprovision',
    of: 'runtime',
    ask: (id) => `{ planDeprovision(id: "${id}") { changes { subject } } }`,
  },
  {
    name: 'deprovisionRuntime as a dry run',
    of: 'runtime',
    ask: (id) => `mutation { deprovisionRuntime(id: "${id}", dryRun: true) }`,
  },
  { name: 'deprovisionRuntime', of: 'runtime', ask: (id) => `mutation { deprovisionRuntime(id: "${id}") }` },
];

test('what belongs to another tenant is answered as if it did not exist', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const mine = (await call(provisionMutation())).data.provisionRuntime;
  await database.kysely.updateTable('operation').set({ state: 'Succeeded', ended_at: new Date() }).execute();
  const ids = { runtime: mine.runtimeID, operation: mine.id };
  for (const { name, of, ask } of doors) {
    const foreign = await call(ask(ids[of]), { tenant: 'tenant-b' });
    const nobodys = crypto.randomUUID();
    const unknown = await call(ask(nobodys), { tenant: 'tenant-b' });
    const generalised = JSON.stringify(unknown.errors).replaceAll(nobodys, ids[of]);
    assert.equal(JSON.stringify(foreign.errors), generalised, name);
    assert.equal(foreign.errors?.length, 1, name);
    const { error_code, error_reason, code } = foreign.errors?.[0].extensions ?? {};
    assert.deepEqual([error_code, error_reason, code], [2, 'err_db_not_found', 'NOT_FOUND'], name);
    assert.deepEqual(foreign.data, unknown.data, name);
  }
  const operations = await database.kysely.selectFrom('operation').select('id').execute();
  assert.deepEqual(operations, [{ id: mine.id }], 'no operation was started by the other tenant');

  for (const { name, of, ask } of doors) {
    assert.equal((await call(ask(ids[of]))).errors, undefined, `${name} for the owner`);
  }
});

test('an unknown operation is told in the words of the original', async (t) => {
  const { call } = await apiUnderTest(t);
  const id = crypto.randomUUID();
  const { errors } = await call(`{ runtimeOperationStatus(id: "${id}") { id } }`);
  assert.equal(errors?.[0].message, `failed to get Runtime Operation Status, Operation not found for id: ${id}`);
});

test('without a tenant nothing is answered, and nothing is stored', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const asked = [...doors.map(({ ask }) => ask(crypto.randomUUID())), provisionMutation()];
  for (const query of asked) {
    for (const tenant of ['', '   ']) {
      const { errors, status } = await call(query, { tenant });
      assert.equal(status, 200);
      assert.equal(errors?.[0].message, 'tenant header is empty', query);
      assert.equal(errors?.[0].extensions.error_code, 400);
    }
  }
  assert.deepEqual(await database.kysely.selectFrom('runtime').select('id').execute(), []);
});

test('a malformed id is refused before the database is asked', async (t) => {
  const { call } = await apiUnderTest(t);
  for (const { name, ask } of doors) {
    const { errors } = await call(ask("1' OR '1'='1"));
    assert.equal(errors?.[0].extensions.code, 'INVALID_INPUT', name);
    assert.match(errors?.[0].message, /is not a UUID/, name);
  }
});

test('a second operation is refused while one is in progress, naming it', async (t) => {
  const { call } = await apiUnderTest(t);
  const { id, runtimeID } = (await call(provisionMutation())).data.provisionRuntime;
  const { data, errors } = await call(`mutation { deprovisionRuntime(id: "${runtimeID}") }`);
  assert.equal(data, null);
  assert.equal(errors?.[0].extensions.code, 'OPERATION_IN_PROGRESS');
  assert.match(
    errors?.[0].message,
    new RegExp(`cannot start new operation for ${runtimeID} Runtime .*Provision ${id}`),
  );
});
