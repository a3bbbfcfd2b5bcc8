import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHistory } from '../../scripts/chaos/check-history.ts';
import { describeRun } from '../../scripts/chaos/describe-run.ts';
import { runChaos } from '../../scripts/chaos/run-chaos.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/** What leaves one replica alone: the one whose clock is off. With this seed the zombie comes first. */
const faults = ['kill', 'zombie', 'postgres-restart', 'upstream-errors', 'lost-replies', 'dropped-watches'] as const;

// The short form of `npm run chaos`.
test('three replicas keep every promise while they are killed and frozen and everything around them fails', async (t) => {
  const log: string[] = [];
  const run = await runChaos({
    ...{ seed: 'short-82', replicas: 3, pace: 'instant', clockOffset: 60_000, faults },
    ...{ operations: 150, atOnce: 10, longest: 12_500, faultEvery: 2_000 },
    // A request to the Garden may wait for its answer for a minute before it is sent again.
    patience: 120_000,
    ...{ directory: temporaryFolder(), log: (line) => void log.push(line), signal: t.signal },
  });
  const { history, journal } = run;
  const story = [...log, describeRun(run, checkHistory(history))].join('\n');
  t.diagnostic(story);
  assert.deepEqual(checkHistory(history), [], story);
  assert.deepEqual(journal.complaints, [], story);
  // Or all of this would prove little.
  const kinds = new Set(history.operations.map(({ kind }) => kind));
  assert.ok(kinds.size >= 2 && history.operations.length >= 10, story);
  const made = new Set(history.disturbances.map(({ kind }) => kind));
  assert.deepEqual([...made].toSorted(), [...faults].toSorted(), story);
});
