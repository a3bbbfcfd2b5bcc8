import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseAddress } from '../../scripts/crash/fleet.ts';
import { liveThrough } from '../../scripts/crash/live-through.ts';
import { lives } from '../../scripts/crash/lives.ts';
import type { Place } from '../../scripts/crash/places.ts';
import { testDatabase } from '../harness/postgres.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/** After the first effect that each stage has in each place outside, and each kind of operation in the database. */
function firstOfEach(): (place: Place) => boolean {
  const chosen = new Map<string, Place>();
  return (place) => {
    const [moment, stage = '', target] = place.split(' ');
    const key = `${target === 'database' ? stage.split('/')[0] : stage} ${target}`;
    if (moment === 'after' && !chosen.has(key)) chosen.set(key, place);
    return chosen.get(key) === place;
  };
}

async function address(): Promise<DatabaseAddress> {
  const { host, port, user, password, name } = (await testDatabase()).settings;
  return { host, port, user, password: password.reveal(), database: name };
}

// The short form of `npm run crash`, with what the other tests of this folder leave out: GKE, and what others take over
// from a replica whose last effect nobody was told of.
test('three replicas die one after the other right after what they did, and a Runtime on GKE comes and goes', {
  timeout: 420_000,
}, async (t) => {
  const [whole] = lives.filter(({ name }) => name === 'gke');
  assert.ok(whole);
  const life = { ...whole, steps: whole.steps.filter(({ kind }) => kind === 'Deprovision') };
  const live = async (more: Pick<Parameters<typeof liveThrough>[0], 'replicas' | 'isWanted' | 'calm'>) =>
    liveThrough({
      ...{ life, patience: 200_000, signal: t.signal, database: await address(), directory: temporaryFolder() },
      ...{ ...more, onDeath: (place) => t.diagnostic(`killed ${place}`) },
    });
  const { done: calm, places: none } = await live({ replicas: 1, isWanted: () => false });
  assert.deepEqual(none, []);
  const { places } = await live({ replicas: 3, isWanted: firstOfEach(), calm });
  for (const place of [
    'after Provision/CreatingCluster gke POST clusters',
    'after Provision/ConnectRuntimeAgent director POST requestOneTimeTokenForRuntime',
    'after Deprovision/DeprovisionCluster gke DELETE clusters',
    'after Deprovision/ReleasingCloudResources cluster DELETE services',
    'after Deprovision/UnregisteringRuntime director POST unregisterRuntime',
  ] as const) {
    assert.ok(places.includes(place), place);
  }
});
