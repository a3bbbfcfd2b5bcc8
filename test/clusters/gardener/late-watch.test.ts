import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gardenerDriver, shootInformer } from '../../../src/clusters/gardener/gardener-driver.ts';
import { shootKind } from '../../../src/clusters/gardener/shoot/shoot.ts';
import { newOperationId } from '../../../src/domain/ids.ts';
import { readPath } from '../../../src/domain/json.ts';
import type { KubernetesClient } from '../../../src/kubernetes/kubernetes-client.ts';
import { openGardenerWorld } from '../../contract/gardener-world.ts';
import { eventually } from '../../harness/eventually.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { newOrder } from './orders.ts';

const world = await openGardenerWorld();
after(() => world[Symbol.asyncDispose]());
const signal = AbortSignal.timeout(60_000);

/** What the watch tells arrives once it is let through. */
function lateWatch(client: KubernetesClient) {
  let gate = Promise.resolve();
  let open = () => {};
  return {
    client: {
      ...client,
      async *watch(...call: Parameters<KubernetesClient['watch']>) {
        for await (const event of client.watch(...call)) {
          await gate;
          yield event;
        }
      },
    },
    holdBack() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      open = resolve;
    },
    letThrough: () => open(),
  };
}

test('a watch that lags behind is not believed by who knows what has been done', async () => {
  const { client } = world;
  const namespace = 'garden-dev';
  const late = lateWatch(client);
  const informer = shootInformer({ client: late.client, namespace, log: silentLog });
  informer.start();
  after(() => informer.stop());
  await informer.synced;
  const driver = gardenerDriver({ client, project: 'dev', namespace, informer, log: silentLog });
  const order = newOrder();
  const stateOf = async (since?: string) => (await driver.observe(order, signal, { since })).state;

  await driver.create(order, newOperationId(), signal);
  await eventually('the cluster to be ready', async () => (await stateOf()) === 'ready');

  late.holdBack();
  after(() => late.letThrough());
  const asleep = await driver.changeHibernation(order, 'hibernate', signal);
  const reference = { ...shootKind, namespace, name: order.cluster.name };
  const isAsleep = async () => readPath(await client.get(reference, { signal }), 'status', 'hibernated') === true;
  await eventually('the Shoot to be hibernated', isAsleep);
  assert.equal(await stateOf(), 'ready');
  assert.equal(await stateOf(asleep), 'hibernated');

  const awake = await driver.changeHibernation(order, 'wakeUp', signal);
  assert.notEqual(await stateOf(awake), 'hibernated');
  await eventually('the Shoot to be awake', async () => !(await isAsleep()));
  assert.equal(await stateOf(awake), 'ready');
  late.letThrough();
  await eventually('the watch to have caught up', async () => (await stateOf()) === 'ready');
});
