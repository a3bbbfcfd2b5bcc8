import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { OperationId } from '../../src/domain/ids.ts';
import { done, wait } from '../../src/domain/outcome.ts';
import type { PlannedStep } from '../../src/domain/plan.ts';
import { Engine } from '../../src/engine/engine.ts';
import { deadlines } from '../engine/support/deadlines.ts';
import { provisionFlow, type TestStep } from '../engine/support/flows.ts';
import { eventually } from '../harness/eventually.ts';
import { silentLog } from '../harness/silent-log.ts';
import { apiUnderTest, clusterDriver, provisionMutation, type World } from './api-under-test.ts';

const fields = 'id state stage runtimeID retryOf lastError { code } cancellation { outcome residue }';
const cancel = (id: string) => `mutation { cancelOperation(id: "${id}") { ${fields} } }`;
const retry = (id: string) => `mutation { retryOperation(id: "${id}") { ${fields} } }`;

/** The API with an engine whose Provision does what it is told, and whose Deprovision ends at once. */
async function controlled(t: TestContext, world: World & { readonly step?: TestStep['run'] } = {}) {
  const api = await apiUnderTest(t, world);
  const waiting: TestStep['run'] = async () => wait({ message: 'waiting', lookAgain: { from: 60_000, upTo: 60_000 } });
  const flow = provisionFlow([{ stage: 'CreatingCluster', run: world.step ?? waiting }], {
    onCancelled: async () => ({ residue: ['cluster a (gardener): Shoot is ready'] }),
  });
  const gone = provisionFlow([{ stage: 'TriggerKymaUninstall', run: async () => done() }]);
  const flows = [flow, { ...gone, kind: 'Deprovision' as const }];
  const engine = new Engine({ database: api.database, flows, tools: {}, deadlines: deadlines(), log: silentLog });
  await engine.start();
  t.after(() => engine.stop({ graceSeconds: 0 }));
  return api;
}

test('a cancelled operation is answered as it ended, and again in its status', async (t) => {
  const { call } = await controlled(t);
  const { id, runtimeID } = (await call(provisionMutation())).data.provisionRuntime;
  const { data, errors } = await call(cancel(id));
  assert.equal(errors, undefined);
  const expected = {
    ...{ id, runtimeID, state: 'Failed', stage: 'CreatingCluster', retryOf: null },
    lastError: { code: 'OPERATION_CANCELLED' },
    cancellation: { outcome: 'Residue', residue: ['cluster a (gardener): Shoot is ready'] },
  };
  assert.deepEqual(data.cancelOperation, expected);
  const asked = await call(`{ runtimeOperationStatus(id: "${id}") { ${fields} } }`);
  assert.deepEqual(asked.data.runtimeOperationStatus, expected);
  assert.deepEqual((await call(cancel(id))).data.cancelOperation, expected, 'asking again changes nothing');
  const events = await call(`{ operationEvents(operationID: "${id}") { nodes { type } } }`);
  const types: string[] = events.data.operationEvents.nodes.map(({ type }: { type: string }) => type);
  // The stage may still have said that it waits before it was stopped.
  assert.deepEqual(
    types.filter((type) => type.startsWith('Cancel')),
    ['CancelRequested', 'Cancelled'],
  );
  assert.equal(types.at(-1), 'Cancelled');
});

test('an operation that had ended is answered with TooLate, which is no error', async (t) => {
  const { call } = await controlled(t, { step: async () => done() });
  const { id } = (await call(provisionMutation())).data.provisionRuntime;
  await eventually('it ends', async () => {
    const { data } = await call(`{ runtimeOperationStatus(id: "${id}") { state } }`);
    return data.runtimeOperationStatus.state === 'Succeeded';
  });
  const { data } = await call(cancel(id));
  assert.equal(data.cancelOperation.state, 'Succeeded');
  assert.deepEqual(data.cancelOperation.cancellation, { outcome: 'TooLate', residue: [] });
  const asked = await call(`{ runtimeOperationStatus(id: "${id}") { cancellation { outcome } } }`);
  assert.equal(asked.data.runtimeOperationStatus.cancellation, null);
});

test('a retry names what it takes up; what cannot be retried is refused', async (t) => {
  const { call } = await controlled(t);
  const { id, runtimeID } = (await call(provisionMutation())).data.provisionRuntime;
  const running = await call(retry(id));
  assert.equal(running.errors?.[0].extensions.code, 'OPERATION_IN_PROGRESS');
  await call(cancel(id));
  const { data } = await call(retry(id));
  const retried = data.retryOperation;
  assert.deepEqual([retried.state, retried.retryOf, retried.runtimeID], ['InProgress', id, runtimeID]);
  assert.equal(retried.cancellation, null);
  await call(cancel(retried.id));
  const refused = await call(retry(id));
  assert.deepEqual(refused.errors?.[0].extensions.code, 'NOT_RETRYABLE');
  assert.match(
    refused.errors?.[0].message,
    new RegExp(`not the newest of its Runtime, which is Provision ${retried.id}`),
  );
});

test('the same retry sent again with its idempotency key is the same operation', async (t) => {
  const { call, origin } = await controlled(t);
  const { id } = (await call(provisionMutation())).data.provisionRuntime;
  await call(cancel(id));
  const headers = { 'content-type': 'application/json', tenant: 'tenant-a', 'idempotency-key': 'a-retry' };
  const body = JSON.stringify({ query: `mutation { retryOperation(id: "${id}") { id } }` });
  const send = async () => (await fetch(`${origin}/graphql`, { method: 'POST', headers, body })).text();
  const first = await send();
  assert.match(first, /"retryOperation":\{"id":"[0-9a-f-]{36}"\}/);
  assert.equal(await send(), first);
});

test('deprovisioning that cancels what runs begins once that has ended', async (t) => {
  const { call, database } = await controlled(t);
  const { id, runtimeID } = (await call(provisionMutation())).data.provisionRuntime;
  const { data, errors } = await call(`mutation { deprovisionRuntime(id: "${runtimeID}", cancelRunning: true) }`);
  assert.equal(errors, undefined);
  const rows = await database.kysely
    .selectFrom('operation')
    .select(['id', 'kind', 'ended_at', 'started_at'])
    .orderBy('sequence')
    .execute();
  assert.deepEqual(
    rows.map((row) => [row.id, row.kind]),
    [
      [id, 'Provision'],
      [data.deprovisionRuntime, 'Deprovision'],
    ],
  );
  assert.ok(Number(rows[0]?.ended_at) <= Number(rows[1]?.started_at));
  const next = await call(`mutation { deprovisionRuntime(id: "${runtimeID}", cancelRunning: true) }`);
  assert.equal(next.errors, undefined, 'nothing to cancel is fine');
});

test('a deprovisioning that is to cancel what does not end says so, and that it may be sent again', async (t) => {
  // No engine: nobody ends it.
  const { call, database } = await apiUnderTest(t);
  const { id, runtimeID } = (await call(provisionMutation())).data.provisionRuntime;
  const { errors } = await call(`mutation { deprovisionRuntime(id: "${runtimeID}", cancelRunning: true) }`);
  assert.deepEqual([errors?.[0].extensions.code, errors?.[0].extensions.retryable], ['OPERATION_IN_PROGRESS', true]);
  assert.match(errors?.[0].message, new RegExp(`Provision ${id} .* is being cancelled and has not ended yet`));
  const asked = await call(`{ runtimeOperationStatus(id: "${id}") { state cancellation { outcome } } }`);
  assert.deepEqual(asked.data.runtimeOperationStatus, { state: 'InProgress', cancellation: { outcome: 'Pending' } });
  const operations = await database.kysely.selectFrom('operation').select('id').execute();
  assert.deepEqual(operations, [{ id: id as OperationId }]);
});

test('a dry run has no id and no operation, also in the words of 2019', async (t) => {
  const change: PlannedStep = { stage: 'CreatingCluster', action: 'Create', to: 'gardener', subject: 'Shoot a' };
  const driver = clusterDriver();
  const { call, database } = await apiUnderTest(t, { driver, planFlow: async () => [change] });
  const dryRun = provisionMutation().replace('config: {', 'dryRun: true, config: {');
  const asked = dryRun.replace('runtimeID }', 'runtimeID plan { changes { stage action to subject manifest } } }');
  const { data, errors } = await call(asked);
  assert.equal(errors, undefined);
  const { message, plan, ...rest } = data.provisionRuntime;
  assert.deepEqual(rest, { id: '', operation: 'Provision', state: 'Pending', runtimeID: null });
  assert.match(message, /^Dry run/);
  assert.deepEqual(plan.changes, [{ ...change, manifest: null }]);
  const bare = await call(dryRun.replace(/ \{ id operation state message runtimeID \}/, ''));
  assert.deepEqual(bare.data, { provisionRuntime: '' });
  assert.deepEqual(await database.kysely.selectFrom('runtime').select('id').execute(), []);
  assert.deepEqual(await database.kysely.selectFrom('operation').select('id').execute(), []);
});
