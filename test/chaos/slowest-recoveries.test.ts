import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeRecovery, slowestRecoveries } from '../../scripts/chaos/slowest-recoveries.ts';
import { second, wellDone } from './a-history.ts';

test('what took longest after the last fault is told with where it stood for longest', () => {
  // The last fault ends at 8,000; the upgrade ends at 30,000 and is nobody's from 15,000 to 16,000.
  const [recovery, ...others] = slowestRecoveries(wellDone, 10);
  assert.ok(recovery);
  assert.deepEqual(others, [], 'what had ended by then');
  assert.equal(recovery.took, 22_000);
  assert.equal(recovery.longest.process, second);
  assert.equal(
    describeRecovery(recovery),
    `Upgrade upgrade ended 22.0 s after the last fault; for 14.0 s of them process ${second} had it, after StageDone CreatingCluster`,
  );
});

test('what has not ended comes first, with who has it', () => {
  const [provision, upgrade] = wellDone.operations;
  assert.ok(provision && upgrade);
  const history = {
    ...wellDone,
    operations: [provision, { ...upgrade, state: 'InProgress' as const, endings: [] }],
    events: wellDone.events.filter(({ type, operationId }) => operationId !== 'upgrade' || type !== 'Succeeded'),
    holds: wellDone.holds.filter(({ attempt }) => attempt === 1),
    disturbances: [{ kind: 'kill' as const, from: 2_000, to: 2_500 }],
  };
  const [first, next] = slowestRecoveries(history, 10).map(describeRecovery);
  assert.match(first ?? '', /^Upgrade upgrade has not ended; for 25\.0 s of them nobody had it, after StageDone/);
  assert.match(next ?? '', /^Provision provision ended 0\.5 s after the last fault; .* process 101 had it/);
});
