import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { operationQuery, runtimeQuery } from './documents.ts';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const { api, control, database } = world;
const nothing = { shoots: [], clusters: [], directorRuntimes: [] };

afterEach(() => {
  control.clearFaults();
  control.liftShootFate();
});

async function readiness(): Promise<number> {
  return (await fetch(`${world.service.url}/readyz`)).status;
}

test('a database that is away in the middle of an operation loses nothing; the operation goes on when it is back', async () => {
  control.setShootFate('*', { kind: 'stuck', at: 'workers' });
  const { id, runtimeID } = await world.provision(orderOf());
  await world.reaches(id, 'the creation', ({ progress }) => progress === 76);
  await database.goDown();

  for (const [document, asked] of [
    [operationQuery, id],
    [runtimeQuery, runtimeID],
  ] as const) {
    const { errors } = await api.send(document, { id: asked });
    const { code, error_code, actor, retryable } = errors[0]?.extensions ?? {};
    assert.deepEqual([code, error_code, actor, retryable], ['DATABASE_UNAVAILABLE', 1, 'operator', true]);
    assert.equal(errors[0]?.message, 'the database is not available at the moment; try again later');
  }
  assert.equal(await readiness(), 503);
  assert.equal((await fetch(`${world.service.url}/healthz`)).status, 200);
  control.liftShootFate();
  await eventually('the cluster to be ready meanwhile', () =>
    control.inventory().shoots.every(({ lastOperation }) => lastOperation === 'Create Succeeded (100%)'),
  );

  await database.comeBack();
  await world.succeeded(id);
  assert.equal((await world.timeline(id)).at(-1)?.type, 'Succeeded');
  assert.equal((await world.runtime(runtimeID)).runtimeConnectionStatus.status, 'Connected');
  await eventually('the service to be ready', async () => (await readiness()) === 200);
  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(control.inventory(), nothing);
});

test('a database that is away when a Runtime is ordered: the caller is told, and nothing is made', async () => {
  const before = await world.rowCounts();
  await database.goDown();
  const { data, errors } = await world.send(orderOf());
  assert.deepEqual(data, { provisionRuntime: null });
  assert.equal(errors[0]?.extensions?.code, 'DATABASE_UNAVAILABLE');
  await database.comeBack();
  await eventually('the database to be back', async () => (await readiness()) === 200);
  assert.deepEqual(await world.rowCounts(), before);
  assert.deepEqual(control.inventory(), nothing);
});

test('a database that goes away while the Runtime is registered: nothing is made, and the entry is removed later', async () => {
  const before = await world.rowCounts();
  const delay = { kind: 'delay', milliseconds: 3_000 } as const;
  control.addFault({ target: 'director', body: 'registerRuntime', count: 1, action: delay });
  const answer = world.send(orderOf());
  await eventually('the registration to be under way', () => control.faults().some(({ hits }) => hits === 1));
  await database.goDown();
  const { errors } = await answer;
  assert.equal(errors[0]?.extensions?.code, 'DATABASE_UNAVAILABLE');
  await database.comeBack();
  await eventually('the database to be back', async () => (await readiness()) === 200);
  assert.deepEqual(await world.rowCounts(), { ...before, registration_intent: 1 });
  assert.equal(control.inventory().directorRuntimes.length, 1);
  await world.sweep();
  assert.deepEqual(await world.rowCounts(), before);
  assert.deepEqual(control.inventory(), nothing);
});

test('connections that are cut again and again hold nothing up for good', async () => {
  const accepted = await Promise.all(Array.from({ length: 5 }, () => world.provision(orderOf())));
  for (let cuts = 0; cuts < 5; cuts += 1) {
    await database.terminateConnections();
    await eventually(
      'the service to answer again',
      async () => (await api.send(operationQuery, { id: accepted[0]?.id })).data,
    );
  }
  for (const { id } of accepted) {
    await eventually('the operation to be read', () => world.ended(id).catch(() => undefined));
    await world.succeeded(id);
    const succeeded = (await world.timeline(id)).filter(({ type }) => type === 'Succeeded');
    assert.equal(succeeded.length, 1);
  }
  assert.equal(control.inventory().shoots.length, 5);
  for (const { runtimeID } of accepted) await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(control.inventory(), nothing);
});
