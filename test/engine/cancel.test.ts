import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { findOperation } from '../../src/db/queries/find-operation.ts';
import { Failure } from '../../src/domain/failures.ts';
import type { Run } from '../../src/domain/flow.ts';
import type { Operation } from '../../src/domain/operation.ts';
import { done, fail, type Outcome, wait } from '../../src/domain/outcome.ts';
import { eventually } from '../harness/eventually.ts';
import {
  anotherConnection,
  cancel,
  ended,
  history,
  migratedDatabase,
  provision,
  startEngine,
  tenant,
  timeline,
} from './support/engine-fixture.ts';
import { provisionFlow } from './support/flows.ts';
import { forkEngine } from './support/fork-engine.ts';

const never = { from: 3_600_000, upTo: 3_600_000 };
const quick = { beat: 200, lease: 1_500 };

async function isHeld(database: Database, { id }: Operation): Promise<boolean> {
  const { owner } = await database.kysely
    .selectFrom('operation')
    .select('owner')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return owner !== null;
}

/** A stage that holds until it is told what to answer, and says when it began. */
function heldStage({ deaf = false }: { deaf?: boolean } = {}) {
  const began = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Outcome>();
  const reasons: unknown[] = [];
  const run = async ({ signal }: Pick<Run, 'signal'>) => {
    began.resolve();
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => {
      reasons.push((signal.reason as Error).message);
      if (!deaf) aborted.reject(signal.reason);
    });
    return Promise.race([answer.promise, aborted.promise]);
  };
  return { run, began: began.promise, answer: answer.resolve, reasons };
}

const neverRuns = async () => assert.fail('no stage is to begin any more');

test('a waiting operation ends without another look, and says what it leaves', async () => {
  const { database } = await migratedDatabase();
  let looks = 0;
  const run = async () => {
    looks += 1;
    return wait({ message: 'waiting', progress: 40, wakeOn: 'shoot:a', lookAgain: never });
  };
  const onCancelled = async () => ({ residue: ['cluster a: exists'] });
  const flow = provisionFlow([{ stage: 'One', run }], { onCancelled });
  await startEngine({ database, flows: [flow] });
  const operation = await provision(database, flow);
  await eventually('it waits', async () => looks > 0 && !(await isHeld(database, operation)));
  const before = looks;

  assert.deepEqual((await cancel(database, operation)).cancellation, { outcome: 'Pending' });
  const { state, stage, message, lastError, cancellation } = await ended(database, operation);
  const words = 'operation cancelled by the caller in stage One; what is left: cluster a: exists';
  assert.deepEqual({ state, stage, message }, { state: 'Failed', stage: 'One', message: words });
  assert.deepEqual([lastError?.code, lastError?.actor], ['OPERATION_CANCELLED', 'caller']);
  assert.deepEqual(cancellation, { outcome: 'Residue', residue: ['cluster a: exists'] });
  assert.equal(looks, before);
  const told = await history(database, operation.id);
  assert.deepEqual(
    told.map(({ type }) => type),
    ['Accepted', 'Waiting', 'CancelRequested', 'Cancelled'],
  );
  assert.deepEqual(
    told.map(({ sequence }) => sequence),
    [1, 2, 3, 4],
  );
});

test('the look at work is aborted at once, on whatever replica, and the failure is told', async () => {
  const { database, settings } = await migratedDatabase();
  const held = heldStage();
  const failures: string[] = [];
  const flow = provisionFlow(
    [
      { stage: 'One', run: held.run },
      { stage: 'Two', run: neverRuns },
    ],
    { onFailed: async (_, { code }) => void failures.push(code), onCancelled: async () => ({ residue: [] }) },
  );
  // Only a notification can tell it within this test.
  await startEngine({ database, flows: [flow], timing: { beat: 3_600_000, lease: 7_200_000 } });
  const operation = await provision(database, flow);
  await held.began;
  await cancel(anotherConnection(settings), operation);
  const { state, message, cancellation } = await ended(database, operation);
  assert.deepEqual([state, cancellation], ['Failed', { outcome: 'Clean' }]);
  assert.match(message, /in stage One; nothing is left outside$/);
  assert.deepEqual(held.reasons, ['the run was aborted: cancelled']);
  assert.deepEqual(failures, ['OPERATION_CANCELLED']);
  assert.deepEqual(await timeline(database, operation), ['Accepted One', 'CancelRequested One', 'Cancelled One']);
});

test('asking twice is asking once', async () => {
  const { database } = await migratedDatabase();
  const flow = provisionFlow([{ stage: 'One', run: neverRuns }]);
  const operation = await provision(database, flow);
  const answers = await Promise.all([cancel(database, operation), cancel(database, operation)]);
  assert.deepEqual(
    answers.map(({ cancellation }) => cancellation?.outcome),
    ['Pending', 'Pending'],
  );
  await startEngine({ database, flows: [flow] });
  const asEnded = await ended(database, operation);
  assert.deepEqual(asEnded.cancellation, { outcome: 'Clean' });
  assert.deepEqual(await timeline(database, operation), ['Accepted One', 'CancelRequested One', 'Cancelled One']);
  assert.deepEqual((await cancel(database, operation)).cancellation, { outcome: 'Clean' });
  assert.deepEqual(await timeline(database, operation), ['Accepted One', 'CancelRequested One', 'Cancelled One']);
});

test('an operation whose first look never began is known to have done nothing', async () => {
  const { database } = await migratedDatabase();
  const told: boolean[] = [];
  const held = heldStage();
  const flow = provisionFlow([{ stage: 'One', run: held.run }], {
    onCancelled: async (_, { mayHaveActed }) => {
      told.push(mayHaveActed);
      return { residue: [] };
    },
  });
  const untouched = await provision(database, flow);
  await cancel(database, untouched);
  await startEngine({ database, flows: [flow] });
  await ended(database, untouched);
  const begun = await provision(database, flow);
  await held.began;
  await cancel(database, begun);
  await ended(database, begun);
  assert.deepEqual(told, [false, true]);
});

test('a stage that finishes all the same is done, and the next one does not begin', async () => {
  const { database } = await migratedDatabase();
  const held = heldStage({ deaf: true });
  const flow = provisionFlow([
    { stage: 'One', run: held.run },
    { stage: 'Two', run: neverRuns },
  ]);
  await startEngine({ database, flows: [flow] });
  const operation = await provision(database, flow);
  await held.began;
  await cancel(database, operation);
  await eventually('the stage to hear of it', () => held.reasons.length > 0);
  held.answer(done({ runtime: { domain: 'a.example.com' } }));
  const { stage, cancellation } = await ended(database, operation);
  assert.deepEqual([stage, cancellation], ['Two', { outcome: 'Clean' }]);
  assert.deepEqual(await timeline(database, operation), [
    'Accepted One',
    'CancelRequested One',
    'StageDone One',
    'StageStarted Two',
    'Cancelled Two',
  ]);
});

for (const { name, outcome, state } of [
  { name: 'finishes the operation', outcome: done(), state: 'Succeeded' },
  { name: 'fails', outcome: fail(new Failure('CLUSTER_LOST', 'it is gone')), state: 'Failed' },
]) {
  test(`it is too late when the stage ${name} all the same`, async () => {
    const { database } = await migratedDatabase();
    const held = heldStage({ deaf: true });
    const flow = provisionFlow([{ stage: 'One', run: held.run }]);
    await startEngine({ database, flows: [flow] });
    const operation = await provision(database, flow);
    await held.began;
    await cancel(database, operation);
    held.answer(outcome);
    const asEnded = await ended(database, operation);
    assert.deepEqual([asEnded.state, asEnded.cancellation], [state, { outcome: 'TooLate' }]);
    assert.notEqual(asEnded.lastError?.code, 'OPERATION_CANCELLED');
  });
}

test('an operation that has ended stays as it is, and nobody is told that it was asked for', async () => {
  const { database } = await migratedDatabase();
  const flow = provisionFlow([{ stage: 'One', run: async () => done() }]);
  await startEngine({ database, flows: [flow] });
  const operation = await provision(database, flow);
  const asEnded = await ended(database, operation);
  assert.deepEqual(await cancel(database, operation), asEnded);
  assert.deepEqual(await timeline(database, operation), ['Accepted One', 'StageDone One', 'Succeeded Finished']);
});

test('a version that knows nothing of it goes on, and then it is too late', async () => {
  const { database } = await migratedDatabase();
  const operation = await provision(database, provisionFlow([{ stage: 'One', run: neverRuns }]));
  await cancel(database, operation);
  // As that version commits: without the columns that came with it.
  await database.kysely
    .updateTable('operation')
    .set({ state: 'Succeeded', ended_at: new Date() })
    .where('id', '=', operation.id)
    .execute();
  assert.deepEqual((await ended(database, operation)).cancellation, { outcome: 'TooLate' });
});

test('a stage that is deaf to its signal does not keep the operation', async () => {
  const { database } = await migratedDatabase();
  const held = heldStage({ deaf: true });
  const flow = provisionFlow([{ stage: 'One', run: held.run }]);
  await startEngine({ database, flows: [flow], timing: { abortGrace: 50 } });
  const operation = await provision(database, flow);
  await held.began;
  await cancel(database, operation);
  assert.deepEqual((await ended(database, operation)).cancellation, { outcome: 'Clean' });
});

test('what cannot be found out in time, or at all, is told as unknown', async () => {
  const { database } = await migratedDatabase();
  for (const onCancelled of [() => new Promise<never>(() => {}), () => Promise.reject(new Error('secret words'))]) {
    const flow = provisionFlow([{ stage: 'One', run: neverRuns }], { onCancelled });
    const operation = await provision(database, flow);
    await cancel(database, operation);
    const engine = await startEngine({ database, flows: [flow], timing: { leftovers: 50 } });
    const { cancellation } = await ended(database, operation);
    const residue = ['unknown: what exists outside could not be found out in time'];
    assert.deepEqual(cancellation, { outcome: 'Residue', residue });
    await engine.stop({ graceSeconds: 0 });
  }
});

test('what is learned of the Runtime is stored with the end', async () => {
  const { database } = await migratedDatabase();
  const flow = provisionFlow([{ stage: 'One', run: neverRuns }], {
    onCancelled: async () => ({ residue: [], runtime: { creationCutOff: true } }),
  });
  const operation = await provision(database, flow);
  await cancel(database, operation);
  await startEngine({ database, flows: [flow] });
  const { endedAt } = await ended(database, operation);
  const { creation_settles_at } = await database.kysely
    .selectFrom('runtime')
    .select('creation_settles_at')
    .executeTakeFirstOrThrow();
  assert.equal(Number(creation_settles_at) - Number(endedAt), 150_000);
});

test('a notification that was missed is made up for by the next sign of life', async () => {
  const { database } = await migratedDatabase();
  const held = heldStage();
  const flow = provisionFlow([{ stage: 'One', run: held.run }]);
  await startEngine({ database, flows: [flow] });
  const operation = await provision(database, flow);
  await held.began;
  // As the mutation does, but without telling anybody.
  await database.kysely
    .updateTable('operation')
    .set({ cancel_requested_at: new Date() })
    .where('id', '=', operation.id)
    .execute();
  assert.deepEqual((await ended(database, operation)).cancellation, { outcome: 'Clean' });
});

for (const how of ['SIGKILL', 'SIGSTOP'] as const) {
  test(`the operation of a replica that is ${how === 'SIGKILL' ? 'killed' : 'frozen'} is ended by another, without a look`, async () => {
    const { database, settings } = await migratedDatabase();
    const stages = ['One', 'Two'];
    const doomed = await forkEngine({ settings, orders: { stages, holds: 'One', deaf: false, timing: quick } });
    const told: boolean[] = [];
    const flow = provisionFlow(
      stages.map((stage) => ({ stage, run: neverRuns })),
      {
        onCancelled: async (_, { mayHaveActed }) => {
          told.push(mayHaveActed);
          return { residue: ['cluster a: exists'] };
        },
      },
    );
    const operation = await provision(database, flow);
    await doomed.hears('began', 'One');
    doomed.signal(how);
    await cancel(database, operation);
    await startEngine({ database, flows: [flow], timing: quick });
    const { cancellation, attempt } = await ended(database, operation);
    assert.deepEqual([cancellation, attempt], [{ outcome: 'Residue', residue: ['cluster a: exists'] }, 2]);
    assert.deepEqual(told, [true]);
    const expected = ['Accepted One', 'CancelRequested One', 'Cancelled One'];
    assert.deepEqual(await timeline(database, operation), expected);
    if (how === 'SIGKILL') return;
    doomed.signal('SIGCONT');
    await doomed.hears('operation:lost');
    assert.deepEqual(await timeline(database, operation), expected);
  });
}

test('a process that stops while it finds out what is left hands the end over', async () => {
  const { database } = await migratedDatabase();
  const asking = Promise.withResolvers<void>();
  const hangs = provisionFlow([{ stage: 'One', run: neverRuns }], {
    onCancelled: async ({ signal }) => {
      asking.resolve();
      return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  const operation = await provision(database, hangs);
  await cancel(database, operation);
  const engine = await startEngine({ database, flows: [hangs], timing: { leftovers: 60_000 } });
  await asking.promise;
  await engine.stop({ graceSeconds: 0 });
  const asked = await findOperation({ database, tenant, operationId: operation.id });
  assert.deepEqual([asked?.state, asked?.cancellation], ['InProgress', { outcome: 'Pending' }]);
  const flow = provisionFlow([{ stage: 'One', run: neverRuns }], { onCancelled: async () => ({ residue: ['known'] }) });
  await startEngine({ database, flows: [flow] });
  assert.deepEqual((await ended(database, operation)).cancellation, { outcome: 'Residue', residue: ['known'] });
});
