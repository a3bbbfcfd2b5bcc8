import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ClusterObservation, ClusterOrder } from '../../src/clusters/cluster-driver.ts';
import type { OwnedObject } from '../../src/domain/owned-objects.ts';
import { tenantMark } from '../../src/domain/tenant-mark.ts';
import { eventually } from '../harness/eventually.ts';
import type { DriverWorld } from './cluster-driver-suite.ts';

/** Where the clusters of `newOrder` are found again, and what this installation is called. */
export interface OwnedSearchWorld {
  readonly scope: string;
  readonly installation: string;
}

interface Tested {
  readonly world: DriverWorld;
  create(order: ClusterOrder): Promise<ClusterObservation>;
}

const signal = AbortSignal.timeout(120_000);

/** What every driver promises about finding what bears our mark, whoever knows its Runtime. */
export function clusterOwnedSuite(
  test: (name: string, run: (context: TestContext) => Promise<void>) => void,
  tested: () => Tested,
): void {
  async function start(context: TestContext) {
    const { world, create } = tested();
    if (!world.owned) {
      context.skip('nothing is searched for here');
      return undefined;
    }
    const { scope, installation } = world.owned;
    const { owned } = world.driver;
    const order = world.newOrder();
    await create(order);
    const find = async (): Promise<OwnedObject | undefined> => {
      const { objects } = await owned.search(scope, signal);
      return objects.find(({ name }) => name === order.cluster.name);
    };
    return { world, owned, scope, installation, order, find };
  }

  test('a cluster with our mark is found with its Runtime, its tenant and its installation, and removed', async (t) => {
    const started = await start(t);
    if (!started) return;
    const { world, owned, scope, installation, order, find } = started;
    const found = await eventually('the cluster to be found', find);
    const { runtimeId, name, createdAt } = found;
    assert.deepEqual([runtimeId, name], [order.runtimeId, order.cluster.name]);
    assert.deepEqual([found.installation, found.tenantMark], [installation, tenantMark(order.tenant)]);
    assert.ok(createdAt !== undefined && createdAt.getTime() <= Date.now());
    assert.equal(await owned.exists(found, scope, signal), true);

    await owned.remove(found, scope, signal);
    await owned.remove(found, scope, signal);
    await eventually('the cluster to be gone', async () => (await world.countUpstream(order)) === 0);
    assert.equal(await owned.exists(found, scope, signal), false);
    await owned.remove(found, scope, signal);
    await eventually('the search to know', async () => (await find()) === undefined);
  });

  test("another cluster of the name, or another Runtime's, is not what was found, and is left alone", async (t) => {
    const started = await start(t);
    if (!started) return;
    const { world, owned, scope, order, find } = started;
    const found = await eventually('the cluster to be found', find);
    for (const other of [
      { ...found, uid: crypto.randomUUID() },
      { ...found, runtimeId: crypto.randomUUID() },
    ]) {
      assert.equal(await owned.exists(other, scope, signal), false);
      await owned.remove(other, scope, signal);
    }
    assert.equal((await world.driver.observe(order, signal)).state, 'ready');
  });

  test('a provider that is down does not say that nothing is there', async (t) => {
    const started = await start(t);
    if (!started) return;
    const { world, owned, scope, find } = started;
    const found = await eventually('the cluster to be found', find);
    world.goDown();
    try {
      await assert.rejects(owned.exists(found, scope, signal));
      await assert.rejects(owned.remove(found, scope, signal));
    } finally {
      world.comeBack();
    }
    assert.equal(await owned.exists(found, scope, signal), true);
  });
}
