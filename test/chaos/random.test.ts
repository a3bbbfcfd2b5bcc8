import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawFaults } from '../../scripts/chaos/faults.ts';
import { faultKinds } from '../../scripts/chaos/history.ts';
import { planLife } from '../../scripts/chaos/life-plan.ts';
import { seededRandom } from '../../scripts/chaos/random.ts';

const choices = (seed: string) => {
  const random = seededRandom(seed);
  const faults = drawFaults({ random: random.fork('faults'), replicas: 3 });
  return {
    faults: Array.from({ length: 30 }, () => faults.next().value),
    lives: Array.from({ length: 30 }, (_, index) => planLife(index, random.fork(`life-${index}`))),
  };
};

test('the same seed makes the same choices, and another one makes others', () => {
  assert.deepEqual(choices('one'), choices('one'));
  assert.notDeepEqual(choices('one'), choices('two'));
});

test('every fault has its turn, again and again', () => {
  const { faults } = choices('one');
  for (const round of [0, 1, 2]) {
    const kinds = faults.slice(round * faultKinds.length, (round + 1) * faultKinds.length).map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), [...faultKinds].toSorted());
  }
  assert.deepEqual([...new Set(faults.map(({ replica }) => replica))].toSorted(), [0, 1, 2]);
});

test('lives are of every sort', () => {
  const { lives } = choices('one');
  for (const what of ['upgrade', 'upgradeShoot', 'sleep', 'reconnect']) {
    assert.ok(
      lives.some(({ steps }) => steps.some((step) => step.what === what)),
      what,
    );
  }
  assert.ok(lives.some(({ beginning }) => typeof beginning === 'object'));
  assert.ok(lives.some(({ beginning }) => beginning === 'fails'));
  assert.deepEqual([...new Set(lives.map(({ end }) => end))].toSorted(), ['deprovision', 'in-the-middle', 'stay']);
  assert.deepEqual([...new Set(lives.map(({ driver }) => driver))].toSorted(), ['gardener', 'gke']);
});
