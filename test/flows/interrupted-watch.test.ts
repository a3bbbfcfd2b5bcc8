import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../harness/eventually.ts';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const count = 40;

test('operations that look while the watch is interrupted ask the Garden nothing, and go on when it is back', async () => {
  const world = await openWorld();
  const { control, stored } = world;
  control.setShootFate('*', { kind: 'stuck' });
  const orders = Array.from({ length: count }, (_, index) => orderOf({ gardenerConfig: { name: `w-${index}` } }));
  const ids = (await Promise.all(orders.map((order) => world.provision(order)))).map(({ id }) => id);
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int FROM operation WHERE owner IS NULL AND wake_key IS NOT NULL AND next_look > now()
    `.execute(stored.kysely);
    return rows[0]?.count === count;
  };
  await eventually('all to wait for their Shoots', waiting);

  control.addFault({
    ...{ target: 'garden', method: 'GET', path: '/shoots\\?(limit|.*watch=true)' },
    action: { kind: 'status', status: 503 },
  });
  control.expireWatches('garden');
  await eventually('the watch to be refused', () => {
    return control.requests('garden').some(({ path, status }) => /watch=true/.test(path) && status === 503);
  });
  control.clearRequests();
  await sql`UPDATE operation SET next_look = now(), looks = 0`.execute(stored.kysely);
  await sql`NOTIFY operation_due`.execute(stored.kysely);
  await eventually('each to have looked', async () => {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int FROM operation WHERE looks > 0`.execute(
      stored.kysely,
    );
    return rows[0]?.count === count && waiting();
  });
  const asked = () => control.requests('garden').filter(({ path }) => /\/shoots\/w-\d+$/.test(path)).length;
  assert.equal(asked(), 0);

  // What happens meanwhile is announced by the list after that; whoever is told of it looks before the watch is open.
  control.liftShootFate('*');
  control.clearFaults();
  control.addFault({
    ...{ target: 'garden', method: 'GET', path: 'watch=true' },
    action: { kind: 'delay', milliseconds: 500 },
  });
  for (const id of ids) await world.succeeded(id);
  assert.ok(asked() <= count, `${asked()} for ${count}`);
});
