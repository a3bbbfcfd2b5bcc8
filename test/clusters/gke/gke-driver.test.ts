import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { gkeErrorBody } from '../../../landscape/gke/gke-error.ts';
import type { ClusterObservation, ClusterRevision } from '../../../src/clusters/cluster-driver.ts';
import type { GkeOrder } from '../../../src/clusters/gke/gke-order.ts';
import type { GcpConfig } from '../../../src/domain/gcp-config.ts';
import { newOperationId } from '../../../src/domain/ids.ts';
import { kubernetesClient } from '../../../src/kubernetes/client.ts';
import { parseKubeconfig } from '../../../src/kubernetes/kubeconfig.ts';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-error.ts';
import { openGkeWorld } from '../../contract/gke-world.ts';
import { eventually } from '../../harness/eventually.ts';
import { newOrder } from './orders.ts';

const world = await openGkeWorld();
after(() => world[Symbol.asyncDispose]());
const { driver } = world;
const { control } = world.landscape;
const signal = AbortSignal.timeout(120_000);
const key = (order: GkeOrder) => driver.wakeKey(order);

async function reach(order: GkeOrder, state: ClusterObservation['state'], since?: ClusterRevision) {
  return eventually(`the cluster to be ${state}`, async () => {
    const seen = await driver.observe(order, signal, { since });
    return seen.state === state && seen;
  });
}

async function created(changes: Partial<GcpConfig> = {}): Promise<GkeOrder> {
  const order = newOrder(changes);
  await driver.create(order, newOperationId(), signal);
  await reach(order, 'ready');
  return order;
}

const upstream = ({ cluster }: GkeOrder) =>
  control.googleInventory().clusters.find(({ name }) => name === cluster.name);
const writes = (path: RegExp) => control.requests('gke').filter((one) => one.method !== 'GET' && path.test(one.path));

describe('a cluster of GKE in trouble', () => {
  test('that is not found for a while after it was asked for is not taken for lost', async () => {
    const order = newOrder();
    control.setGkeFate(order.cluster.name, { kind: 'appearsLate', reads: 3 });
    await driver.create(order, newOperationId(), signal);
    const states = new Set<string>();
    await eventually('the cluster to be ready', async () => {
      const { state } = await driver.observe(order, signal);
      states.add(state);
      return state === 'ready';
    });
    assert.deepEqual([...states], ['changing', 'ready']);
  });

  test('for which Google limits the rate of requests is tried again, when Google says', async () => {
    const order = newOrder();
    const body = gkeErrorBody({
      status: 'PERMISSION_DENIED',
      message: 'Quota exceeded: Requests per minute',
      reason: 'RATE_LIMIT_EXCEEDED',
    });
    const headers = { 'retry-after': '7' };
    control.addFault({
      target: 'gke',
      method: 'POST',
      count: 1,
      action: { kind: 'status', status: 403, body, headers },
    });
    const refused = { name: 'GkeError', retryAfterMilliseconds: 7_000 };
    await assert.rejects(driver.create(order, newOperationId(), signal), refused);
    await driver.create(order, newOperationId(), signal);
    await reach(order, 'ready');
  });

  test('that is repaired in the background works, and its deletion waits', async () => {
    const order = await created();
    control.setGkeFate(order.cluster.name, { kind: 'repairing' });
    assert.equal((await driver.observe(order, signal)).state, 'ready');
    await assert.rejects(driver.requestDeletion(order, signal), {
      name: 'GkeError',
      message: /incompatible operation/,
    });
    control.liftGkeFate(order.cluster.name);
    await driver.requestDeletion(order, signal);
    await reach(order, 'absent');
  });

  test('that is degraded says what to do, and is neither repaired nor given up by itself', async () => {
    const order = await created();
    control.setGkeFate(order.cluster.name, { kind: 'degraded' });
    const seen = await reach(order, 'failed');
    assert.ok(seen.state === 'failed' && seen.beyondRepair === undefined);
    assert.deepEqual([seen.failure.code, seen.failure.reason], ['CLUSTER_FAILED', 'CA_EXPIRING']);
    assert.match(seen.failure.message, /certificate authority is about to expire/);
    control.liftGkeFate(order.cluster.name);
    await reach(order, 'ready');
  });

  test('that failed and that Google removes by itself is absent, and announced', async () => {
    const order = newOrder();
    control.setGkeFate(order.cluster.name, { kind: 'failed', vanishes: true });
    await driver.create(order, newOperationId(), signal);
    await reach(order, 'absent');
    await eventually('it to be announced', () => world.woken.includes(key(order)));
  });

  test("that lost its mark is nobody's: it is left alone", async () => {
    const order = await created();
    const place = { secretName: 'gcp-secret', project: 'my-project', location: 'europe-west3-a' };
    const { resourceLabels } = (await world.client.cluster(place, order.cluster.name, signal)) ?? {};
    assert.equal(resourceLabels?.['kyma-runtime-id'], order.runtimeId);
    await driver.requestDeletion({ ...order, runtimeId: crypto.randomUUID() as never }, signal);
    assert.equal((await driver.observe(order, signal)).state, 'ready');
  });

  test('costs two requests a look at its project, however many others are waited for', async () => {
    const orders = Array.from({ length: 12 }, () => newOrder());
    for (const { cluster } of orders) control.setGkeFate(cluster.name, { kind: 'stuck' });
    await Promise.all(orders.map((order) => driver.create(order, newOperationId(), signal)));
    control.clearRequests();
    await eventually('ten looks', () => control.requests('gke').length >= 20);
    const paths = new Set(control.requests('gke').map(({ path }) => path));
    assert.deepEqual([...paths].sort(), [
      '/v1/projects/my-project/locations/-/clusters',
      '/v1/projects/my-project/locations/-/operations',
    ]);
    for (const { cluster } of orders) control.liftGkeFate(cluster.name);
    await Promise.all(orders.map((order) => eventually('it to be announced', () => world.woken.includes(key(order)))));
    let counted = -1;
    const isQuiet = () => {
      const before = counted;
      counted = control.requests('gke').length;
      return counted === before;
    };
    await eventually('nothing to be looked at any more', isQuiet, { every: 150 });
  });
});

describe('a change of a cluster of GKE', () => {
  const changeOf = (order: GkeOrder, asked: Partial<GcpConfig>) => ({
    ...{ order, target: { ...order.cluster.config, ...asked }, fields: Object.keys(asked) },
  });

  test('upgrades the control plane first, then the nodes, one at a time, and ends when all have the version', async () => {
    const order = await created({ kubernetesVersion: '1.34' });
    control.clearRequests();
    const change = changeOf(order, { kubernetesVersion: '1.35' });
    assert.deepEqual((await driver.checkChange(change, signal)).problems, []);
    const [plan] = await driver.planChange(change, signal);
    assert.deepEqual(plan?.manifest, { desiredMasterVersion: '1.35' });
    const { revision, kept } = await driver.change(change, newOperationId(), signal);
    assert.deepEqual(kept, []);
    await reach(order, 'ready', revision);
    assert.match(upstream(order)?.version ?? '', /^1\.35\./);
    assert.equal(writes(/\/clusters\//).length, 2);
    assert.deepEqual(await driver.planChange(change, signal), []);
    await driver.change(change, newOperationId(), signal);
    assert.equal(writes(/\/clusters\//).length, 2, 'a cluster that has it already is left alone');
  });

  test('resizes it', async () => {
    const order = await created();
    const { revision } = await driver.change(changeOf(order, { numberOfNodes: 3 }), newOperationId(), signal);
    await reach(order, 'ready', revision);
    const place = { secretName: 'gcp-secret', project: 'my-project', location: 'europe-west3-a' };
    const cluster = await world.client.cluster(place, order.cluster.name, signal);
    assert.deepEqual(
      cluster?.nodePools?.map(({ initialNodeCount }) => initialNodeCount),
      [3],
    );
  });

  test('that leaps over a minor version, is not on offer, or is of something else is refused with what can be had', async () => {
    const order = await created({ kubernetesVersion: '1.33' });
    const problem = async (asked: Partial<GcpConfig>) =>
      (await driver.checkChange(changeOf(order, asked), signal)).problems[0];
    assert.match(
      (await problem({ kubernetesVersion: '1.35' }))?.message ?? '',
      /more than one minor version ahead; the cluster has 1\.33\..*it can get 1\.34 \(1\.34\.4/,
    );
    assert.match((await problem({ kubernetesVersion: '1.34.99' }))?.message ?? '', /1\.34\.99 is not offered/);
    assert.match(
      (await problem({ machineType: 'n1-standard-8' }))?.message ?? '',
      /cannot be changed on a cluster of Google/,
    );
  });

  test('to a version that the cluster has passed is kept, and said', async () => {
    const order = await created({ kubernetesVersion: '1.35' });
    const change = changeOf(order, { kubernetesVersion: '1.34' });
    const { problems, kept, target } = await driver.checkChange(change, signal);
    assert.deepEqual(problems, []);
    assert.match(kept.join(), /kubernetesVersion stays 1\.35\..*newer than 1\.34/);
    assert.match('kubernetesVersion' in target ? (target.kubernetesVersion ?? '') : '', /^1\.35\./);
    const begun = await driver.change(change, newOperationId(), signal);
    assert.deepEqual(begun.kept, kept);
    await reach(order, 'ready', begun.revision);
  });

  test('that Google fails is told in its words, and tried again', async () => {
    const order = await created({ kubernetesVersion: '1.34' });
    control.setGkeFate(order.cluster.name, {
      kind: 'failed',
      during: 'UPGRADE_MASTER',
      message: 'Internal error in the zone.',
    });
    const { revision } = await driver.change(changeOf(order, { kubernetesVersion: '1.35' }), newOperationId(), signal);
    const told = await eventually('the reason to be told', async () => {
      const seen = await driver.observe(order, signal, { since: revision });
      return seen.state === 'changing' && seen.obstacle && seen;
    });
    assert.match(told.message, /^UPGRADE_MASTER failed: Internal error in the zone\.; trying again soon/);
    assert.equal(told.obstacle?.code, 'CLUSTER_FAILED_PROVIDER');
    control.liftGkeFate(order.cluster.name);
    await reach(order, 'ready', revision);
    assert.match(upstream(order)?.version ?? '', /^1\.35\./);
  });

  test('of a cluster that is gone is refused as one', async () => {
    const order = newOrder();
    const change = changeOf(order, { kubernetesVersion: '1.35' });
    const { problems } = await driver.checkChange(change, signal);
    assert.deepEqual(
      problems.map(({ path, code }) => [path, code]),
      [['', 'CLUSTER_LOST']],
    );
    await assert.rejects(driver.change(change, newOperationId(), signal), { code: 'CLUSTER_LOST' });
  });
});

describe('a kubeconfig of a cluster of GKE', () => {
  test("for the service has Google's token, and one for a user has a token of the cluster, for as long as was asked for", async () => {
    const order = await created();
    const ours = await driver.issueKubeconfig({
      order,
      holder: 'service',
      role: 'admin',
      lifetimeSeconds: 600,
      signal,
    });
    assert.match(ours.kubeconfig.reveal(), /ya29\./);
    const theirs = await driver.issueKubeconfig({ order, role: 'admin', lifetimeSeconds: 7_200, signal });
    assert.doesNotMatch(theirs.kubeconfig.reveal(), /ya29\./);
    const minutes = ((theirs.expiresAt?.getTime() ?? 0) - Date.now()) / 60_000;
    assert.ok(minutes > 115 && minutes <= 120, `${minutes} minutes`);
    const client = kubernetesClient({
      connection: parseKubeconfig({ text: theirs.kubeconfig, source: 'issued' }),
      fieldManager: 'test',
    });
    const bindings = { apiVersion: 'rbac.authorization.k8s.io/v1', plural: 'clusterrolebindings', namespaced: false };
    const admin = await client.get({ ...bindings, name: 'kyma-runtime-admin' });
    assert.deepEqual(admin?.roleRef, {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'cluster-admin',
    });
    await driver.issueKubeconfig({ order, role: 'viewer', lifetimeSeconds: 600, signal });
    const viewer = await client.get({ ...bindings, name: 'kyma-runtime-viewer' });
    assert.deepEqual(viewer?.roleRef, { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' });
    await client.close();
  });

  test('is refused by a cluster that has forgotten its token', async () => {
    const order = await created();
    const { kubeconfig } = await driver.issueKubeconfig({
      order,
      holder: 'service',
      role: 'admin',
      lifetimeSeconds: 600,
      signal,
    });
    control.deleteGoogleKey('none, but every token is revoked');
    const client = kubernetesClient({
      connection: parseKubeconfig({ text: kubeconfig, source: 'issued' }),
      fieldManager: 'test',
    });
    const namespaces = { apiVersion: 'v1', plural: 'namespaces', namespaced: false };
    await assert.rejects(client.list(namespaces), (error) => error instanceof KubernetesError && error.status === 401);
    await client.close();
  });
});
