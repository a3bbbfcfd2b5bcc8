import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Shoot } from '../../../src/clusters/gardener/shoot/shoot.ts';
import { isBefore, revisionOf } from '../../../src/clusters/gardener/shoot/shoot-revision.ts';

function shoot(uid: string, generation: number): Shoot {
  return { apiVersion: 'core.gardener.cloud/v1beta1', kind: 'Shoot', metadata: { name: 'c', uid, generation } };
}

const revision = revisionOf(shoot('a', 10));

const cases: readonly (readonly [because: string, read: Shoot, before: boolean])[] = [
  ['an older generation, whatever its digits', shoot('a', 9), true],
  ['the same generation', shoot('a', 10), false],
  ['a newer generation', shoot('a', 11), false],
  ['another Shoot of the same name', shoot('b', 1), false],
];

describe('a Shoot as it was read, and a revision', () => {
  for (const [because, read, before] of cases) {
    test(`${because} is ${before ? '' : 'not '}before it`, () => assert.equal(isBefore(read, revision), before));
  }
});
