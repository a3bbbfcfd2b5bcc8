import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { claimOperations } from '../../src/db/queries/claim-operations.ts';
import { findOperation } from '../../src/db/queries/find-operation.ts';
import { joinReplicas } from '../../src/db/queries/replicas.ts';
import type { OperationId } from '../../src/domain/ids.ts';
import type { Operation } from '../../src/domain/operation.ts';
import { done, type WakeKey, wait } from '../../src/domain/outcome.ts';
import type { Engine } from '../../src/engine/engine.ts';
import {
  anotherConnection,
  cancel,
  ended,
  history,
  provision,
  startEngine,
  tenant,
} from '../engine/support/engine-fixture.ts';
import { type NoTools, provisionFlow } from '../engine/support/flows.ts';
import { eventually } from '../harness/eventually.ts';
import { type TestDatabaseSettings, testDatabase } from '../harness/postgres.ts';
import { silentLog } from '../harness/silent-log.ts';
import { type Held, migrateAsBefore, statementsBefore, VersionBefore } from './support/version-before.ts';

const wakeKey = 'shoot/side-by-side' as WakeKey;
/** Operations of which the second stage waits until it is woken. */
const waiting = new Set<string>();
const seen: string[] = [];
const flow = provisionFlow([
  { stage: 'One', run: async () => done() },
  {
    stage: 'Two',
    run: async ({ operation }) => {
      seen.push(operation.id);
      if (!waiting.has(operation.id)) return done();
      return wait({ message: 'waiting', wakeOn: wakeKey, lookAgain: { from: 60_000, upTo: 60_000 } });
    },
  },
]);

let settings: TestDatabaseSettings;
let database: Database;
let old: VersionBefore;

/** What it has claimed must be just this. */
async function claimed(id: string): Promise<Held> {
  const [held, ...others] = await old.claim();
  assert.deepEqual([held?.id, others], [id, []]);
  return held ?? assert.fail();
}

/** From its first stage to its end, by the version before. */
async function carryThrough(held: Held): Promise<void> {
  await old.note(held, { name: 'chosen' });
  const inTwo = await old.commit(held, { stage: 'Two', keep: true, event: 'StageDone' });
  assert.ok(inTwo);
  const waits = await old.commit(inTwo, { stage: 'Two', keep: false, wakeKey, event: 'Waiting' });
  assert.ok(waits);
  assert.equal(await old.wake(wakeKey), 1);
  const again = await claimed(held.id);
  assert.ok(await old.commit(again, { state: 'Succeeded', stage: 'Finished', keep: false, event: 'Succeeded' }));
}

const stored = async (id: string): Promise<Operation> =>
  (await findOperation({ database, tenant, operationId: id as OperationId })) ?? assert.fail();

async function isWhole(id: string): Promise<void> {
  const events = await history(database, id as OperationId);
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  );
}

before(async () => {
  ({ settings } = await testDatabase());
  await migrateAsBefore(settings);
  database = anotherConnection(settings);
  old = new VersionBefore(settings);
  await old.join();
});

describe('the version before, on a database that this one has brought up to date', () => {
  let heldThroughout: Held;

  test('goes on with the operation that it runs, with the statements that it had prepared', async () => {
    // All is prepared by being used once.
    const first = await old.acceptProvision('One');
    await carryThrough(await claimed(first.id));
    const { id, runtimeId } = await old.acceptProvision('One');
    heldThroughout = await claimed(id);
    await migrate({ database, log: silentLog });
    assert.equal((await old.beat()).alive, true);
    await carryThrough(heldThroughout);
    await isWhole(id);
    const deprovisioning = await old.acceptDeprovision(runtimeId, 'One');
    await carryThrough(await claimed(deprovisioning));
    assert.equal((await stored(deprovisioning)).state, 'Succeeded');
  });

  test('finds every table and column that any of its statements names', async () => {
    for (const name of Object.keys(statementsBefore)) {
      await assert.doesNotReject(old.prepare(name), name);
    }
  });

  test('carries out what this version has accepted', async () => {
    const operation = await provision(database, flow);
    await carryThrough(await claimed(operation.id));
    assert.equal((await stored(operation.id)).state, 'Succeeded');
    await isWhole(operation.id);
  });

  test('leaves alone the kinds of operations that it does not know', async () => {
    const { runtimeId } = await provision(database, flow);
    const [provisioning] = await old.claim();
    await carryThrough(provisioning ?? assert.fail());
    const id = crypto.randomUUID();
    await sql`INSERT INTO operation (id, runtime_id, kind, stage, message)
      VALUES (${id}, ${runtimeId}, 'Upgrade', 'StartingUpgrade', 'Upgrade started')`.execute(database.kysely);
    assert.deepEqual(await old.claim(), []);
    await sql`DELETE FROM operation WHERE id = ${id}`.execute(database.kysely);
  });

  test('takes over from a replica of this version that fell silent', async () => {
    const operation = await provision(database, flow);
    const replicaId = crypto.randomUUID();
    await joinReplicas({ database, replicaId, host: 'host', process: 1 });
    const claim = { database, replicaId, limit: 1, leaseMillis: 10_000, stages: ['Provision/One'], except: [] };
    const { claimed: taken } = await claimOperations({ ...claim, kinds: ['Provision'], strangeAfterMillis: 600_000 });
    assert.equal(taken[0]?.operation.id, operation.id);
    assert.deepEqual(await old.takeOver(), []);
    await sql`UPDATE replica SET seen = seen - interval '1 hour' WHERE id = ${replicaId}`.execute(database.kysely);
    assert.deepEqual(await old.takeOver(), [operation.id]);
    await carryThrough(await claimed(operation.id));
  });

  test('is told of a cancellation that this version has accepted', async () => {
    const operation = await provision(database, flow);
    const held = await claimed(operation.id);
    await cancel(database, operation);
    assert.deepEqual((await old.beat()).cancelling, [operation.id]);
    assert.ok(await old.commit(held, { state: 'Succeeded', stage: 'Finished', keep: false, event: 'Succeeded' }));
    assert.deepEqual((await stored(operation.id)).cancellation, { outcome: 'TooLate' });
  });
});

describe('this version beside the one before', () => {
  let engine: Engine<NoTools>;
  let left: Held;

  before(async () => {
    const { id } = await old.acceptProvision('One');
    const inTwo = await old.commit(await claimed(id), { stage: 'Two', keep: true, event: 'StageDone' });
    left = inTwo ?? assert.fail();
    engine = await startEngine({ database: anotherConnection(settings), flows: [flow] });
  });

  test('is told at once of what the other accepts, wakes and cancels', async () => {
    const { id } = await old.acceptProvision('One');
    assert.equal((await ended(database, { id } as Operation)).state, 'Succeeded');
    await isWhole(id);

    for (const [what, act] of [
      ['wakes', async () => assert.equal(await old.wake(wakeKey), 1)],
      ['cancels', async (operation: Operation) => old.cancel(operation.id)],
    ] as const) {
      const operation = await provision(database, flow);
      waiting.add(operation.id);
      await eventually('it to wait', async () => seen.includes(operation.id) && engine.state.running === 0);
      waiting.delete(operation.id);
      await act(operation);
      const asEnded = await ended(database, operation);
      assert.equal(asEnded.lastError?.code, what === 'cancels' ? 'OPERATION_CANCELLED' : undefined);
      await isWhole(operation.id);
    }
  });

  test('takes over from it, goes on at the stage where it was, and lets none of its late commits in', async () => {
    const operation = await ended(database, { id: left.id } as Operation);
    assert.equal(operation.state, 'Succeeded');
    const types = (await history(database, operation.id)).map(({ type, stage }) => `${type} ${stage}`);
    assert.deepEqual(types, ['Accepted One', 'StageDone One', 'StageDone Two', 'Succeeded Finished']);
    assert.equal(await old.commit(left, { stage: 'Two', keep: true, event: 'Waiting' }), undefined);
    assert.equal((await old.beat()).alive, false);
    assert.deepEqual(await old.claim(), []);
    await isWhole(left.id);
  });
});
