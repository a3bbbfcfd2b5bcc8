import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Target } from '../../landscape/control/faults.ts';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const budget = { perSecond: 40, burst: 20 };
const world = await openWorld({
  environment: {
    APP_GARDENER_REQUESTS_PER_SECOND: String(budget.perSecond),
    APP_GARDENER_REQUEST_BURST: String(budget.burst),
  },
});
const { control } = world;

afterEach(() => control.clearFaults());

/** Limits what the target takes in a second; clients are to stay away for a second. */
function limit(target: Target, beyondPerSecond: number): void {
  const action = { kind: 'status', status: 429, headers: { 'retry-after': '1' } } as const;
  control.addFault({ target, beyondPerSecond, action });
  control.clearRequests();
}

/** The times at which requests arrived, in milliseconds, and those of them that were refused. */
function arrivals(target: Target) {
  // A watch is asked for once and then stays.
  const requests = control.requests(target).filter(({ path }) => !path.includes('watch='));
  const at = (one: (typeof requests)[number]) => Date.parse(one.at);
  return { all: requests.map(at), refused: requests.filter(({ status }) => status === 429).map(at) };
}

/** Of any stretch of so many milliseconds. */
function mostWithin(times: readonly number[], milliseconds: number): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + milliseconds).length));
}

async function provisionAtOnce(count: number, prefix: string): Promise<void> {
  const orders = Array.from({ length: count }, (_, index) =>
    orderOf({ kymaConfig: null, gardenerConfig: { name: `${prefix}-${index}` } }),
  );
  const accepted = await Promise.all(orders.map((order) => world.provision(order)));
  await Promise.all(accepted.map(({ id }) => world.succeeded(id)));
}

/** From then on whoever was going to ask at once has been told to stay away. */
const settledAfter = 3_000;

/** Of what arrived once callers know the limit. */
function afterwards({ all, refused }: ReturnType<typeof arrivals>) {
  const from = (all[0] ?? 0) + settledAfter;
  const later = all.filter((at) => at >= from);
  return {
    ...{ perSecond: mostWithin(later, 1_000), seconds: Math.max(1, ((later.at(-1) ?? from) - from) / 1_000) },
    refused: refused.filter((at) => at >= from).length,
  };
}

test('a Garden that takes less than the budget gets less, and what it refuses is carried out all the same', async (t) => {
  const limitPerSecond = 8;
  limit('garden', limitPerSecond);
  await provisionAtOnce(15, 'limited');
  const seen = arrivals('garden');
  const { perSecond, refused, seconds } = afterwards(seen);
  t.diagnostic(
    `${seen.all.length} requests, ${seen.refused.length} refused; in the last ${seconds} s ${refused} refused`,
  );
  assert.ok(seen.refused.length > 0, 'the limit was met');
  assert.ok(mostWithin(seen.all, 1_000) <= budget.burst + budget.perSecond, 'the budget holds for repetitions, too');
  assert.ok(perSecond <= 2 * limitPerSecond, `${perSecond} requests in a second`);
  assert.ok(refused <= 3 * seconds, `${refused} were refused in ${seconds} s`);
});

test('a Director that limits its clients is left alone by all operations, which all come to their end', async (t) => {
  control.setShootFate('*', { kind: 'stuck', during: 'Create', at: 'infrastructure' });
  const orders = Array.from({ length: 3 }, (_, index) =>
    orderOf({ kymaConfig: null, gardenerConfig: { name: `quiet-${index}` } }),
  );
  const accepted = await Promise.all(orders.map((order) => world.provision(order)));
  await Promise.all(
    accepted.map(({ id }) => world.reaches(id, 'the wait', ({ stage }) => stage === 'WaitingForClusterCreation')),
  );
  const limitPerSecond = 2;
  limit('director', limitPerSecond);
  control.liftShootFate();
  await Promise.all(accepted.map(({ id }) => world.succeeded(id)));
  const seen = arrivals('director');
  const { perSecond, refused, seconds } = afterwards(seen);
  t.diagnostic(
    `${seen.all.length} requests, ${seen.refused.length} refused; in the last ${seconds} s ${refused} refused`,
  );
  assert.ok(seen.refused.length > 0, 'the limit was met');
  assert.ok(perSecond <= 2 * limitPerSecond, `${perSecond} requests in a second`);
});
