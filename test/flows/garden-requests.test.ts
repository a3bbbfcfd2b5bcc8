import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;

/** What the Garden was asked so far; a watch counts when it ends. */
function asked() {
  const requests = control.requests('garden');
  const ofShoots = requests.filter(({ method, path }) => method === 'GET' && /\/shoots\?/.test(path));
  const watches = ofShoots.filter(({ path }) => path.includes('watch=true'));
  return {
    writes: requests.filter(({ method }) => method !== 'GET').length,
    reads: requests.filter(({ method }) => method === 'GET').length - watches.length,
    lists: ofShoots.length - watches.length,
    watches: watches.length,
  };
}

async function provisionAtOnce(count: number, prefix: string): Promise<void> {
  const orders = Array.from({ length: count }, (_, index) =>
    orderOf({ gardenerConfig: { name: `${prefix}-${index}` } }),
  );
  const accepted = await Promise.all(orders.map((order) => world.provision(order)));
  await Promise.all(accepted.map(({ id }) => world.succeeded(id)));
}

test('a provisioning costs the Garden three writes and, on average, at most three reads, even the first ones', async () => {
  const before = asked();
  await provisionAtOnce(8, 'first');
  const first = asked();
  assert.equal(first.writes - before.writes, 3 * 8, 'dry run, creation, kubeconfig');
  assert.ok(first.reads - before.reads <= 3 * 8, `${first.reads - before.reads} reads for 8 provisionings`);
  await provisionAtOnce(8, 'next');
  const next = asked();
  assert.equal(next.writes - first.writes, 3 * 8);
  assert.ok(next.reads - first.reads <= 8, `${next.reads - first.reads} reads for the next 8`);
});

test('however many Shoots there are, they cost one list and one watch', async () => {
  await world.service.stop();
  const { lists, watches } = asked();
  assert.deepEqual({ lists, watches }, { lists: 1, watches: 1 });
});
