import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { errorCodes } from '../../../landscape/garden/shoot-fates.ts';
import type { ClusterObservation } from '../../../src/clusters/cluster-driver.ts';
import type { GardenerOrder } from '../../../src/clusters/gardener/gardener-order.ts';
import { shootKind } from '../../../src/clusters/gardener/shoot/shoot.ts';
import { RuntimeClusterAccess } from '../../../src/clusters/runtime-cluster-access.ts';
import { Failure } from '../../../src/domain/failures.ts';
import { gardenerProviders } from '../../../src/domain/gardener-config.ts';
import { newOperationId, parseTenant } from '../../../src/domain/ids.ts';
import { kubernetesClient } from '../../../src/kubernetes/client.ts';
import { parseKubeconfig } from '../../../src/kubernetes/kubeconfig.ts';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-error.ts';
import { type GardenerWorld, openGardenerWorld } from '../../contract/gardener-world.ts';
import { eventually } from '../../harness/eventually.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { configs, newOrder } from './orders.ts';

const signal = AbortSignal.timeout(120_000);
const namespaces = { apiVersion: 'v1', plural: 'namespaces', namespaced: false };

let world: GardenerWorld;
before(async () => {
  world = await openGardenerWorld();
});
after(() => world[Symbol.asyncDispose]());

function create(order: GardenerOrder): Promise<void> {
  return world.driver.create(order, newOperationId(), signal);
}

function reach(order: GardenerOrder, state: ClusterObservation['state']): Promise<ClusterObservation> {
  return eventually(`the Shoot is ${state}`, async () => {
    const seen = await world.driver.observe(order, signal);
    return seen.state === state && seen;
  });
}

/** Requests to the Garden so far, the watch left out. */
function gardenRequests(): number {
  return world.landscape.control.requests('garden').filter(({ path }) => !path.includes('watch=true')).length;
}

for (const provider of gardenerProviders) {
  test(`Gardener accepts our Shoot on ${provider} as it is, and makes it`, async () => {
    const order = newOrder(configs[provider]);
    assert.deepEqual(await world.driver.check(order), []);
    await create(order);
    const seen = await reach(order, 'ready');
    assert.ok(seen.seed && seen.domain?.startsWith(`${order.cluster.name}.`));
  });
}

describe('what becomes of a Shoot on which Gardener gives up', () => {
  for (const code of errorCodes) {
    if (code === 'ERR_INFRA_RATE_LIMITS_EXCEEDED') continue;
    test(`${code} is told as the reason`, async () => {
      const order = newOrder();
      world.landscape.control.setShootFate(order.cluster.name, { kind: 'failed', codes: [code] });
      await create(order);
      const seen = await reach(order, 'failed');
      assert.ok(seen.state === 'failed');
      assert.equal(seen.failure.reason, code);
      assert.match(
        seen.failure.message,
        /^cluster provisioning failed\. Last Shoot state: Failed, Shoot description: /,
      );
    });
  }

  test('an error that Gardener tries again is waited for', async () => {
    const order = newOrder();
    const codes = ['ERR_INFRA_RESOURCES_DEPLETED'] as const;
    world.landscape.control.setShootFate(order.cluster.name, { kind: 'error', codes, times: 2 });
    await create(order);
    await reach(order, 'ready');
  });

  test("while no Seed has room, the caller reads the scheduler's words", async () => {
    const order = newOrder();
    world.landscape.control.setShootFate(order.cluster.name, { kind: 'noSeed' });
    await create(order);
    await eventually('the words are there', async () => {
      const seen = await world.driver.observe(order, signal);
      return seen.state === 'changing' && /^No Seed is assigned yet: \S/.test(seen.message);
    });
    world.landscape.control.liftShootFate(order.cluster.name);
    await reach(order, 'ready');
  });
});

test('a deletion that somebody else has to ask for is refused with what to do, and is possible afterwards', async () => {
  const projects = { apiVersion: 'core.gardener.cloud/v1beta1', plural: 'projects', namespaced: false };
  const dualApprovalForDeletion = [{ resource: 'shoots', selector: { matchLabels: { account: 'careful' } } }];
  await world.client.patch({ ...projects, name: 'dev' }, { spec: { dualApprovalForDeletion } });
  const order = { ...newOrder(), tenant: parseTenant('careful') };
  await create(order);
  await reach(order, 'ready');
  await assert.rejects(world.driver.requestDeletion(order, signal), (error) => {
    assert.ok(error instanceof Failure);
    assert.equal(error.code, 'CLUSTER_REJECTED');
    assert.match(error.message, /another subject must perform the deletion/);
    assert.match(error.nextStep ?? '', /^Have somebody else delete the Shoot .* then send deprovisionRuntime again\.$/);
    return true;
  });
  const reference = { ...shootKind, namespace: 'garden-dev', name: order.cluster.name };
  const annotations = { 'deletion.gardener.cloud/confirmed-by': 'somebody else' };
  await world.client.patch(reference, { metadata: { annotations } });
  await world.driver.requestDeletion(order, signal);
  await reach(order, 'absent');
});

test('a Garden that is still starting is not taken for a refusal', async () => {
  const order = newOrder();
  const message = `shoots.core.gardener.cloud "${order.cluster.name}" is forbidden: not yet ready to handle request`;
  world.landscape.control.addFault({
    target: 'garden',
    method: 'POST',
    path: '/shoots',
    count: 2,
    action: {
      kind: 'status',
      status: 403,
      body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 403, reason: 'Forbidden', message },
    },
  });
  assert.deepEqual(await world.driver.check(order), []);
  await assert.rejects(create(order), (error) => error instanceof KubernetesError);
  await create(order);
  await reach(order, 'ready');
});

describe('the watch', () => {
  test('answers without a request, however often a cluster is observed', async () => {
    const order = newOrder();
    await create(order);
    await reach(order, 'ready');
    const before = gardenRequests();
    for (let count = 0; count < 50; count += 1) await world.driver.observe(order, signal);
    assert.equal(gardenRequests(), before);
  });

  test('keeps what is read of a Shoot, not what others have hung on it', async () => {
    const order = newOrder();
    await create(order);
    await reach(order, 'ready');
    const reference = { ...shootKind, namespace: 'garden-dev', name: order.cluster.name };
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'x'.repeat(1_000) };
    const whole = await world.client.patch(reference, { metadata: { annotations } });
    const kept = await eventually('the change is seen', () => {
      const object = world.informer.get(order.cluster.name);
      return object?.metadata.resourceVersion === whole.metadata.resourceVersion && object;
    });
    const [lengthKept, length] = [kept, whole].map((object) => JSON.stringify(object).length) as [number, number];
    assert.ok(lengthKept < length / 3, `${lengthKept} of ${length}: ${JSON.stringify(kept)}`);
    assert.equal((await world.driver.observe(order, signal)).state, 'ready');
  });

  for (const how of ['reset', 'close', 'truncate', 'expire'] as const) {
    test(`heals after its connection ended (${how}), and nothing is missed`, async () => {
      world.landscape.control.dropWatches('garden', how);
      const order = newOrder();
      const from = world.woken.length;
      await create(order);
      await reach(order, 'ready');
      await eventually('the change is announced', () => world.woken.slice(from).includes(world.driver.wakeKey(order)));
      await eventually('it watches again', () => world.informer.state.phase === 'watching');
    });
  }

  test('lists again when the Garden has forgotten where it was, and tells what it missed', async () => {
    const order = newOrder();
    await create(order);
    await reach(order, 'ready');
    const from = world.woken.length;
    await world.driver.requestDeletion(order, signal);
    world.landscape.control.expireWatches('garden');
    await reach(order, 'absent');
    await eventually('it is announced', () => world.woken.slice(from).includes(world.driver.wakeKey(order)));
    await eventually('it watches again', () => world.informer.state.phase === 'watching');
    assert.equal(world.informer.get(order.cluster.name), undefined);
  });
});

test('a viewer can read, but neither write nor see Secrets', async () => {
  const order = newOrder();
  await create(order);
  await reach(order, 'ready');
  const { kubeconfig } = await world.driver.issueKubeconfig({ order, role: 'viewer', lifetimeSeconds: 600 });
  const connection = parseKubeconfig({ text: kubeconfig, source: 'issued' });
  const client = kubernetesClient({ connection, fieldManager: 'tester' });
  const isForbidden = (error: unknown) => error instanceof KubernetesError && error.status === 403;
  assert.ok((await client.list(namespaces)).items.length > 0);
  await assert.rejects(client.list({ apiVersion: 'v1', plural: 'secrets', namespaced: true }), isForbidden);
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'mine' } };
  await assert.rejects(client.create(namespaces, namespace), isForbidden);
  await client.close();
});

describe('access to clusters', () => {
  const accessTo = (settings: { capacity?: number } = {}) =>
    new RuntimeClusterAccess({
      drivers: { gardener: world.driver, gke: world.driver },
      fieldManager: 'tester',
      log: silentLog,
      ...settings,
    });
  const kubeconfigRequests = () =>
    world.landscape.control.requests('garden').filter(({ path }) => path.includes('adminkubeconfig')).length;

  test('a client is kept and shared, and costs one kubeconfig', async () => {
    const access = accessTo();
    const order = newOrder();
    await create(order);
    await reach(order, 'ready');
    const before = kubeconfigRequests();
    const clients = await Promise.all([access.client(order, signal), access.client(order, signal)]);
    assert.equal(clients[0], clients[1]);
    assert.ok((await clients[0].list(namespaces)).items.length > 0);
    assert.equal(await access.client(order, signal), clients[0]);
    assert.equal(kubeconfigRequests(), before + 1);
    access.forget(order);
    assert.notEqual(await access.client(order, signal), clients[0]);
    await access.close();
  });

  test('the cluster that was not asked for longest is closed when there are too many', async () => {
    const access = accessTo({ capacity: 2 });
    const orders = [newOrder(), newOrder(), newOrder()] as const;
    await Promise.all(orders.map(create));
    await Promise.all(orders.map((order) => reach(order, 'ready')));
    const [first, second, third] = orders;
    const kept = await access.client(first, signal);
    const evicted = await access.client(second, signal);
    await access.client(first, signal);
    await access.client(third, signal);
    assert.equal(access.size, 2);
    assert.equal(await access.client(first, signal), kept);
    await assert.rejects(evicted.list(namespaces), (error) => !(error instanceof Failure));
    await access.close();
  });

  test('a cluster that cannot issue a kubeconfig yet says so, and is asked again', async () => {
    const access = accessTo();
    const order = newOrder();
    world.hold(order);
    await create(order);
    await assert.rejects(access.client(order, signal), (error) => {
      assert.ok(error instanceof Error && !(error instanceof Failure), 'a Failure would end the operation');
      assert.match(error.message, /cannot issue a kubeconfig now/);
      return true;
    });
    world.letGo(order);
    await reach(order, 'ready');
    assert.ok(await access.client(order, signal));
    await access.close();
  });

  test('a caller that gives up does not disturb the others', async () => {
    const access = accessTo();
    const order = newOrder();
    await create(order);
    await reach(order, 'ready');
    const gone = new AbortController();
    const abandoned = access.client(order, gone.signal);
    const waiting = access.client(order, signal);
    gone.abort(new Error('not ours any more'));
    await assert.rejects(abandoned, /not ours any more/);
    assert.ok(await waiting);
    await access.close();
  });
});
