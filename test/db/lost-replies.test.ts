import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, wait } from '../../src/domain/outcome.ts';
import {
  anotherConnection,
  deprovision,
  ended,
  migratedDatabase,
  newRuntime,
  provision,
  startEngine,
  timeline,
} from '../engine/support/engine-fixture.ts';
import { provisionFlow } from '../engine/support/flows.ts';
import { startLossyProxy } from './support/lossy-proxy.ts';

const later = { from: 1, upTo: 1 };

for (const statement of ['claim-operations', 'commit-operation', 'commit-look', 'beat', 'store-notes']) {
  test(`an engine whose ${statement} is carried out without a reply loses and doubles nothing`, async () => {
    const { database, settings } = await migratedDatabase();
    const proxy = await startLossyProxy({ target: settings, losesReplyTo: [statement], times: 3 });
    const { host, port } = proxy;
    const throughProxy = anotherConnection({ ...settings, host, port });
    let looks = 0;
    const flow = provisionFlow([
      { stage: 'One', run: async () => done() },
      {
        stage: 'Two',
        run: async () => {
          looks += 1;
          return looks < 8 ? wait({ message: 'waiting', wakeOn: 'shoot:a', lookAgain: later }) : done();
        },
      },
      {
        stage: 'Three',
        run: async ({ operation, note }) => {
          if (operation.notes.chosen !== undefined) return done();
          await note({ chosen: 'c-1' });
          return wait({ message: operation.message, lookAgain: later });
        },
      },
    ]);
    await startEngine({ database: throughProxy, flows: [flow], timing: { beat: 100, lease: 20_000 } });
    const operation = await provision(database, flow);
    const finished = await ended(database, operation);
    assert.equal(finished.state, 'Succeeded');
    assert.deepEqual(finished.notes, { chosen: 'c-1' });
    assert.deepEqual(await timeline(database, operation), [
      'Accepted One',
      'StageDone One',
      'StageStarted Two',
      'Waiting Two',
      'StageDone Two',
      'StageStarted Three',
      'StageDone Three',
      'Succeeded Finished',
    ]);
    assert.ok(proxy.lost() > 0, 'no reply was lost');
  });
}

test('an operation that was accepted without a reply is accepted once, and its caller is told so', async () => {
  const { settings } = await migratedDatabase();
  const losesReplyTo = ['accept-provision', 'accept-operation'];
  const proxy = await startLossyProxy({ target: settings, losesReplyTo, times: 1 });
  const { host, port } = proxy;
  const database = anotherConnection({ ...settings, host, port });
  const flow = provisionFlow([{ stage: 'One', run: async () => done() }]);
  const runtime = newRuntime();
  const accepted = await provision(database, flow, runtime);
  assert.equal(accepted.state, 'InProgress');
  assert.equal(accepted.runtimeId, runtime.id);
  await assert.rejects(provision(database, flow, runtime), { code: 'ALREADY_EXISTS' });

  await database.kysely.updateTable('operation').set({ state: 'Succeeded', ended_at: new Date() }).execute();
  const deletion = { ...flow, kind: 'Deprovision' as const };
  const second = await deprovision(database, accepted, deletion);
  await assert.rejects(deprovision(database, accepted, deletion), {
    code: 'OPERATION_IN_PROGRESS',
    message: new RegExp(second.id),
  });
  const { length } = await database.kysely.selectFrom('operation').select('id').execute();
  assert.equal(length, 2);
  assert.equal(proxy.lost(), 2);
});
