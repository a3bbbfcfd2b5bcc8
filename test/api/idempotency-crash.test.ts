import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { removeIdempotencyKeys } from '../../src/db/queries/idempotency-keys.ts';
import { startLossyProxy } from '../db/support/lossy-proxy.ts';
import { eventually } from '../harness/eventually.ts';
import { apiUnderTest, provisionMutation } from './api-under-test.ts';
import type { DyingApiOrders } from './support/dying-api-process.ts';

type Api = Awaited<ReturnType<typeof apiUnderTest>>;

async function send(origin: string, query: string, key: string) {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, tenant: 'tenant-a' },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  return { text, ...JSON.parse(text) };
}

async function startDyingApi({ testing }: Api) {
  const { password, ...settings } = testing.settings;
  const orders: DyingApiOrders = { ...settings, password: password.reveal() };
  const child = fork(fileURLToPath(new URL('./support/dying-api-process.ts', import.meta.url)), {
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, TEST_DYING_API_ORDERS: JSON.stringify(orders) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ origin }] = (await once(child, 'message')) as [{ origin: string }];
  const died = once(child, 'exit').then(([, signal]) => signal as string);
  return { origin, died };
}

/** As if the time of the claim that the dead process held had passed. */
async function expireClaims({ database }: Api): Promise<void> {
  await database.kysely
    .updateTable('idempotency_key')
    .set({ claimed_until: new Date(0) })
    .execute();
}

const forms = [
  ['provisionRuntime, which answers an OperationStatus', () => provisionMutation()],
  [
    'deprovisionRuntime, which answers an id',
    (runtimeId: string) => `mutation { deprovisionRuntime(id: "${runtimeId}") }`,
  ],
] as const;

for (const [what, mutation] of forms) {
  test(`a process that is killed between acceptance and answer: the retry answers what was accepted (${what})`, async (t) => {
    const api = await apiUnderTest(t);
    const { runtimeID } = (await api.call(provisionMutation())).data.provisionRuntime;
    await api.database.kysely.updateTable('operation').set({ state: 'Failed', ended_at: new Date() }).execute();
    const before = await api.database.kysely.selectFrom('operation').select('id').execute();
    const dying = await startDyingApi(api);
    await assert.rejects(send(dying.origin, mutation(runtimeID), 'k-1'));
    assert.equal(await dying.died, 'SIGKILL');
    const after = await api.database.kysely.selectFrom('operation').select('id').execute();
    const [accepted, ...more] = after.filter(({ id }) => before.every((other) => other.id !== id));
    assert.ok(accepted !== undefined && more.length === 0, 'the operation was accepted');

    const retry = send(api.origin, mutation(runtimeID), 'k-1');
    await eventually('the retry to wait or to end', async () => {
      const claims = await api.database.kysely.selectFrom('idempotency_key').select('claim').execute();
      return claims.length === 1;
    });
    await expireClaims(api);
    const { data, errors } = await retry;
    assert.equal(errors, undefined);
    assert.equal(JSON.stringify(data).includes(accepted.id), true, JSON.stringify(data));
    assert.equal((await api.database.kysely.selectFrom('operation').select('id').execute()).length, after.length);
    const again = await send(api.origin, mutation(runtimeID), 'k-1');
    assert.deepEqual(again.data, data);
    const reused = await send(api.origin, `${mutation(runtimeID)} # other`, 'k-1');
    assert.equal(reused.errors[0].extensions.code, 'IDEMPOTENCY_KEY_REUSED');
  });
}

for (const statement of [
  'claim-idempotency-key',
  'accept-provision',
  'answer-idempotency-key',
  'idempotent-acceptance',
]) {
  test(`a request whose ${statement} is carried out without a reply is accepted once, however often it is sent`, async (t) => {
    const api = await apiUnderTest(t);
    const proxy = await startLossyProxy({ target: api.testing.settings, losesReplyTo: [statement], times: 1 });
    const { host, port } = proxy;
    const lossy = await apiUnderTest(t, {
      testing: { ...api.testing, settings: { ...api.testing.settings, host, port } },
    });
    const ids = new Set<string>();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { data, errors } = await send(lossy.origin, provisionMutation(), 'k-1');
      if (errors) {
        assert.deepEqual([errors[0].extensions.code, errors[0].extensions.retryable], ['DATABASE_UNAVAILABLE', true]);
        await expireClaims(api);
      } else {
        ids.add(data.provisionRuntime.id);
      }
    }
    assert.equal(ids.size, 1);
    assert.equal(proxy.lost(), 1, 'no reply was lost');
    assert.equal((await api.database.kysely.selectFrom('operation').select('id').execute()).length, 1);
  });
}

test('keys are forgotten after their time, and then answer a new request', async (t) => {
  const api = await apiUnderTest(t);
  const first = await send(api.origin, provisionMutation(), 'old');
  await api.database.kysely
    .updateTable('idempotency_key')
    .set({ created_at: new Date(Date.now() - 3_600_000) })
    .execute();
  await api.database.kysely
    .updateTable('idempotent_acceptance')
    .set({ accepted_at: new Date(Date.now() - 3_600_000) })
    .execute();
  const kept = await send(api.origin, provisionMutation(), 'new');
  assert.equal(await removeIdempotencyKeys({ database: api.database, olderThanMillis: 7_200_000 }), 0);
  assert.equal((await send(api.origin, provisionMutation(), 'old')).text, first.text);
  assert.equal(await removeIdempotencyKeys({ database: api.database, olderThanMillis: 1_800_000 }), 1);
  const again = await send(api.origin, provisionMutation(), 'old');
  assert.notEqual(again.data.provisionRuntime.id, first.data.provisionRuntime.id);
  assert.equal((await send(api.origin, provisionMutation(), 'new')).text, kept.text);
});

test('what a cleaned up Runtime leaves of its keys is nothing that stands in the way', async (t) => {
  const api = await apiUnderTest(t);
  const { data, text } = await send(api.origin, provisionMutation(), 'k-1');
  const { runtimeID } = data.provisionRuntime;
  await api.database.kysely.updateTable('operation').set({ state: 'Succeeded', ended_at: new Date() }).execute();
  await api.database.kysely.updateTable('runtime').set({ deleted_at: new Date() }).execute();
  const { errors } = await api.call(`mutation { cleanupRuntimeData(id: "${runtimeID}") { id } }`);
  assert.equal(errors, undefined);
  assert.equal((await api.database.kysely.selectFrom('idempotent_acceptance').selectAll().execute()).length, 0);
  assert.equal((await send(api.origin, provisionMutation(), 'k-1')).text, text);
});
