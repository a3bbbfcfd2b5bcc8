import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { FaultAction, FaultRule } from '../../landscape/control/faults.ts';
import { eventually } from '../harness/eventually.ts';
import { orderOf } from './orders.ts';
import { type Accepted, openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;
const nothing = { shoots: [], clusters: [], directorRuntimes: [] };

/** One line for each kind of request that is sent to the Garden; a dry run is not among them. */
const requests: Readonly<Record<string, Pick<FaultRule, 'method' | 'path'>>> = {
  create: { method: 'POST', path: '/shoots\\?(?!.*dryRun)' },
  kubeconfig: { method: 'POST', path: '/adminkubeconfig' },
  confirm: { method: 'PATCH', path: '/shoots/' },
  delete: { method: 'DELETE', path: '/shoots/' },
};

afterEach(() => {
  control.clearFaults();
  control.clearRequests();
  control.liftShootFate();
});

const troubles: { name: string; action: FaultAction }[] = [
  { name: 'loses a reply', action: { kind: 'loseReply' } },
  { name: 'breaks a connection', action: { kind: 'drop' } },
  { name: 'fails inside', action: { kind: 'status', status: 500 } },
  { name: 'is busy', action: { kind: 'status', status: 429, headers: { 'retry-after': '1' } } },
  { name: 'is restarting', action: { kind: 'status', status: 503 } },
];

for (const { name, action } of troubles) {
  test(`a Garden that ${name} for every kind of request makes one cluster, and removes it`, async () => {
    for (const rule of Object.values(requests)) control.addFault({ target: 'garden', ...rule, count: 1, action });
    const { id, runtimeID } = await world.provision(orderOf());
    await world.succeeded(id);
    await world.succeeded(await world.deprovision(runtimeID));
    assert.deepEqual(
      control.faults().map(({ hits }) => hits),
      [1, 1, 1, 1],
    );
    assert.equal(
      creations().filter((status) => status === 201 || (status === 0 && action.kind === 'loseReply')).length,
      1,
    );
    assert.deepEqual(control.inventory(), nothing);
  });
}

describe('the shared watch of Shoots', () => {
  /** Sooner than an operation that nobody wakes looks by itself. */
  const byTheWatch = { within: 120_000 };

  async function stuck(): Promise<Accepted> {
    control.setShootFate('*', { kind: 'stuck' });
    const accepted = await world.provision(orderOf());
    await world.reaches(accepted.id, 'the creation', ({ progress }) => progress === 14);
    return accepted;
  }

  async function goesOn({ id, runtimeID }: Accepted): Promise<void> {
    control.liftShootFate();
    await world.reaches(id, 'success', ({ state }) => state === 'Succeeded', byTheWatch);
    await world.succeeded(await world.deprovision(runtimeID));
  }

  const endings: Readonly<Record<string, () => void>> = {
    'is reset': () => control.dropWatches('garden', 'reset'),
    'is closed': () => control.dropWatches('garden', 'close'),
    'has expired': () => control.expireWatches('garden'),
  };
  for (const [name, end] of Object.entries(endings)) {
    test(`wakes operations also after it ${name}`, async () => {
      const accepted = await stuck();
      end();
      await goesOn(accepted);
    });
  }

  test('catches up on what happened while the Garden was out of reach', async () => {
    const accepted = await stuck();
    control.addFault({ target: 'garden', action: { kind: 'drop' } });
    control.dropWatches('garden');
    await eventually('the informer to have tried', () => control.faults().some(({ hits }) => hits > 0));
    control.liftShootFate();
    control.clearFaults();
    await goesOn(accepted);
  });
});

/** The statuses of the answers to creations of Shoots; 0 for a broken connection. */
function creations(): number[] {
  const creation = new RegExp(requests.create?.path ?? '');
  return control.requests('garden').flatMap(({ method, path, status }) => {
    return method === 'POST' && creation.test(path) ? [status] : [];
  });
}
