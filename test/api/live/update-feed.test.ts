import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperationTrack } from '../../../src/api/live/operation-track.ts';
import { RuntimeTrack } from '../../../src/api/live/runtime-track.ts';
import { UpdateFeed } from '../../../src/api/live/update-feed.ts';
import { Database } from '../../../src/db/database.ts';
import type { Statement } from '../../../src/db/statement.ts';
import { done } from '../../../src/domain/outcome.ts';
import { migratedDatabase, newRuntime, provision, tenant } from '../../engine/support/engine-fixture.ts';
import { provisionFlow } from '../../engine/support/flows.ts';
import { eventually } from '../../harness/eventually.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { appendEvent, appendEvents } from './support/append-event.ts';

const flow = provisionFlow([{ stage: 'One', run: async () => done() }]);

/** The real database, which counts what is asked of it. */
class CountingDatabase extends Database {
  readonly statements: string[] = [];

  override run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<readonly Row[]> {
    this.statements.push(statement.name ?? statement.text);
    return super.run(statement, values);
  }
}

async function feedUnderTest(t: { after(close: () => Promise<void>): void }) {
  const { database: writer, settings } = await migratedDatabase();
  const database = new CountingDatabase({ settings, log: silentLog });
  const feed = new UpdateFeed({ database, log: silentLog });
  t.after(async () => {
    await feed.stop();
    await database.close();
  });
  const followTenant = (whose: string = tenant) =>
    feed.follow(
      new RuntimeTrack({
        database,
        followed: { tenant: whose as typeof tenant, runtimeId: undefined },
        begin: () => feed.begin(),
        after: undefined,
      }),
    );
  return { writer, database, feed, followTenant };
}

/** Takes from an iterator until it is stopped, as a fast client does. */
function drain<Item>(items: AsyncIterable<Item>): Item[] {
  const taken: Item[] = [];
  const take = async () => {
    for await (const item of items) taken.push(item);
  };
  void take();
  return taken;
}

test('an event is read once for a thousand subscriptions, and what concerns nobody is not handed to anybody', async (t) => {
  const { writer, database, feed, followTenant } = await feedUnderTest(t);
  const operation = await provision(writer, flow);
  const foreign = await provision(writer, flow, newRuntime({ tenant: 'tenant-b' as never }));
  const track = () => new OperationTrack({ database, tenant, operation, after: 0 });
  const taken = [
    ...Array.from({ length: 500 }, () => drain(feed.follow(track()))),
    ...Array.from({ length: 500 }, () => drain(followTenant())),
  ];
  const everybodyHas = (count: number) => eventually('everybody', () => taken.every((each) => each.length === count));
  await everybodyHas(1);
  assert.equal(feed.size, 1_000);
  // Those of a tenant look once more after their first cursor; after that an event brings all of them.
  await appendEvent(writer, operation, 'settle');
  await everybodyHas(2);
  database.statements.length = 0;
  for (let number = 0; number < 20; number += 1) {
    await appendEvent(writer, foreign, 'of another tenant');
    await appendEvent(writer, operation, String(number));
  }
  await everybodyHas(22);
  assert.deepEqual([...new Set(database.statements)], ['follow-all']);
  assert.ok(database.statements.length <= 41, `${database.statements.length} reads for 40 events`);
});

test('a subscription from which nobody takes keeps a bounded number of updates and asks for nothing', async (t) => {
  const { writer, database, feed } = await feedUnderTest(t);
  const operation = await provision(writer, flow);
  const idle = feed.follow(new OperationTrack({ database, tenant, operation, after: 0 }));
  const watching = drain(feed.follow(new OperationTrack({ database, tenant, operation, after: 0 })));
  assert.equal((await idle.next()).value?.sequence, 1);
  await eventually('the other one', () => watching.length === 1);
  let offered = 0;
  const { offer } = idle;
  idle.offer = (batch) => {
    offered += batch.updates.length;
    offer.call(idle, batch);
  };
  database.statements.length = 0;
  for (let round = 0; round < 10; round += 1) {
    await appendEvents(writer, operation, { count: 100, message: 'many' });
    await eventually('the other one', () => watching.length === 1 + 100 * (round + 1));
  }
  assert.equal(offered, 1_000);
  assert.ok(idle.waiting <= 256, `${idle.waiting} updates wait`);
  assert.equal(database.statements.filter((name) => name === 'operation-events').length, 0);
  for (let sequence = 2; sequence <= 1_001; sequence += 1) {
    assert.equal((await idle.next()).value?.sequence, sequence);
  }
});

test('a burst that is larger than one read is seen whole by everybody', async (t) => {
  const { writer, database, feed, followTenant } = await feedUnderTest(t);
  const operation = await provision(writer, flow);
  const one = drain(feed.follow(new OperationTrack({ database, tenant, operation, after: 0 })));
  const all = drain(followTenant());
  await eventually('both', () => one.length === 1 && all.length === 1);
  await appendEvents(writer, operation, { count: 2_500, message: 'burst' });
  await eventually('everything', () => one.length === 2_501 && all.length === 2_501);
  assert.deepEqual(
    one.map(({ sequence }) => sequence),
    Array.from({ length: 2_501 }, (_, index) => index + 1),
  );
  assert.deepEqual(
    all.slice(1).map(({ update }) => update?.sequence),
    Array.from({ length: 2_500 }, (_, index) => index + 2),
  );
});

test('who leaves while nothing happens is forgotten, and the feed ends all others when it stops', async (t) => {
  const { writer, feed, followTenant } = await feedUnderTest(t);
  await provision(writer, flow);
  const [leaving, staying] = [followTenant(), followTenant()];
  for (const each of [leaving, staying]) assert.equal((await each.next()).value?.update, undefined);
  const [left, stayed] = [leaving.next(), staying.next()];
  await leaving.return();
  assert.deepEqual(await left, { done: true, value: undefined });
  assert.equal(feed.size, 1);
  await feed.stop();
  assert.deepEqual(await stayed, { done: true, value: undefined });
  assert.equal(feed.size, 0);
  assert.deepEqual(await followTenant().next(), { done: true, value: undefined });
});

test('events of the version before are followed too', async (t) => {
  const { writer, followTenant } = await feedUnderTest(t);
  const operation = await provision(writer, flow);
  const taken = drain(followTenant());
  await eventually('the cursor', () => taken.length === 1);
  // As it writes them: without the columns that it does not know.
  await writer.kysely
    .insertInto('operation_event')
    .values({
      operation_id: operation.id,
      sequence: 2,
      type: 'Waiting',
      stage: 'One',
      message: 'as ever',
      progress: null,
      error: null,
    })
    .execute();
  await eventually('the event', () => taken.length === 2);
  assert.equal(taken[1]?.update?.message, 'as ever');
});
