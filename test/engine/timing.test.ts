import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done } from '../../src/domain/outcome.ts';
import { defaultTiming, retryDelay } from '../../src/engine/timing.ts';
import { eventually } from '../harness/eventually.ts';
import { deadlines } from './support/deadlines.ts';
import { ended, migratedDatabase, provision, startEngine } from './support/engine-fixture.ts';
import { provisionFlow } from './support/flows.ts';

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test('pauses between tries double up to the longest, and no two operations keep step', () => {
  const pauses = Array.from({ length: 12 }, (_, index) => retryDelay(defaultTiming.retry, index + 1, 0.5));
  assert.deepEqual(
    pauses.map((millis) => millis / 1_000),
    [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60],
  );
  assert.deepEqual([retryDelay(defaultTiming.retry, 1, 0), retryDelay(defaultTiming.retry, 1, 1)], [750, 1_250]);
  assert.ok(Number.isFinite(retryDelay(defaultTiming.retry, 1_000_000, 1)));
});

test('operations that have ended leave no timer behind, long as their time limits are', async () => {
  const { database } = await migratedDatabase();
  const flow = provisionFlow([
    { stage: 'One', run: async () => done() },
    { stage: 'Two', run: async () => done() },
  ]);
  await startEngine({ database, flows: [flow], deadlines: deadlines({ clusterCreation: 3_600_000 }) });
  const burst = async () => {
    const accepted = await Promise.all(Array.from({ length: 50 }, () => provision(database, flow)));
    await Promise.all(accepted.map((operation) => ended(database, operation)));
  };
  // After it, there are as many connections to the database as there will be, and their timers.
  await burst();
  const before = timers();
  await burst();
  await eventually('the timers to be gone', async () => timers() <= before + 5);
});
