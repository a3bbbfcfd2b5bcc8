import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const many = 30;

test('a tenant with one order does not wait until the Garden has been asked for all orders of another', async (t) => {
  const world = await openWorld({
    environment: { APP_GARDENER_REQUESTS_PER_SECOND: '3', APP_GARDENER_REQUEST_BURST: '1' },
  });
  const { control } = world;
  const order = (name: string) => orderOf({ kymaConfig: null, gardenerConfig: { name } });
  const dryRuns = () => control.requests('garden').filter(({ path }) => path.includes('dryRun=All')).length;
  const asOther = world.as({ tenant: 'tenant-b' });
  const orderOfOther = (name: string) =>
    asOther.ask('mutation ($config: ProvisionRuntimeInput!) { provisionRuntime(config: $config) { id } }', {
      config: order(name),
    });
  // What is looked up once is known from then on.
  await orderOfOther('first');
  control.clearRequests();
  const orders = Array.from({ length: many }, (_, index) => world.send(order(`many-${index}`)));
  await eventually('some of them to be asked about', () => dryRuns() >= 5, { within: 120_000 });
  await orderOfOther('only');
  const before = dryRuns();
  t.diagnostic(`${before} of ${many + 1} are asked about when it is answered`);
  await Promise.allSettled(orders);
  assert.ok(before <= 20, `${before} of ${many + 1}`);
});
