import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ClusterChange, ClusterObservation, ClusterOrder } from '../../src/clusters/cluster-driver.ts';
import { Failure } from '../../src/domain/failures.ts';
import { newOperationId, newRuntimeId } from '../../src/domain/ids.ts';
import { eventually } from '../harness/eventually.ts';
import type { DriverWorld } from './cluster-driver-suite.ts';

/** Changes of a cluster that was made for an order. */
export interface SampleChanges {
  readonly possible: ClusterChange;
  /** Refused at this path. */
  readonly impossible: { readonly change: ClusterChange; readonly path: string };
}

interface Tested {
  readonly world: DriverWorld;
  create(order: ClusterOrder): Promise<ClusterObservation>;
}

const signal = AbortSignal.timeout(120_000);

/** What every driver promises about changes of clusters that are there. */
export function clusterChangeSuite(
  test: (name: string, run: (context: TestContext) => Promise<void>) => void,
  tested: () => Tested,
): void {
  /** A cluster, and what can be done with it. */
  async function start(context: TestContext) {
    const { world, create } = tested();
    const { driver, changes } = world;
    if (!changes) {
      context.skip('nothing changes clusters here');
      return undefined;
    }
    const order = world.newOrder();
    await create(order);
    const ready = (since: string) =>
      eventually('the change to be there', async () => {
        const seen = await driver.observe(order, signal, { since });
        assert.notEqual(seen.state, 'failed');
        return seen.state === 'ready';
      });
    return { world, driver, order, ready, ...changes(order) };
  }

  test('a change is planned and checked without being made, then made, and is nothing the second time', async (t) => {
    const started = await start(t);
    if (!started) return;
    const { driver, possible, ready, order } = started;
    const checked = await driver.checkChange(possible, signal, { mustAnswer: true });
    assert.deepEqual([checked.problems, checked.kept], [[], []]);
    const plan = await driver.planChange(possible, signal);
    assert.deepEqual(
      plan.flatMap(({ fields }) => fields.map(({ field }) => field)),
      possible.fields,
    );
    assert.ok(plan.every(({ subject }) => subject.includes(order.cluster.name)));

    const { revision, kept } = await driver.change(possible, newOperationId(), signal);
    assert.deepEqual(kept, []);
    await ready(revision);
    assert.deepEqual(await driver.planChange(possible, signal), []);
    const again = await driver.change(possible, newOperationId(), signal);
    await ready(again.revision);
  });

  test('while a change is at work, no look with its revision finds the cluster as it was', async (t) => {
    const started = await start(t);
    if (!started) return;
    const { world, driver, order, possible, ready } = started;
    world.hold(order);
    const { revision } = await driver.change(possible, newOperationId(), signal);
    for (let look = 0; look < 10; look++) {
      assert.equal((await driver.observe(order, signal, { since: revision })).state, 'changing');
    }
    world.letGo(order);
    await ready(revision);
  });

  test('what cannot become of a cluster is a problem at its field', async (t) => {
    const started = await start(t);
    if (!started) return;
    const { problems } = await started.driver.checkChange(started.impossible.change, signal);
    assert.deepEqual(
      problems.map(({ path }) => path),
      [started.impossible.path],
      JSON.stringify(problems),
    );
  });

  test("a cluster that is another Runtime's, or gone, is a lost one and left alone", async (t) => {
    const started = await start(t);
    if (!started) return;
    const { driver, order, possible } = started;
    const foreign = { ...possible, order: { ...possible.order, runtimeId: newRuntimeId() } };
    const [problem, ...others] = (await driver.checkChange(foreign, signal)).problems;
    assert.deepEqual([problem?.code, problem?.path, others], ['CLUSTER_LOST', '', []]);
    await assert.rejects(driver.change(foreign, newOperationId(), signal), { code: 'CLUSTER_LOST' });
    await assert.rejects(driver.planChange(foreign, signal), { code: 'CLUSTER_LOST' });
    assert.equal((await driver.observe(order, signal)).state, 'ready');
    assert.ok((await driver.planChange(possible, signal)).length > 0, 'nothing was changed');
  });

  test('a provider that does not answer while a caller waits finds no problem with a change', async (t) => {
    const started = await start(t);
    if (!started) return;
    const { driver, possible } = started;
    const tooLate = AbortSignal.abort(new DOMException('too late', 'TimeoutError'));
    const checked = await driver.checkChange(possible, tooLate);
    assert.deepEqual(checked, { problems: [], target: possible.target, kept: [] });
  });

  test('a provider that is down finds no problem with a change, unless it must answer, and is asked again', async (t) => {
    const started = await start(t);
    if (!started) return;
    const { world, driver, possible, ready } = started;
    world.goDown();
    try {
      const checked = await driver.checkChange(possible, signal);
      assert.deepEqual(checked, { problems: [], target: possible.target, kept: [] });
      const mustAnswer = driver.checkChange(possible, AbortSignal.timeout(10_000), { mustAnswer: true });
      await assert.rejects(mustAnswer, { code: 'CLUSTER_PROVIDER_UNAVAILABLE' });
      await assert.rejects(driver.change(possible, newOperationId(), signal), (error) => !(error instanceof Failure));
    } finally {
      world.comeBack();
    }
    await ready((await driver.change(possible, newOperationId(), signal)).revision);
  });
}
