import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { acceptOperation } from '../../src/db/queries/accept-operation.ts';
import { findRuntime } from '../../src/db/queries/find-runtime.ts';
import { Failure } from '../../src/domain/failures.ts';
import { newOperationId } from '../../src/domain/ids.ts';
import { done, fail, wait } from '../../src/domain/outcome.ts';
import { eventually } from '../harness/eventually.ts';
import { deadlines } from './support/deadlines.ts';
import {
  deprovision,
  ended,
  history,
  migratedDatabase,
  newRuntime,
  provision,
  startEngine,
  tenant,
  timeline,
} from './support/engine-fixture.ts';
import { provisionFlow } from './support/flows.ts';

const soon = { from: 5, upTo: 5 };
const never = { from: 3_600_000, upTo: 3_600_000 };

test('an operation goes through its stages and leaves its history', async () => {
  const { database } = await migratedDatabase();
  const flow = provisionFlow([
    { stage: 'CreatingCluster', run: async () => done() },
    { stage: 'WaitingForClusterDomain', run: async () => done({ runtime: { domain: 'c-1.example.com' } }) },
    {
      stage: 'WaitingForClusterCreation',
      run: async ({ runtime }) => done({ message: `at ${runtime.cluster.domain}` }),
    },
  ]);
  await startEngine({ database, flows: [flow] });
  const accepted = await provision(database, flow);
  assert.equal(accepted.state, 'InProgress');
  assert.equal(accepted.message, 'Provisioning started');
  assert.equal(accepted.stage, 'CreatingCluster');

  const operation = await ended(database, accepted);
  assert.deepEqual(
    { state: operation.state, stage: operation.stage, message: operation.message, progress: operation.progress },
    { state: 'Succeeded', stage: 'Finished', message: 'Operation succeeded.', progress: 100 },
  );
  assert.ok(operation.endedAt !== undefined && operation.endedAt >= operation.startedAt);
  assert.deepEqual(await timeline(database, operation), [
    'Accepted CreatingCluster',
    'StageDone CreatingCluster',
    'StageStarted WaitingForClusterDomain',
    'StageDone WaitingForClusterDomain',
    'StageStarted WaitingForClusterCreation',
    'StageDone WaitingForClusterCreation',
    'Succeeded Finished',
  ]);
  const events = await history(database, operation.id);
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    [1, 2, 3, 4, 5, 6, 7],
  );
  assert.equal(events[2]?.message, 'Operation in progress. Stage WaitingForClusterDomain');
  assert.equal(events[5]?.message, 'at c-1.example.com');
  const found = await findRuntime({ database, tenant, runtimeId: operation.runtimeId });
  assert.equal(found?.runtime.cluster.domain, 'c-1.example.com');
  assert.deepEqual(found?.lastOperation, operation);
});

test('what is not needed is skipped and says so', async () => {
  const { database } = await migratedDatabase();
  const skipWhen = { reads: 'nobody asks for it', holds: () => true };
  const ran: string[] = [];
  const step = (stage: string, skipped: boolean) => ({
    stage,
    run: async () => {
      ran.push(stage);
      return done();
    },
    ...(skipped ? { skipWhen } : {}),
  });
  const flow = provisionFlow([step('One', true), step('Two', false), step('Three', true), step('Four', true)]);
  await startEngine({ database, flows: [flow] });
  const operation = await ended(database, await provision(database, flow));
  assert.equal(operation.state, 'Succeeded');
  assert.deepEqual(ran, ['Two']);
  assert.deepEqual(await timeline(database, operation), [
    'Accepted One',
    'StageSkipped One',
    'StageStarted Two',
    'StageDone Two',
    'StageSkipped Three',
    'StageSkipped Four',
    'Succeeded Finished',
  ]);
});

test('a waiting operation looks again at the pace of the stage, and tells only what is new', async () => {
  const { database } = await migratedDatabase();
  let looks = 0;
  const flow = provisionFlow([
    {
      stage: 'Waiting',
      run: async () => {
        looks += 1;
        if (looks === 6) return done();
        return wait({ message: looks < 4 ? 'making' : 'nearly', progress: looks < 4 ? 10 : 90, lookAgain: soon });
      },
    },
  ]);
  await startEngine({ database, flows: [flow] });
  const operation = await ended(database, await provision(database, flow));
  assert.equal(looks, 6);
  const events = await history(database, operation.id);
  assert.deepEqual(
    events.filter(({ type }) => type === 'Waiting').map(({ message, progress }) => [message, progress]),
    [
      ['making', 10],
      ['nearly', 90],
    ],
  );
});

test('a waiting operation is woken by its key, on any replica', async () => {
  const { database } = await migratedDatabase();
  let ready = false;
  const flow = provisionFlow([
    {
      stage: 'Waiting',
      run: async ({ runtime }) =>
        ready ? done() : wait({ message: 'waiting', wakeOn: `shoot:${runtime.cluster.name}`, lookAgain: never }),
    },
  ]);
  const engine = await startEngine({ database, flows: [flow] });
  const other = await startEngine({ database, flows: [] });
  const runtime = newRuntime();
  const operation = await provision(database, flow, runtime);
  await eventually('the operation to wait', async () => (await isReleased(operation.id)) === true);
  ready = true;
  await other.wake('shoot:another');
  await other.wake(`shoot:${runtime.cluster.name}`);
  assert.equal((await ended(database, operation)).state, 'Succeeded');
  await eventually('the engine to hold nothing more', () => engine.state.running === 0);

  async function isReleased(id: string): Promise<boolean> {
    const row = await database.kysely
      .selectFrom('operation')
      .select(['owner', 'wake_key'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.owner === null && row.wake_key !== null;
  }
});

test('a wake that comes while the stage looks is not lost', async () => {
  const { database } = await migratedDatabase();
  // The world changes after the stage has looked at it and before its answer is committed, at each of its looks.
  let changes = 0;
  let looks = 0;
  const flow = provisionFlow([
    {
      stage: 'Waiting',
      run: async () => {
        looks += 1;
        const seen = changes;
        if (seen === 5) return done();
        changes += 1;
        await engine.wake('shoot:racing');
        return wait({ message: 'waiting', wakeOn: 'shoot:racing', lookAgain: never });
      },
    },
  ]);
  const engine = await startEngine({ database, flows: [flow] });
  const operation = await ended(database, await provision(database, flow));
  assert.equal(operation.state, 'Succeeded');
  assert.equal(looks, 6);
});

test('a throw is tried again, told, and forgotten after the next success', async () => {
  const { database } = await migratedDatabase();
  let tries = 0;
  const flow = provisionFlow([
    {
      stage: 'Trying',
      run: async () => {
        tries += 1;
        if (tries < 4) throw new Error(tries < 3 ? 'connection refused' : 'too many requests');
        return wait({ message: 'answered', wakeOn: 'later', lookAgain: never });
      },
    },
  ]);
  const engine = await startEngine({ database, flows: [flow] });
  const retries: number[] = [];
  engine.events.on('stage:retrying', ({ failures, operation }) => {
    assert.equal(operation.lastError?.code, 'INTERNAL');
    retries.push(failures);
  });
  const accepted = await provision(database, flow);
  const answered = await eventually('the stage to answer', async () => {
    const found = await findRuntime({ database, tenant, runtimeId: accepted.runtimeId });
    return found?.lastOperation.message === 'answered' && found.lastOperation;
  });
  assert.equal(answered.lastError, undefined);
  assert.deepEqual(retries, [1, 2, 3]);
  const told = (await history(database, accepted.id)).filter(({ type }) => type === 'Retrying');
  assert.deepEqual(
    told.map(({ message }) => message),
    ['connection refused', 'too many requests'],
  );
});

test('a failure ends the operation where it is, after the outside world was told', async () => {
  const { database } = await migratedDatabase();
  const told: string[] = [];
  const failure = new Failure('CLUSTER_FAILED', 'quota exceeded', { reason: 'ERR_INFRA_QUOTA_EXCEEDED' });
  for (const run of [
    async () => fail(failure),
    async () => {
      throw failure;
    },
  ]) {
    const flow = provisionFlow(
      [
        { stage: 'Creating', run },
        { stage: 'Never', run: async () => assert.fail() },
      ],
      {
        onFailed: async ({ operation }, { code }) => {
          told.push(`${code} ${operation.state}`);
          throw new Error('the Director is down');
        },
      },
    );
    const engine = await startEngine({ database, flows: [flow] });
    const operation = await ended(database, await provision(database, flow));
    assert.equal(operation.state, 'Failed');
    assert.equal(operation.stage, 'Creating');
    assert.equal(operation.message, 'quota exceeded');
    assert.equal(operation.lastError?.code, 'CLUSTER_FAILED');
    assert.equal(operation.lastError?.reason, 'ERR_INFRA_QUOTA_EXCEEDED');
    assert.deepEqual(await timeline(database, operation), ['Accepted Creating', 'Failed Creating']);
    await engine.stop({ graceSeconds: 1 });
  }
  assert.deepEqual(told, ['CLUSTER_FAILED InProgress', 'CLUSTER_FAILED InProgress']);
});

test('a stage that does not finish within its deadline fails with what it last waited for', async () => {
  const { database } = await migratedDatabase();
  const cases = {
    waits: async () => wait({ message: 'Flow "Shoot" at 20 %', lookAgain: { from: 10, upTo: 20 } }),
    throws: async () => {
      throw new Error('no route to host');
    },
    hangs: ({ signal }: { signal: AbortSignal }) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
    'does not listen': () => new Promise<never>(() => {}),
  };
  const words: Record<string, string> = {
    waits: '; last: Flow "Shoot" at 20 %',
    throws: '; last: no route to host',
    hangs: '',
    'does not listen': '; last: the stage did not answer',
  };
  for (const [name, run] of Object.entries(cases)) {
    const flow = provisionFlow([{ stage: 'Creating', run }]);
    const engine = await startEngine({ database, flows: [flow], deadlines: deadlines({ clusterCreation: 250 }) });
    const operation = await ended(database, await provision(database, flow));
    assert.equal(operation.lastError?.code, 'TIMEOUT', name);
    assert.equal(
      operation.message,
      `error: timeout while processing operation: stage Creating did not finish within 250ms${words[name]}`,
    );
    await engine.stop({ graceSeconds: 1 });
  }
});

test('a stage that goes on after its deadline does', async () => {
  const { database } = await migratedDatabase();
  const flow = provisionFlow([
    { stage: 'Stuck', goOnAfterDeadline: true, run: async () => wait({ message: 'stuck', lookAgain: soon }) },
    { stage: 'Next', deadline: 'clusterDeletion', run: async () => done() },
  ]);
  await startEngine({ database, flows: [flow], deadlines: deadlines({ clusterCreation: 100 }) });
  const operation = await ended(database, await provision(database, flow));
  assert.equal(operation.state, 'Succeeded');
  assert.deepEqual(await timeline(database, operation), [
    'Accepted Stuck',
    'Waiting Stuck',
    'StageTimedOut Stuck',
    'StageStarted Next',
    'StageDone Next',
    'Succeeded Finished',
  ]);
});

test('a stage whose deadline passed while nobody ran it gets a last look', async () => {
  const { database } = await migratedDatabase();
  const flow = provisionFlow([{ stage: 'Creating', run: async () => done() }]);
  const accepted = await provision(database, flow);
  await startEngine({ database, flows: [flow], deadlines: deadlines({ clusterCreation: 1 }) });
  assert.equal((await ended(database, accepted)).state, 'Succeeded');
});

test('a stage that no flow knows any more fails the operation', async () => {
  const { database } = await migratedDatabase();
  const flow = provisionFlow([{ stage: 'Creating', run: async () => done() }]);
  await startEngine({ database, flows: [flow], timing: { strangeStage: 0 } });
  const operation = await ended(
    database,
    await provision(database, provisionFlow([{ stage: 'Bygone', run: async () => done() }])),
  );
  assert.equal(operation.lastError?.code, 'STAGE_NOT_FOUND');
  assert.equal(operation.message, 'error: step Bygone not found in installation stages');
});

test('the next try comes when whoever refused the last one wants to be asked again, and no sooner', async () => {
  const { database } = await migratedDatabase();
  let tries = 0;
  const flow = provisionFlow([
    {
      stage: 'Trying',
      run: async () => {
        tries += 1;
        const busy = Object.assign(new Error('busy'), { retryAfterMilliseconds: 30_000 });
        throw tries === 1 ? busy : new Error('too busy', { cause: busy });
      },
    },
  ]);
  const engine = await startEngine({ database, flows: [flow] });
  const delays: number[] = [];
  engine.events.on('stage:retrying', ({ dueInMillis }) => delays.push(dueInMillis));
  const { id } = await provision(database, flow);
  await eventually('the first try', () => delays.length === 1);
  await sql`UPDATE operation SET next_look = now() WHERE id = ${id}`.execute(database.kysely);
  await eventually('the second try', () => delays.length === 2);
  for (const delay of delays) assert.ok(delay >= 30_000 && delay <= 60_000, `${delay} ms`);
});

test('what a stage notes down is there at its next look and in later stages', async () => {
  const { database } = await migratedDatabase();
  const seen: unknown[] = [];
  const flow = provisionFlow([
    {
      stage: 'One',
      run: async ({ operation, note }) => {
        seen.push(operation.notes);
        if (operation.notes.name !== undefined) return done();
        await note({ name: 'c-1' });
        await note({ token: 'none' });
        return wait({ message: 'noted', lookAgain: soon });
      },
    },
    {
      stage: 'Two',
      run: async ({ operation }) => {
        seen.push(operation.notes);
        return done();
      },
    },
  ]);
  await startEngine({ database, flows: [flow] });
  await ended(database, await provision(database, flow));
  assert.deepEqual(seen, [{}, { name: 'c-1', token: 'none' }, { name: 'c-1', token: 'none' }]);
});

test('a Runtime has one unfinished operation, and a deleted one can only be deprovisioned again', async () => {
  const { database } = await migratedDatabase();
  const gate = Promise.withResolvers<void>();
  const flow = provisionFlow([
    {
      stage: 'Creating',
      run: async () => {
        await gate.promise;
        return done();
      },
    },
  ]);
  const deletion = {
    ...provisionFlow([{ stage: 'Deleting', run: async () => done({ runtime: { deleted: true } }) }]),
    kind: 'Deprovision' as const,
  };
  await startEngine({ database, flows: [flow, deletion] });
  const first = await provision(database, flow);
  await assert.rejects(deprovision(database, first, deletion), {
    code: 'OPERATION_IN_PROGRESS',
    message: `cannot start new operation for ${first.runtimeId} Runtime while previous one is in progress: Provision ${first.id}`,
  });
  gate.resolve();
  await ended(database, first);
  const second = await deprovision(database, first, deletion);
  await ended(database, second);
  const found = await findRuntime({ database, tenant, runtimeId: first.runtimeId });
  assert.ok(found?.runtime.deletedAt instanceof Date);
  const another = {
    ...{ database, tenant, runtimeId: first.runtimeId, operationId: newOperationId() },
    ...{ startMessage: 'Starting', firstStage: 'One' },
  };
  await assert.rejects(acceptOperation({ ...another, kind: 'Hibernate' }), { code: 'NOT_FOUND' });
  assert.equal((await ended(database, await deprovision(database, first, deletion))).state, 'Succeeded');
});
