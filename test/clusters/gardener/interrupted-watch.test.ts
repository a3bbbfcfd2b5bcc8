import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gardenerDriver, shootInformer } from '../../../src/clusters/gardener/gardener-driver.ts';
import { newOperationId } from '../../../src/domain/ids.ts';
import { whenWoken } from '../../../src/domain/outcome.ts';
import { openGardenerWorld } from '../../contract/gardener-world.ts';
import { eventually } from '../../harness/eventually.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { newOrder } from './orders.ts';

const world = await openGardenerWorld();
after(() => world[Symbol.asyncDispose]());
const { client, landscape } = world;
const { control } = landscape;
const signal = AbortSignal.timeout(60_000);
const namespace = 'garden-dev';
/** The list of all Shoots, and their watch. */
const ofAll = { target: 'garden', method: 'GET', path: '/shoots\\?(limit|.*watch=true)' } as const;
const looks = 1_000;

const order = newOrder();
await world.driver.create(order, newOperationId(), signal);
await eventually('the cluster to be ready', async () => {
  return (await world.driver.observe(order, signal)).state === 'ready';
});

/** A driver with a watch and a clock of its own. */
function openDriver() {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const informer = shootInformer({ client, namespace, log: silentLog, clock });
  after(() => informer.stop());
  const driver = gardenerDriver({ client, project: 'dev', namespace, informer, log: silentLog });
  const pass = (millis: number) => {
    ahead += millis;
  };
  return { informer, driver, pass, look: () => driver.observe(order, signal) };
}

/** How often the Garden was asked for the one Shoot meanwhile, and for how many seconds that lasted. */
async function asksDuring(work: () => Promise<unknown>) {
  control.clearRequests();
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const path = `/shoots/${order.cluster.name}`;
  return { asks: control.requests('garden').filter((request) => request.path.endsWith(path)).length, seconds };
}

async function interrupt({ informer }: ReturnType<typeof openDriver>): Promise<void> {
  control.addFault({ ...ofAll, action: { kind: 'status', status: 503 } });
  control.dropWatches('garden');
  await eventually('the watch to be interrupted', () => informer.state.phase === 'interrupted');
}

test('while the watch is interrupted, looks go by what it had and ask the Garden nothing', async (t) => {
  t.after(() => control.clearFaults());
  const it = openDriver();
  it.informer.start();
  await eventually('the watch', () => it.informer.state.phase === 'watching');
  await interrupt(it);
  const { asks } = await asksDuring(async () => {
    for (const { state } of await Promise.all(Array.from({ length: looks }, it.look))) assert.equal(state, 'ready');
  });
  assert.equal(asks, 0);
  assert.equal(it.driver.safetyNet?.from, 300_000);
});

test('once a watch is not believed any more, ten looks in a second ask the Garden, however many there are', async (t) => {
  t.after(() => control.clearFaults());
  const it = openDriver();
  it.informer.start();
  await eventually('the watch', () => it.informer.state.phase === 'watching');
  await interrupt(it);
  const asleep = await it.driver.changeHibernation(order, 'hibernate', signal);
  it.pass(101_000);
  const { asks, seconds } = await asksDuring(() => Promise.all(Array.from({ length: looks }, it.look)));
  assert.ok(asks >= 10 && asks <= 10 + 10 * seconds + 1, `${asks} in ${seconds} s`);
  assert.deepEqual(it.driver.safetyNet, whenWoken);

  await eventually('a look to see what the watch has missed', async () => {
    return (await it.driver.observe(order, signal, { since: asleep }).catch(() => undefined))?.state === 'hibernated';
  });
  await it.driver.changeHibernation(order, 'wakeUp', signal);
  control.clearFaults();
  await eventually('the watch', () => it.informer.state.phase === 'watching');
  assert.equal(it.driver.safetyNet?.from, 300_000);
});

test('a watch that is forbidden from the beginning is replaced by looks at the same rate, and the others are told when to come back', async (t) => {
  t.after(() => control.clearFaults());
  control.addFault({ ...ofAll, action: { kind: 'status', status: 403, body: 'shoots may not be watched' } });
  const it = openDriver();
  it.informer.start();
  await eventually('the refusal', () => 'problem' in it.informer.state && it.informer.state.problem !== undefined);
  const tries = Array.from({ length: looks }, it.look);
  const { asks, seconds } = await asksDuring(() => Promise.allSettled(tries));
  const results = await Promise.allSettled(tries);
  const answered = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.state] : []));
  assert.ok(answered.length >= 10 && asks <= 10 + 10 * seconds + 1, `${asks} in ${seconds} s`);
  assert.equal(answered.length, asks);
  const refused = results.find((result) => result.status === 'rejected');
  assert.match(String(refused?.reason), /looked at later: .* cannot be watched .*shoots may not be watched/);
  assert.equal(refused?.reason.retryAfterMilliseconds, 30_000);
});

test('the first looks of a process wait for the first list instead of asking one by one', async (t) => {
  t.after(() => control.clearFaults());
  control.addFault({ ...ofAll, action: { kind: 'delay', milliseconds: 500 } });
  const it = openDriver();
  it.informer.start();
  const { asks } = await asksDuring(() => Promise.all(Array.from({ length: looks }, it.look)));
  assert.equal(asks, 0);
});
