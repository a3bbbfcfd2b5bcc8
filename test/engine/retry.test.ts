import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, type FailureCode } from '../../src/domain/failures.ts';
import type { Tenant } from '../../src/domain/ids.ts';
import { done, fail, type Outcome, wait } from '../../src/domain/outcome.ts';
import { eventually } from '../harness/eventually.ts';
import {
  cancel,
  deprovision,
  ended,
  migratedDatabase,
  provision,
  retry,
  startEngine,
  timeline,
} from './support/engine-fixture.ts';
import { provisionFlow } from './support/flows.ts';

const quota = () => fail(new Failure('CLUSTER_FAILED', 'no quota'));

function refused(call: Promise<unknown>, code: FailureCode, words: RegExp): Promise<void> {
  return assert.rejects(call, (error) => {
    assert.ok(error instanceof Failure, String(error));
    assert.deepEqual([error.code, words.test(error.message)], [code, true], error.message);
    return true;
  });
}

/** Two stages, of which the second answers what it is told to. */
function twoStages(second: () => Promise<Outcome>) {
  const ran: string[] = [];
  const flow = provisionFlow([
    {
      stage: 'One',
      run: async ({ note }) => {
        ran.push('One');
        await note({ chosen: 'a-name' });
        return done();
      },
    },
    {
      stage: 'Two',
      run: async ({ operation }) => {
        ran.push(`Two with ${operation.notes.chosen}`);
        return second();
      },
    },
  ]);
  return { flow, ran };
}

test('a retry begins at the stage that failed, with what earlier stages noted, and names the operation that it takes up', async () => {
  const { database } = await migratedDatabase();
  let outcome = quota();
  const { flow, ran } = twoStages(async () => outcome);
  await startEngine({ database, flows: [flow] });
  const first = await ended(database, await provision(database, flow));
  assert.equal(first.state, 'Failed');
  outcome = done();
  const accepted = await retry(database, first);
  assert.deepEqual(
    [accepted.kind, accepted.stage, accepted.retryOf, accepted.message],
    ['Provision', 'Two', first.id, 'Retry started'],
  );
  const second = await ended(database, accepted);
  assert.deepEqual([second.state, second.retryOf], ['Succeeded', first.id]);
  assert.deepEqual(ran, ['One', 'Two with a-name', 'Two with a-name']);
  assert.deepEqual(await timeline(database, second), ['Accepted Two', 'StageDone Two', 'Succeeded Finished']);
  assert.deepEqual(await ended(database, first), first, 'the old operation stays as it ended');
});

test('a cancelled operation can be retried, and so can a retry', async () => {
  const { database } = await migratedDatabase();
  const { flow } = twoStages(async () => wait({ message: 'waiting', lookAgain: { from: 5, upTo: 5 } }));
  await startEngine({ database, flows: [flow] });
  let operation = await provision(database, flow);
  for (const _ of [1, 2, 3]) {
    const { id } = operation;
    await eventually('it waits', async () => (await timeline(database, operation)).includes('Waiting Two'));
    await cancel(database, operation);
    assert.deepEqual((await ended(database, operation)).cancellation, { outcome: 'Clean' });
    operation = await retry(database, operation);
    assert.deepEqual([operation.retryOf, operation.cancellation], [id, undefined]);
  }
});

test('what a retry does before all else is done once, and repeated until it was done', async () => {
  const { database } = await migratedDatabase();
  const acts: string[] = [];
  let looks = 0;
  const onRetry = {
    reads: 'it is put right',
    act: async ({ operation }: { operation: { stage: string } }) => {
      acts.push(operation.stage);
      if (acts.length < 3) throw new Error('not yet');
    },
  };
  const step = (stage: string, answer: () => Outcome) => ({ stage, run: async () => answer() });
  const soon = { from: 5, upTo: 5 };
  const flow = provisionFlow(
    [
      step('One', () => done()),
      step('Two', () => {
        looks += 1;
        if (looks === 1) return quota();
        return looks < 5 ? wait({ message: 'waiting', lookAgain: soon }) : done();
      }),
      step('Three', () => done()),
    ],
    { onRetry },
  );
  await startEngine({ database, flows: [flow] });
  const first = await ended(database, await provision(database, flow));
  assert.deepEqual([first.state, acts], ['Failed', []]);
  assert.equal((await ended(database, await retry(database, first))).state, 'Succeeded');
  assert.deepEqual(acts, ['Two', 'Two', 'Two']);
  assert.equal(looks, 5);
});

test('what cannot be retried is refused, with the reason', async () => {
  const { database } = await migratedDatabase();
  let outcome: Outcome = wait({ message: 'waiting', lookAgain: { from: 5, upTo: 5 } });
  const { flow } = twoStages(async () => outcome);
  const deprovisioning = { ...flow, kind: 'Deprovision' as const };
  await startEngine({ database, flows: [flow, deprovisioning] });
  const first = await provision(database, flow);
  await refused(retry(database, first), 'OPERATION_IN_PROGRESS', /it is still in progress$/);
  outcome = quota();
  await ended(database, first);
  await refused(retry(database, first, 'tenant-b' as Tenant), 'NOT_FOUND', /not found/);

  const second = await retry(database, first);
  await ended(database, second);
  await refused(retry(database, first), 'NOT_RETRYABLE', new RegExp(`not the newest .* is Provision ${second.id}`));
  outcome = done({ runtime: { deleted: true } });
  const gone = await ended(database, await deprovision(database, second, deprovisioning));
  await refused(retry(database, gone), 'NOT_RETRYABLE', /it has succeeded$/);
  outcome = quota();
  const again = await ended(database, await deprovision(database, second, deprovisioning));
  await refused(retry(database, again), 'NOT_RETRYABLE', /its Runtime .* is deprovisioned$/);
});

test('of retries at the same moment, one is accepted', async () => {
  const { database } = await migratedDatabase();
  // It fails so soon that a retry which comes late finds no operation in progress.
  const { flow } = twoStages(async () => quota());
  await startEngine({ database, flows: [flow] });
  for (const _ of [1, 2, 3, 4, 5]) {
    const operation = await ended(database, await provision(database, flow));
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => retry(database, operation)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      assert.ok(['OPERATION_IN_PROGRESS', 'NOT_RETRYABLE'].includes(result.reason.code), String(result.reason));
    }
  }
});
