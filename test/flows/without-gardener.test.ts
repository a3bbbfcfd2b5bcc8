import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

/** A service to whom there is only Google. */
const world = await openWorld({
  environment: { APP_GARDENER_ENABLED: 'false', APP_GARDENER_KUBECONFIG_PATH: '/nowhere/kubeconfig.yaml' },
});

test('without a Gardener the service is ready, makes clusters on GKE, and asks no Garden for anything', async () => {
  const response = await fetch(`${world.service.url}/readyz`);
  assert.equal(response.status, 200, await response.text());
  world.control.clearRequests();
  const { id, runtimeID } = await world.provision({
    runtimeInput: { name: 'alone' },
    credentials: { secretName: 'gcp-secret' },
    clusterConfig: { gcpConfig: { projectName: 'my-project', region: 'europe-west3-a' } },
    kymaConfig: { version: 'fast' },
  });
  await world.succeeded(id);
  assert.equal((await world.runtime(runtimeID)).runtimeConnectionStatus.status, 'Connected');
  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(world.control.requests('garden'), []);
  assert.deepEqual(world.control.googleInventory(), { clusters: [], resources: [] });
});

test('without a Gardener an order for a Shoot is refused', async () => {
  const { errors } = await world.send(orderOf());
  assert.equal(errors[0]?.extensions?.code, 'NOT_SUPPORTED');
  assert.match(errors[0]?.message ?? '', /works without a Gardener.*give gcpConfig instead/);
});
