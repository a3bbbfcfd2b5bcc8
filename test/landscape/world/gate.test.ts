import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { HeldRequest } from '../../../landscape/control/gate.ts';
import { eventually } from '../../harness/eventually.ts';
import { gcpShoot } from './shoots.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
const { control } = world.landscape;
const register = (name: string) => ({ query: `mutation { result: registerRuntime(in: { name: "${name}" }) { id } }` });
const entries = (name: string) => control.inventory().directorRuntimes.filter((entry) => entry.name === name).length;

/** Breaks what is asked for, at that moment. */
function breakAt(moment: HeldRequest['moment']): HeldRequest[] {
  const held: HeldRequest[] = [];
  control.keepGate(async (request) => {
    if (request.method === 'GET' || request.target === 'oauth') return true;
    held.push(request);
    return request.moment !== moment;
  });
  return held;
}

afterEach(() => control.keepGate(undefined));

describe('who keeps the gate', () => {
  for (const [moment, isMade] of [
    ['arrived', false],
    ['carried-out', true],
  ] as const) {
    it(`breaks a request to the Garden that has ${moment}, and it has ${isMade ? 'its' : 'no'} effect`, async () => {
      const held = breakAt(moment);
      await assert.rejects(world.createShoot(gcpShoot(moment)));
      assert.equal((await world.shoot(moment)) !== undefined, isMade);
      assert.deepEqual(
        held.map((request) => [request.target, request.method, request.moment]),
        [['garden', 'POST', 'arrived'] as const, ['garden', 'POST', 'carried-out'] as const].slice(0, held.length),
      );
      assert.equal(held.length, isMade ? 2 : 1);
    });

    it(`breaks a request to the Director that has ${moment}, and it has ${isMade ? 'its' : 'no'} effect`, async () => {
      const held = breakAt(moment);
      await assert.rejects(world.director(register(moment)));
      assert.equal(entries(moment), isMade ? 1 : 0);
      assert.ok(String(held[0]?.body).includes('registerRuntime'));
    });
  }

  it('holds a request for as long as it likes, and knows it again when it was carried out', async () => {
    const arrived = Promise.withResolvers<HeldRequest>();
    const release = Promise.withResolvers<boolean>();
    const carriedOut = Promise.withResolvers<HeldRequest>();
    control.keepGate(async (request) => {
      if (request.target !== 'director') return true;
      if (request.moment === 'carried-out') carriedOut.resolve(request);
      else arrived.resolve(request);
      return release.promise;
    });
    const answer = world.director(register('held'));
    const first = await arrived.promise;
    assert.equal(entries('held'), 0);
    release.resolve(true);
    assert.deepEqual((await answer).errors, []);
    assert.equal((await carriedOut.promise).headers, first.headers);
    await eventually('the entry', () => entries('held') === 1);
  });
});
