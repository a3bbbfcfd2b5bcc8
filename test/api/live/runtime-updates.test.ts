import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { writeCursor } from '../../../src/api/live/cursor.ts';
import { parseSnapshot } from '../../../src/db/snapshot.ts';
import type { Operation } from '../../../src/domain/operation.ts';
import { done } from '../../../src/domain/outcome.ts';
import { newRuntime, provision } from '../../engine/support/engine-fixture.ts';
import { provisionFlow } from '../../engine/support/flows.ts';
import { apiUnderTest } from '../api-under-test.ts';
import { appendEvent, appendEvents, openTransaction } from './support/append-event.ts';
import {
  operationUpdatesDocument,
  runtimeUpdatesDocument,
  type SeenUpdate,
  subscribe,
  type Transport,
  transports,
} from './support/live-client.ts';

interface Data {
  readonly runtimeUpdates: { readonly cursor: string; readonly update: SeenUpdate | null };
}

interface Whose {
  readonly after?: string | undefined;
  readonly runtimeID?: string;
  readonly tenant?: string | undefined;
  readonly transport?: Transport;
}

const flow = provisionFlow([{ stage: 'One', run: async () => done() }]);

function follow({ origin }: { origin: string }, { transport = 'graphql-ws', tenant, ...variables }: Whose = {}) {
  const who = tenant === undefined ? {} : { tenant };
  return subscribe<Data>({
    ...{ transport, endpoint: `${origin}/graphql`, query: runtimeUpdatesDocument, variables, ...who },
  });
}

function messages(data: readonly Data[]): (string | undefined)[] {
  return data.map(({ runtimeUpdates: { update } }) => update?.message);
}

function cursorOf(data: readonly Data[], index: number): string {
  return data.at(index)?.runtimeUpdates.cursor ?? assert.fail();
}

for (const transport of transports) {
  test(`${transport}: the first update is only a cursor; what happens from then on arrives once, and goes on from every cursor`, async (t) => {
    const api = await apiUnderTest(t);
    const other = await apiUnderTest(t, { testing: api.testing });
    const operations = await Promise.all([provision(api.database, flow), provision(api.database, flow)]);
    const subscribed = follow(api, { transport });
    await subscribed.has(1);
    assert.deepEqual(messages(subscribed.data), [undefined]);
    const expected: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (const [index, operation] of operations.entries()) {
        const message = `${round} of ${index}`;
        expected.push(message);
        await appendEvent(index === 0 ? api.database : other.database, operation, message);
      }
    }
    const seen = [...(await subscribed.has(1 + expected.length))];
    assert.deepEqual(messages(seen), [undefined, ...expected]);
    for (let index = 0; index < seen.length; index += 1) {
      const resumed = follow(other, { transport, after: cursorOf(seen, index) });
      await appendEvent(api.database, operations[0], `after ${index}`);
      expected.push(`after ${index}`);
      const rest = expected.slice(index);
      assert.deepEqual(messages(await resumed.has(rest.length)), rest, `after update ${index}`);
      resumed.leave();
    }
    assert.equal(subscribed.end, undefined, 'it never ends by itself');
  });
}

test('whoever commits late is delivered late, and holds nobody up', async (t) => {
  const api = await apiUnderTest(t);
  const [slow, quick] = await Promise.all([provision(api.database, flow), provision(api.database, flow)]);
  const live = follow(api);
  await live.has(1);
  const late = await openTransaction(api.database);
  await late.append(slow, 'written first, committed last');
  await appendEvent(api.database, quick, 'one');
  await appendEvent(api.database, quick, 'two');
  assert.deepEqual(messages(await live.has(3)), [undefined, 'one', 'two']);
  const cursors = [0, 1, 2].map((index) => cursorOf(live.data, index));
  await late.commit();
  assert.deepEqual(messages(await live.has(4)), [undefined, 'one', 'two', 'written first, committed last']);
  cursors.push(cursorOf(live.data, 3));
  const expected = ['written first, committed last', 'one', 'two'];
  const rests = [new Set(expected), new Set([expected[0], 'two']), new Set([expected[0]]), new Set()];
  for (const [index, after] of cursors.entries()) {
    const resumed = follow(api, { after });
    await appendEvent(api.database, quick, `mark ${index}`);
    const marks = Array.from({ length: index + 1 }, (_, mark) => `mark ${mark}`);
    const wanted = new Set([...(rests[index] ?? []), ...marks]);
    const seen = messages(await resumed.has(wanted.size));
    assert.deepEqual([seen.length, new Set(seen)], [wanted.size, wanted], `after update ${index}`);
    resumed.leave();
  }
});

test('a transaction that never ends holds up nothing but itself', async (t) => {
  const api = await apiUnderTest(t);
  const operation = await provision(api.database, flow);
  const endless = await openTransaction(api.database);
  const live = follow(api);
  await live.has(1);
  for (let number = 1; number <= 20; number += 1) await appendEvent(api.database, operation, String(number));
  await live.has(21);
  const resumed = follow(api, { after: cursorOf(live.data, 10) });
  assert.deepEqual(
    messages(await resumed.has(10)),
    Array.from({ length: 10 }, (_, index) => String(11 + index)),
  );
  await endless.commit();
});

test('an operation never runs backwards, also when the later event has the older transaction', async (t) => {
  const api = await apiUnderTest(t);
  const operation = await provision(api.database, flow);
  const live = follow(api);
  await live.has(1);
  const older = await openTransaction(api.database);
  await appendEvent(api.database, operation, 'two');
  await older.append(operation, 'three');
  await older.commit();
  await appendEvent(api.database, operation, 'four');
  assert.deepEqual(messages(await live.has(4)), [undefined, 'two', 'three', 'four']);
  for (const [index, rest] of [['two', 'three', 'four'], ['three', 'four'], ['four']].entries()) {
    const resumed = follow(api, { after: cursorOf(live.data, index) });
    assert.deepEqual(messages(await resumed.has(rest.length)), rest);
    resumed.leave();
  }
});

test('a backlog of many pages arrives whole and in order, and goes on live', async (t) => {
  const api = await apiUnderTest(t);
  const operation = await provision(api.database, flow);
  const start = follow(api);
  await start.has(1);
  await appendEvents(api.database, operation, { count: 1_234, message: 'backlog' });
  const resumed = follow(api, { after: cursorOf(start.data, 0) });
  await resumed.has(700);
  await appendEvent(api.database, operation, 'live');
  await resumed.has(1_235);
  await start.has(1_236);
  for (const data of [resumed.data, start.data.slice(1)]) {
    const sequences = data.map(({ runtimeUpdates: { update } }) => update?.sequence);
    assert.deepEqual(
      sequences,
      Array.from({ length: 1_235 }, (_, index) => index + 2),
    );
  }
  const middle = follow(api, { after: cursorOf(resumed.data, 555) });
  const [first] = await middle.has(1_235 - 556);
  assert.equal(first?.runtimeUpdates.update?.sequence, 556 + 2);
});

test('with runtimeID only that Runtime is told of', async (t) => {
  const api = await apiUnderTest(t);
  const [one, two] = await Promise.all([provision(api.database, flow), provision(api.database, flow)]);
  const subscribed = follow(api, { runtimeID: one.runtimeId });
  await subscribed.has(1);
  await appendEvent(api.database, two, 'of two');
  await appendEvent(api.database, one, 'of one');
  await appendEvent(api.database, two, 'of two again');
  await appendEvent(api.database, one, 'of one again');
  assert.deepEqual(messages(await subscribed.has(3)), [undefined, 'of one', 'of one again']);
  const resumed = follow(api, { runtimeID: one.runtimeId, after: cursorOf(subscribed.data, 1) });
  assert.deepEqual(messages(await resumed.has(1)), ['of one again']);
});

test('a tenant is told of its own Runtimes only, live and from a cursor', async (t) => {
  const api = await apiUnderTest(t);
  const ours = await provision(api.database, flow);
  const theirs = await provision(api.database, flow, newRuntime({ tenant: 'tenant-b' as never }));
  const [asOurs, asTheirs] = [follow(api), follow(api, { tenant: 'tenant-b' })];
  await Promise.all([asOurs.has(1), asTheirs.has(1)]);
  for (const operation of [theirs, ours, theirs]) await appendEvent(api.database, operation, operation.runtimeId);
  assert.deepEqual(messages(await asOurs.has(2)), [undefined, ours.runtimeId]);
  assert.deepEqual(messages(await asTheirs.has(3)), [undefined, theirs.runtimeId, theirs.runtimeId]);
  const withTheirCursor = follow(api, { after: cursorOf(asTheirs.data, 0) });
  assert.deepEqual(messages(await withTheirCursor.has(1)), [ours.runtimeId]);
});

test("another tenant's Runtime or operation is answered as one that does not exist", async (t) => {
  const api = await apiUnderTest(t);
  const { id, runtimeId } = await provision(api.database, flow);
  const nowhere = crypto.randomUUID();
  for (const transport of transports) {
    const common = { transport, endpoint: `${api.origin}/graphql`, tenant: 'tenant-b' };
    const told: string[] = [];
    for (const runtimeID of [runtimeId, nowhere]) {
      const refused = subscribe({ ...common, query: runtimeUpdatesDocument, variables: { runtimeID } });
      await refused.ended();
      told.push(JSON.stringify(refused.errors).replaceAll(runtimeID, 'ID'));
    }
    for (const operationID of [id, nowhere]) {
      const refused = subscribe({ ...common, query: operationUpdatesDocument, variables: { operationID } });
      await refused.ended();
      told.push(JSON.stringify(refused.errors).replaceAll(operationID, 'ID'));
    }
    assert.equal(told[0], told[1]);
    assert.equal(told[2], told[3]);
    for (const text of told) assert.match(text, /"code":"NOT_FOUND"/);
  }
});

test('a cursor that is not ours, or is of another server, is refused in words', async (t) => {
  const api = await apiUnderTest(t);
  const future = parseSnapshot('999999999999:999999999999:') ?? assert.fail();
  const cursors = ['x', Buffer.from('u1 5:3:').toString('base64url'), writeCursor({ from: future, rest: undefined })];
  for (const transport of transports) {
    for (const after of cursors) {
      const refused = follow(api, { transport, after });
      await refused.ended();
      assert.equal(refused.data.length, 0);
      const [error] = refused.errors;
      assert.match(error?.message ?? '', /^after: not a cursor of this service/);
      assert.deepEqual([error?.extensions?.code, error?.extensions?.path], ['INVALID_INPUT', 'after']);
    }
  }
});

test('events that came with a backup of another server are history, not news', async (t) => {
  const api = await apiUnderTest(t);
  const operation: Operation = await provision(api.database, flow);
  await sql`UPDATE operation_event SET transaction = '888888888888'::xid8, position = 888888888888`.execute(
    api.database.kysely,
  );
  const live = follow(api);
  await live.has(1);
  await appendEvent(api.database, operation, 'new');
  assert.deepEqual(messages(await live.has(2)), [undefined, 'new']);
  await appendEvent(api.database, operation, 'newer');
  const resumed = follow(api, { after: cursorOf(live.data, 0) });
  assert.deepEqual(messages(await resumed.has(2)), ['new', 'newer']);
});
