import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { operationEventTypes } from '../../src/domain/operation-event.ts';
import { done, wait } from '../../src/domain/outcome.ts';
import { startEngine } from '../engine/support/engine-fixture.ts';
import { provisionFlow } from '../engine/support/flows.ts';
import { eventually } from '../harness/eventually.ts';
import { apiUnderTest, provisionMutation } from './api-under-test.ts';
import { storeOperation, storeRuntime } from './stored-runtimes.ts';

const query = `query ($id: String!, $first: Int = 100, $after: Int = 0) {
  operationEvents(operationID: $id, first: $first, after: $after) {
    nodes { sequence at type stage message progress error { code errMessage } }
    pageInfo { endCursor hasNextPage } } }`;

/** One event of every type and then some, as the engine appends them. */
async function storeEvents(database: Database, operationId: string, count: number): Promise<void> {
  await sql`
    INSERT INTO operation_event (operation_id, sequence, type, stage, message)
    SELECT ${operationId}, n, types[1 + (n - 1) % cardinality(types)], 'One', 'event ' || n
    FROM (SELECT ${sql.val([...operationEventTypes])}::text[] AS types) known, generate_series(1, ${count}::int) n`.execute(
    database.kysely,
  );
}

test('a history is read in pages, in order and without a gap', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const id = await storeOperation(database, await storeRuntime(database), { kind: 'Upgrade' });
  await storeEvents(database, id, 25);
  for (const first of [1, 7, 24, 25, 26]) {
    const seen: { sequence: number; type: string }[] = [];
    for (let after = 0; ; ) {
      const { data, errors } = await call(query, { variables: { id, first, after } });
      assert.equal(errors, undefined);
      const { nodes, pageInfo } = data.operationEvents;
      assert.equal(pageInfo.endCursor, nodes.at(-1).sequence);
      seen.push(...nodes);
      if (!pageInfo.hasNextPage) break;
      assert.equal(nodes.length, first);
      after = pageInfo.endCursor;
    }
    assert.deepEqual(
      seen.map(({ sequence }) => sequence),
      Array.from({ length: 25 }, (_, index) => index + 1),
      `pages of ${first}`,
    );
    assert.deepEqual(new Set(seen.map(({ type }) => type)), new Set(operationEventTypes));
  }
});

test('a history that is read as it is written has every event once', async (t) => {
  const { call, database } = await apiUnderTest(t);
  let looks = 0;
  const waiting = async () =>
    looks++ < 20
      ? wait({ message: `look ${looks}`, progress: looks, lookAgain: { from: 1, upTo: 2 } })
      : done({ message: 'enough' });
  const flow = provisionFlow([
    { stage: 'CreatingCluster', run: waiting },
    { stage: 'Two', run: async () => done() },
  ]);
  const { id } = (await call(provisionMutation())).data.provisionRuntime;
  const engine = await startEngine({ database, flows: [flow] });
  const seen: { sequence: number; type: string; message: string; at: string }[] = [];
  let after = 0;
  await eventually('the last event to be read', async () => {
    const { data, errors } = await call(query, { variables: { id, first: 3, after } });
    assert.equal(errors, undefined);
    seen.push(...data.operationEvents.nodes);
    after = data.operationEvents.pageInfo.endCursor;
    return seen.at(-1)?.type === 'Succeeded';
  });
  await engine.stop({ graceSeconds: 1 });
  assert.deepEqual(
    seen.map(({ sequence }) => sequence),
    seen.map((_, index) => index + 1),
  );
  assert.equal(seen[0]?.type, 'Accepted');
  assert.ok(
    seen.some(({ message }) => message === 'look 20'),
    'the last look is told',
  );
  const times = seen.map(({ at }) => at);
  assert.deepEqual(times, times.toSorted());
});

test('past its end a history is empty, and tells where to go on', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const id = await storeOperation(database, await storeRuntime(database), { kind: 'Upgrade' });
  const none = await call(query, { variables: { id } });
  assert.deepEqual(none.data.operationEvents, { nodes: [], pageInfo: { endCursor: 0, hasNextPage: false } });
  await storeEvents(database, id, 3);
  const past = await call(query, { variables: { id, after: 3 } });
  assert.deepEqual(past.data.operationEvents, { nodes: [], pageInfo: { endCursor: 3, hasNextPage: false } });
  const beyond = await call(query, { variables: { id, after: 2_147_483_647 } });
  assert.equal(beyond.data.operationEvents.pageInfo.endCursor, 2_147_483_647);
});

test('what went wrong is told as it was recorded', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const id = await storeOperation(database, await storeRuntime(database), { kind: 'Upgrade' });
  const error = {
    ...{ code: 'CLUSTER_FAILED', message: 'quota exceeded', reason: 'ERR_INFRA_QUOTA_EXCEEDED' },
    ...{ component: 'gardener', actor: 'caller', retryable: false },
  };
  await sql`
    INSERT INTO operation_event (operation_id, sequence, type, stage, message, progress, error)
    VALUES (${id}, 1, 'Failed', 'Finished', 'failed', 40, ${JSON.stringify(error)})`.execute(database.kysely);
  const { data } = await call(query, { variables: { id } });
  const [{ at, ...event }] = data.operationEvents.nodes;
  assert.deepEqual(event, {
    ...{ sequence: 1, type: 'Failed', stage: 'Finished', message: 'failed', progress: 40 },
    error: { code: 'CLUSTER_FAILED', errMessage: 'quota exceeded' },
  });
  assert.ok(!Number.isNaN(Date.parse(at)));
});

test('a request that cannot be answered is refused with the path of every mistake', async (t) => {
  const { call } = await apiUnderTest(t);
  const id = crypto.randomUUID();
  const table = [
    { variables: { id, first: 0 }, paths: ['first'] },
    { variables: { id, first: 201 }, paths: ['first'] },
    { variables: { id, after: -1 }, paths: ['after'] },
    { variables: { id, first: 0, after: -1 }, paths: ['first', 'after'] },
  ];
  for (const { variables, paths } of table) {
    const { errors } = await call(query, { variables });
    assert.equal(errors?.[0].extensions.code, 'INVALID_INPUT');
    assert.deepEqual(
      errors?.[0].extensions.problems.map(({ path }: { path: string }) => path),
      paths,
    );
  }
});
