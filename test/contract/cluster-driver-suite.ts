import assert from 'node:assert/strict';
import { after, before, describe, test as nodeTest, type TestContext } from 'node:test';
import type { ClusterDriver, ClusterObservation, ClusterOrder } from '../../src/clusters/cluster-driver.ts';
import { Failure, type FailureCode } from '../../src/domain/failures.ts';
import { newOperationId, newRuntimeId } from '../../src/domain/ids.ts';
import { kubernetesClient } from '../../src/kubernetes/client.ts';
import { parseKubeconfig } from '../../src/kubernetes/kubeconfig.ts';
import { eventually } from '../harness/eventually.ts';
import { clusterChangeSuite, type SampleChanges } from './cluster-change-suite.ts';
import { clusterOwnedSuite, type OwnedSearchWorld } from './cluster-owned-suite.ts';

/** A driver with the provider that it talks to, and what a test may do to that provider. */
export interface DriverWorld extends AsyncDisposable {
  readonly driver: ClusterDriver;
  /** Every wake key announced so far. */
  readonly woken: readonly string[];
  /** A valid order, for another Runtime and under another name each time. */
  newOrder(): ClusterOrder;
  /** An order that only the provider finds fault with. */
  rejectedOrder(): { readonly order: ClusterOrder; readonly words: RegExp };
  /** The next creation takes effect, but its answer does not arrive. */
  loseNextCreateReply(): void;
  /** The provider answers nothing useful until it comes back. */
  goDown(): void;
  comeBack(): void;
  /** Makes the cluster of this order, made or not, wait until it is let go. */
  hold(order: ClusterOrder): void;
  letGo(order: ClusterOrder): void;
  /** Makes the creation end in a failure that the caller has to do something about. */
  doom(order: ClusterOrder): void;
  /** Makes the provider refuse to hibernate the cluster. Not given: clusters of this driver cannot sleep. */
  forbidHibernation?(order: ClusterOrder): void;
  /** Changes of the cluster of this order. Not given: nothing changes clusters here. */
  changes?(order: ClusterOrder): SampleChanges;
  /** Not given: nothing is searched for here. */
  readonly owned?: OwnedSearchWorld;
  /** How many clusters of that name the provider has. */
  countUpstream(order: ClusterOrder): number | Promise<number>;
}

const signal = AbortSignal.timeout(120_000);

export interface SuiteOptions {
  readonly open: () => Promise<DriverWorld>;
  /** The tests that this world can carry; all, when not given. */
  readonly only?: readonly string[];
}

type RunTest = (name: string, run: (context: TestContext) => Promise<void>) => void;

/** What every driver promises, whatever makes its clusters. */
export function clusterDriverSuite(name: string, { open, only }: SuiteOptions): void {
  const left = new Set(only);
  const test: RunTest = (testName, run) => {
    if (only === undefined || left.delete(testName)) nodeTest(testName, run);
  };
  describe(`cluster driver ${name}`, () => {
    let world: DriverWorld;
    let driver: ClusterDriver;
    before(async () => {
      world = await open();
      driver = world.driver;
    });
    after(() => world[Symbol.asyncDispose]());

    const reach = (order: ClusterOrder, ...states: ClusterObservation['state'][]) =>
      eventually(`the cluster is ${states.join(' or ')}`, async () => {
        const seen = await driver.observe(order, signal);
        return states.includes(seen.state) ? seen : undefined;
      });
    const create = async (order: ClusterOrder) => {
      await driver.create(order, newOperationId(), signal);
      return reach(order, 'ready');
    };

    test('an order without a mistake has no problem, and checking makes nothing', async () => {
      const order = world.newOrder();
      assert.deepEqual(await driver.check(order), []);
      assert.equal(await world.countUpstream(order), 0);
    });

    test("what only the provider finds is told in the provider's words, and at the creation, too", async () => {
      const { order, words } = world.rejectedOrder();
      const problems = await driver.check(order);
      assert.equal(problems.length, 1, JSON.stringify(problems));
      assert.match(problems[0]?.message ?? '', words);
      assert.match(problems[0]?.path ?? '', /^config\.clusterConfig\./);
      await assertFailure(driver.create(order, newOperationId(), signal), 'CLUSTER_REJECTED', words);
      assert.equal(await world.countUpstream(order), 0);
    });

    test('a provider that is down finds no problem, and a creation is tried again later', async () => {
      const order = world.newOrder();
      world.goDown();
      try {
        assert.deepEqual(await driver.check(order), []);
        await assertTransient(driver.create(order, newOperationId(), signal));
        await assertTransient(driver.observe(order, signal));
        await assertTransient(driver.requestDeletion(order, signal));
      } finally {
        world.comeBack();
      }
      assert.equal((await create(order)).state, 'ready');
    });

    test('a provider that does not answer while a caller waits finds no problem, unless it must answer', async () => {
      const order = world.newOrder();
      const tooLate = AbortSignal.abort(new DOMException('too late', 'TimeoutError'));
      assert.deepEqual(await driver.check(order, tooLate), []);
      const mustAnswer = driver.check(order, tooLate, { mustAnswer: true });
      await assertFailure(mustAnswer, 'CLUSTER_PROVIDER_UNAVAILABLE', /does not answer now/);
    });

    test('a cluster is created, announces its changes, and has a domain', async () => {
      const order = world.newOrder();
      assert.equal((await driver.observe(order, signal)).state, 'absent');
      const seen = await create(order);
      assert.ok(seen.domain);
      await eventually('it is announced', () => world.woken.includes(driver.wakeKey(order)));
    });

    test('creating twice makes one cluster', async () => {
      const order = world.newOrder();
      await driver.create(order, newOperationId(), signal);
      await driver.create(order, newOperationId(), signal);
      await create(order);
      assert.equal(await world.countUpstream(order), 1);
    });

    test('a creation whose answer was lost is found and adopted', async () => {
      const order = world.newOrder();
      world.loseNextCreateReply();
      await assertTransient(driver.create(order, newOperationId(), signal));
      assert.equal(await world.countUpstream(order), 1);
      await create(order);
      assert.equal(await world.countUpstream(order), 1);
    });

    test("another Runtime's cluster of the same name is refused, not seen, not deleted", async () => {
      const theirs = world.newOrder();
      await create(theirs);
      const ours = { ...theirs, runtimeId: newRuntimeId() };
      const [problem, ...others] = await driver.check(ours);
      assert.equal(problem?.code, 'CLUSTER_NAME_TAKEN');
      assert.deepEqual(others, []);
      await assertFailure(driver.create(ours, newOperationId(), signal), 'CLUSTER_NAME_TAKEN', /is taken/);
      assert.equal((await driver.observe(ours, signal)).state, 'absent');
      await driver.requestDeletion(ours, signal);
      assert.equal((await driver.observe(theirs, signal)).state, 'ready');
    });

    test('while the provider is at work, the caller reads what it does; then the cluster wakes its operation', async () => {
      const order = world.newOrder();
      world.hold(order);
      await driver.create(order, newOperationId(), signal);
      const seen = await reach(order, 'changing');
      assert.ok(seen.state === 'changing' && seen.message !== '');
      await assertFailure(
        driver.issueKubeconfig({ order, role: 'admin', lifetimeSeconds: 600, signal }),
        'KUBECONFIG_UNAVAILABLE',
        /cannot issue a kubeconfig now/,
      );
      const before = world.woken.length;
      world.letGo(order);
      await eventually('it is announced', () => world.woken.slice(before).includes(driver.wakeKey(order)));
      await reach(order, 'ready');
    });

    test('a cluster that failed says who must act, and can be deleted', async () => {
      const order = world.newOrder();
      world.doom(order);
      await driver.create(order, newOperationId(), signal);
      const seen = await reach(order, 'failed');
      assert.ok(seen.state === 'failed');
      assert.equal(seen.failure.kind.actor, 'caller');
      world.letGo(order);
      await driver.requestDeletion(order, signal);
      // Right after the deletion was asked for, the failure of the creation must not be taken for its outcome.
      assert.notEqual((await driver.observe(order, signal)).state, 'failed');
      await reach(order, 'absent');
      assert.equal(await world.countUpstream(order), 0);
    });

    test('a cluster that the provider gave up on is taken up again, as the same one', async () => {
      const order = world.newOrder();
      world.doom(order);
      await driver.create(order, newOperationId(), signal);
      const failed = await reach(order, 'failed');
      world.letGo(order);
      if (failed.state === 'failed' && failed.beyondRepair) {
        // It is made anew under its name, as the same Runtime's.
        await driver.requestDeletion(order, signal);
        await reach(order, 'absent');
        await driver.create(order, newOperationId(), signal);
      }
      await driver.retry(order, signal);
      await driver.retry(order, signal);
      // Right after it was asked for, the failure must not be taken for the new outcome.
      assert.notEqual((await driver.observe(order, signal)).state, 'failed');
      await reach(order, 'ready');
      assert.equal(await world.countUpstream(order), 1);
    });

    test('what the provider has not given up on is left alone by a retry', async () => {
      const order = world.newOrder();
      await driver.retry(order, signal);
      assert.equal((await driver.observe(order, signal)).state, 'absent');
      await create(order);
      await driver.retry(order, signal);
      assert.equal((await driver.observe(order, signal)).state, 'ready');

      const theirs = world.newOrder();
      world.doom(theirs);
      await driver.create(theirs, newOperationId(), signal);
      await reach(theirs, 'failed');
      world.letGo(theirs);
      await driver.retry({ ...theirs, runtimeId: newRuntimeId() }, signal);
      assert.equal((await driver.observe(theirs, signal)).state, 'failed');
    });

    test('what remains is told by the provider itself, and is nothing for a foreign cluster', async () => {
      const order = world.newOrder();
      const nothing = { cluster: false, words: [] };
      assert.deepEqual(await driver.remains(order, signal), nothing);
      await create(order);
      const { cluster, words } = await driver.remains(order, signal);
      assert.deepEqual([cluster, words.length], [true, 1]);
      assert.match(words[0] ?? '', /is ready$/);
      assert.deepEqual(await driver.remains({ ...order, runtimeId: newRuntimeId() }, signal), nothing);
      world.goDown();
      await assertTransient(driver.remains(order, signal)).finally(() => world.comeBack());
      world.hold(order);
      await driver.requestDeletion(order, signal);
      world.letGo(order);
      await reach(order, 'absent');
      assert.deepEqual(await driver.remains(order, signal), nothing);
    });

    test('the manifests tell what would be made, and make nothing', async () => {
      const order = world.newOrder();
      const manifests = await driver.manifests(order);
      assert.ok(manifests.length > 0);
      assert.ok(JSON.stringify(manifests).includes(order.cluster.name));
      assert.equal(await world.countUpstream(order), 0);
      await driver.create(order, newOperationId(), signal);
      assert.deepEqual(await driver.manifests(order), manifests);
    });

    test('a provider that must answer a check is not taken to agree by its silence', async () => {
      world.goDown();
      try {
        const check = driver.check(world.newOrder(), AbortSignal.timeout(10_000), { mustAnswer: true });
        await assertFailure(check, 'CLUSTER_PROVIDER_UNAVAILABLE', /does not answer now/);
      } finally {
        world.comeBack();
      }
    });

    test('deleting may be asked for again at any time, and absence is announced', async () => {
      const order = world.newOrder();
      await create(order);
      await driver.requestDeletion(order, signal);
      await driver.requestDeletion(order, signal);
      await reach(order, 'absent');
      await driver.requestDeletion(order, signal);
      assert.equal(await world.countUpstream(order), 0);
      const key = driver.wakeKey(order);
      await eventually('the last change is announced', () => world.woken.at(-1) === key);
    });

    test('a name is free again once its cluster is gone', async () => {
      const order = world.newOrder();
      await create(order);
      await driver.requestDeletion(order, signal);
      await reach(order, 'absent');
      await create({ ...order, runtimeId: newRuntimeId() });
    });

    hibernationSuite(test, () => ({ world, create, reach }));

    clusterChangeSuite(test, () => ({ world, create }));
    clusterOwnedSuite(test, () => ({ world, create }));

    test('an issued kubeconfig is self-contained, expires, and works', async () => {
      const order = world.newOrder();
      await create(order);
      const { kubeconfig, expiresAt } = await driver.issueKubeconfig({ order, role: 'admin', lifetimeSeconds: 1_800 });
      const minutes = ((expiresAt?.getTime() ?? 0) - Date.now()) / 60_000;
      assert.ok(minutes > 25 && minutes <= 31, `${minutes} minutes`);
      const connection = parseKubeconfig({ text: kubeconfig, source: 'issued' });
      const client = kubernetesClient({ connection, fieldManager: 'tester' });
      try {
        const namespaces = { apiVersion: 'v1', plural: 'namespaces', namespaced: false };
        const { items } = await client.list(namespaces);
        assert.ok(items.some(({ metadata }) => metadata.name === 'kube-system'));
      } finally {
        await client.close();
      }
    });

    test('a cluster that does not exist issues no kubeconfig', async () => {
      const order = world.newOrder();
      await assertFailure(
        driver.issueKubeconfig({ order, role: 'admin', lifetimeSeconds: 600 }),
        'KUBECONFIG_UNAVAILABLE',
        /./,
      );
    });
    assert.deepEqual([...left], [], 'there are no such tests');
  });
}

interface Tested {
  readonly world: DriverWorld;
  create(order: ClusterOrder): Promise<ClusterObservation>;
  reach(order: ClusterOrder, ...states: ClusterObservation['state'][]): Promise<ClusterObservation>;
}

function hibernationSuite(test: RunTest, tested: () => Tested): void {
  const changes = ['hibernate', 'wakeUp'] as const;

  test('a cluster is hibernated and woken up, as often as it is asked for, where clusters can sleep', async () => {
    const { world, create, reach } = tested();
    const { driver } = world;
    const order = world.newOrder();
    const { hibernation } = await create(order);
    if (!world.forbidHibernation) {
      assert.equal(hibernation, undefined);
      for (const change of changes) {
        await assertFailure(driver.checkHibernation(order, change, signal), 'NOT_SUPPORTED', /hibernat/);
        await assertFailure(driver.changeHibernation(order, change, signal), 'NOT_SUPPORTED', /hibernat/);
      }
      return;
    }
    assert.deepEqual(hibernation, { wanted: false, hibernated: false });
    for (const [change, state] of [
      ['hibernate', 'hibernated'],
      ['wakeUp', 'ready'],
    ] as const) {
      await driver.checkHibernation(order, change, signal);
      const since = await driver.changeHibernation(order, change, signal);
      assert.equal(await driver.changeHibernation(order, change, signal), since);
      const other = state === 'ready' ? 'hibernated' : 'ready';
      assert.notEqual((await driver.observe(order, signal, { since })).state, other);
      const seen = await reach(order, state);
      const asleep = change === 'hibernate';
      assert.deepEqual(seen.hibernation, { wanted: asleep, hibernated: asleep });
      const kubeconfig = driver.issueKubeconfig({ order, role: 'admin', lifetimeSeconds: 600, signal });
      if (asleep) await assertFailure(kubeconfig, 'KUBECONFIG_UNAVAILABLE', /is hibernated .* wake it up/);
      else await kubeconfig;
    }
    assert.equal(await world.countUpstream(order), 1);
  });

  test('a hibernation that the provider refuses is refused in its words, by the check and by the change', async (t) => {
    const { world, create } = tested();
    if (!world.forbidHibernation) return t.skip('clusters of this driver cannot sleep');
    const { driver } = world;
    const order = world.newOrder();
    await create(order);
    world.forbidHibernation(order);
    await eventually('it is known', async () => (await driver.observe(order, signal)).hibernation?.obstacle);
    const words = /^cannot hibernate cluster: .*problematic/;
    await assertFailure(driver.checkHibernation(order, 'hibernate', signal), 'HIBERNATION_REFUSED', words);
    await assertFailure(driver.changeHibernation(order, 'hibernate', signal), 'HIBERNATION_REFUSED', words);
    await driver.checkHibernation(order, 'wakeUp', signal);
    assert.equal((await driver.observe(order, signal)).state, 'ready');
  });

  test("another Runtime's cluster is not put to sleep, and a provider that is down is asked later", async (t) => {
    const { world, create } = tested();
    if (!world.forbidHibernation) return t.skip('clusters of this driver cannot sleep');
    const { driver } = world;
    const theirs = world.newOrder();
    await create(theirs);
    const ours = { ...theirs, runtimeId: newRuntimeId() };
    for (const change of changes) {
      await assertFailure(driver.checkHibernation(ours, change, signal), 'HIBERNATION_REFUSED', /does not exist$/);
      await assertFailure(driver.changeHibernation(ours, change, signal), 'CLUSTER_LOST', /does not exist any more/);
    }
    world.goDown();
    try {
      await driver.checkHibernation(theirs, 'hibernate', signal);
      await assertTransient(driver.changeHibernation(theirs, 'hibernate', signal));
    } finally {
      world.comeBack();
    }
    assert.equal((await driver.observe(theirs, signal)).state, 'ready');
  });

  test('a cluster is deleted in its sleep', async (t) => {
    const { world, create, reach } = tested();
    if (!world.forbidHibernation) return t.skip('clusters of this driver cannot sleep');
    const { driver } = world;
    const order = world.newOrder();
    await create(order);
    await driver.changeHibernation(order, 'hibernate', signal);
    await reach(order, 'hibernated');
    assert.deepEqual((await driver.remains(order, signal)).words, ['Shoot is hibernated']);
    await driver.requestDeletion(order, signal);
    await reach(order, 'absent');
    assert.equal(await world.countUpstream(order), 0);
  });
}

async function assertFailure(call: Promise<unknown>, code: FailureCode, words: RegExp): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof Failure, `not a Failure: ${error}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

/** For a stage, everything but a Failure means: try again. */
async function assertTransient(call: Promise<unknown>): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(!(error instanceof Failure), `a Failure: ${error}`);
    return true;
  });
}
