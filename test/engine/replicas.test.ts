import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, wait } from '../../src/domain/outcome.ts';
import { eventually } from '../harness/eventually.ts';
import {
  anotherConnection,
  ended,
  history,
  migratedDatabase,
  provision,
  startEngine,
  timeline,
} from './support/engine-fixture.ts';
import { provisionFlow } from './support/flows.ts';
import { forkEngine } from './support/fork-engine.ts';

const quick = { beat: 200, lease: 1_500 };

test('a hundred operations at once are shared by two replicas, each run by one at a time', async () => {
  const { database, settings } = await migratedDatabase();
  const running = new Set<string>();
  const doubled: string[] = [];
  const runsOf = { first: 0, second: 0 };
  // Neither goes on before the other has begun, so that both take part.
  const both = Promise.withResolvers<void>();
  const flowOf = (engine: keyof typeof runsOf) =>
    provisionFlow(
      ['One', 'Two', 'Three'].map((stage) => ({
        stage,
        run: async ({ operation }) => {
          if (running.has(operation.id)) doubled.push(operation.id);
          running.add(operation.id);
          runsOf[engine] += 1;
          if (runsOf.first > 0 && runsOf.second > 0) both.resolve();
          await both.promise;
          running.delete(operation.id);
          const waited = operation.message === 'waiting';
          return stage === 'Two' && !waited ? wait({ message: 'waiting', lookAgain: { from: 1, upTo: 1 } }) : done();
        },
      })),
    );
  const flow = flowOf('first');
  const operations = await Promise.all(Array.from({ length: 100 }, () => provision(database, flow)));
  const other = anotherConnection(settings);
  await Promise.all([
    startEngine({ database, flows: [flow], concurrency: 20 }),
    startEngine({ database: other, flows: [flowOf('second')], concurrency: 20 }),
  ]);
  for (const operation of operations) {
    assert.equal((await ended(database, operation)).state, 'Succeeded');
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
  }
  assert.deepEqual(doubled, []);
  assert.equal(runsOf.first + runsOf.second, 400);
});

test('what a killed process was running is taken over and finished', async () => {
  const { database, settings } = await migratedDatabase();
  const stages = ['One', 'Two', 'Three'];
  const doomed = await forkEngine({ settings, orders: { stages, holds: 'Two', deaf: false, timing: quick } });
  const ran: string[] = [];
  const flow = provisionFlow(
    stages.map((stage) => ({
      stage,
      run: async () => {
        ran.push(stage);
        return done();
      },
    })),
  );
  const operation = await provision(database, flow);
  await doomed.hears('began', 'Two');
  doomed.signal('SIGKILL');
  await doomed.ended;
  const survivor = await startEngine({ database, flows: [flow], timing: quick });
  const taken: string[] = [];
  survivor.events.on('takeover', ({ operationId }) => taken.push(operationId));
  const finished = await ended(database, operation);
  assert.equal(finished.state, 'Succeeded');
  assert.equal(finished.attempt, 2);
  assert.deepEqual(taken, [operation.id]);
  assert.deepEqual(ran, ['Two', 'Three']);
  assert.deepEqual(
    (await history(database, operation.id)).map(({ sequence }) => sequence),
    [1, 2, 3, 4, 5, 6, 7],
  );
  const replicas = await database.kysely.selectFrom('replica').select('id').execute();
  assert.deepEqual(
    replicas.map(({ id }) => id),
    [survivor.state.replicaId],
  );
});

for (const deaf of [false, true]) {
  test(`a process frozen for longer than its lease commits nothing when it wakes (stage ${deaf ? 'deaf to' : 'heeds'} its signal)`, async () => {
    const { database, settings } = await migratedDatabase();
    const frozen = await forkEngine({ settings, orders: { stages: ['One'], holds: 'One', deaf, timing: quick } });
    const gate = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const flow = provisionFlow([
      {
        stage: 'One',
        run: async () => {
          began.resolve();
          await gate.promise;
          return done({ message: 'by the other' });
        },
      },
    ]);
    const operation = await provision(database, flow);
    await frozen.hears('began');
    frozen.signal('SIGSTOP');
    await startEngine({ database, flows: [flow], timing: quick });
    await began.promise;
    // A stage that heeds its signal ends by it alone.
    if (deaf) frozen.letGo();
    frozen.signal('SIGCONT');
    await frozen.hears('replica:expired');
    await frozen.hears('operation:lost');
    gate.resolve();
    assert.equal((await ended(database, operation)).state, 'Succeeded');
    const told = await history(database, operation.id);
    assert.deepEqual(
      told.map(({ type, message }) => [type, message]),
      [
        ['Accepted', 'Provisioning started'],
        ['StageDone', 'by the other'],
        ['Succeeded', 'Operation succeeded.'],
      ],
    );
    assert.ok(!frozen.news.some(({ event }) => event === 'operation:succeeded'));
  });
}

for (const point of ['before-run', 'before-commit', 'after-commit'] as const) {
  test(`a crash ${point} loses nothing and repeats nothing that was committed`, async () => {
    const { database, settings } = await migratedDatabase();
    const stages = ['One', 'Two', 'Three'];
    const crashPlace = `${point}:Provision/Two` as const;
    const doomed = await forkEngine({ settings, orders: { stages, deaf: false, timing: quick, crashPlace } });
    const ran: string[] = [];
    const flow = provisionFlow(
      stages.map((stage) => ({
        stage,
        run: async () => {
          ran.push(stage);
          return done();
        },
      })),
    );
    const operation = await provision(database, flow);
    assert.equal(await doomed.ended, 'SIGKILL');
    await startEngine({ database, flows: [flow], timing: quick });
    assert.equal((await ended(database, operation)).state, 'Succeeded');
    assert.deepEqual(ran, point === 'after-commit' ? ['Three'] : ['Two', 'Three']);
    assert.deepEqual(await timeline(database, operation), [
      'Accepted One',
      'StageDone One',
      'StageStarted Two',
      'StageDone Two',
      'StageStarted Three',
      'StageDone Three',
      'Succeeded Finished',
    ]);
  });
}

test('a process that stops lets running stages finish, and lets go of the rest at once', async () => {
  const { database } = await migratedDatabase();
  const gate = Promise.withResolvers<void>();
  const began = { finishes: Promise.withResolvers<void>(), hangs: Promise.withResolvers<void>() };
  const step = {
    finishes: async () => {
      began.finishes.resolve();
      await gate.promise;
      return done();
    },
    hangs: async ({ signal }: { signal: AbortSignal }) => {
      began.hangs.resolve();
      return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  };
  let finisher: string | undefined;
  const flow = provisionFlow([
    { stage: 'One', run: (run) => (run.operation.id === finisher ? step.finishes() : step.hangs(run)) },
    { stage: 'Two', run: async () => assert.fail('the process was to stop before this stage') },
  ]);
  // Only being let go of, not being silent, can pass an operation on within this test.
  const timing = { beat: 200, lease: 3_600_000 };
  const finishes = await provision(database, flow);
  finisher = finishes.id;
  const hangs = await provision(database, flow);
  const engine = await startEngine({ database, flows: [flow], timing });
  await Promise.all([began.finishes.promise, began.hangs.promise]);
  const stopped = engine.stop({ graceSeconds: 0.2 });
  gate.resolve();
  await stopped;
  assert.equal(engine.state.phase, 'stopped');
  const ran: string[] = [];
  const rest = ['One', 'Two'].map((stage) => ({
    stage,
    run: async ({ operation }: { operation: { id: string } }) => {
      ran.push(`${stage} of ${operation.id}`);
      return done();
    },
  }));
  await startEngine({ database, flows: [provisionFlow(rest)], timing });
  for (const operation of [finishes, hangs]) assert.equal((await ended(database, operation)).state, 'Succeeded');
  assert.deepEqual(ran.sort(), [`One of ${hangs.id}`, `Two of ${finishes.id}`, `Two of ${hangs.id}`].sort());
});

test('connections that are cut in mid-operation heal', async () => {
  const { database, server } = await migratedDatabase();
  const running = new Set<string>();
  const doubled: string[] = [];
  const flow = provisionFlow(
    ['One', 'Two', 'Three', 'Four'].map((stage) => ({
      stage,
      run: async ({ operation }) => {
        if (running.has(operation.id)) doubled.push(operation.id);
        running.add(operation.id);
        await new Promise((resolve) => setImmediate(resolve));
        running.delete(operation.id);
        if (operation.message.startsWith('Operation in progress') && stage === 'Three') {
          return wait({ message: 'waiting', lookAgain: { from: 100, upTo: 100 } });
        }
        return done();
      },
    })),
  );
  const operations = await Promise.all(Array.from({ length: 30 }, () => provision(database, flow)));
  const engine = await startEngine({ database, flows: [flow], concurrency: 10 });
  for (let cut = 0; cut < 5; cut += 1) {
    await server.terminateConnections();
    await eventually('the engine to listen again', () => engine.state.listening);
  }
  for (const operation of operations) {
    assert.equal((await ended(database, operation)).state, 'Succeeded');
    assert.deepEqual(await timeline(database, operation), [
      'Accepted One',
      'StageDone One',
      'StageStarted Two',
      'StageDone Two',
      'StageStarted Three',
      'Waiting Three',
      'StageDone Three',
      'StageStarted Four',
      'StageDone Four',
      'Succeeded Finished',
    ]);
  }
  assert.deepEqual(doubled, []);
});

test('a database that is away for longer than the lease, in mid-operation, loses nothing and doubles nothing', async () => {
  const { database, server } = await migratedDatabase();
  const gate = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const flow = provisionFlow([
    {
      stage: 'One',
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        began.resolve();
        await gate.promise;
        running -= 1;
        return done();
      },
    },
    { stage: 'Two', run: async () => done() },
  ]);
  const engine = await startEngine({ database, flows: [flow], timing: { beat: 200, lease: 1_000, abortGrace: 5_000 } });
  const operation = await provision(database, flow);
  await began.promise;
  await server.goDown();
  await eventually('the replica to give itself up', () => !engine.state.alive);
  gate.resolve();
  const woken = engine.wake('shoot:changed-meanwhile');
  await server.comeBack();
  await woken;
  assert.equal((await ended(database, operation)).state, 'Succeeded');
  assert.equal(most, 1);
  assert.deepEqual(await timeline(database, operation), [
    'Accepted One',
    'StageDone One',
    'StageStarted Two',
    'StageDone Two',
    'Succeeded Finished',
  ]);
});
