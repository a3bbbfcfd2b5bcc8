import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuntimeId, Tenant } from '../../src/domain/ids.ts';
import { orderOf } from './orders.ts';
import { directorOf, openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;
const director = directorOf(world);

function register(name: string, tenant = 'tenant-a'): Promise<RuntimeId> {
  const call = { tenant: tenant as Tenant, signal: undefined };
  return director.register({ name, description: 'made by the caller', labels: { owner: 'caller' } }, call);
}

test("a Runtime with the caller's own entry is provisioned under its id, and its entry outlives it", async () => {
  const id = await register('own');
  const accepted = await world.provision(orderOf(), id);
  assert.equal(accepted.runtimeID, id);
  const operation = await world.succeeded(accepted.id);
  assert.equal(operation.compassRuntimeID, id);
  const [entry, ...others] = control.inventory().directorRuntimes;
  assert.deepEqual(others, [], 'nothing was registered beside it');
  assert.deepEqual([entry?.id, entry?.name, entry?.condition], [id, 'own', 'CONNECTED']);
  assert.equal(entry?.labels.owner, 'caller');
  assert.ok(entry?.labels.gardenerClusterName);
  assert.equal(control.inventory().clusters[0]?.agentRuntimeId, id);

  await world.succeeded(await world.deprovision(id));
  const { shoots, clusters, directorRuntimes } = control.inventory();
  assert.deepEqual([shoots, clusters], [[], []]);
  assert.deepEqual(
    directorRuntimes.map((left) => left.id),
    [id],
  );
});

test('an id that the Director does not know in the tenant is refused, and nothing is stored', async () => {
  const before = [await world.rowCounts(), control.inventory()];
  const foreign = await register('foreign', 'tenant-b');
  for (const id of [crypto.randomUUID(), foreign]) {
    const { data, errors } = await world.send(orderOf(), id);
    assert.equal(data?.provisionRuntime, null);
    const [error] = errors;
    assert.equal(
      error?.message,
      `the Director does not know the Runtime ${id} in tenant tenant-a; register it first, or leave out the id`,
    );
    const { code, error_code, actor, path } = error?.extensions ?? {};
    assert.deepEqual([code, error_code, actor, path], ['DIRECTOR_RUNTIME_NOT_FOUND', 400, 'caller', 'id']);
  }
  await director.unregister(foreign, { tenant: 'tenant-b' as Tenant, signal: undefined });
  assert.deepEqual([await world.rowCounts(), control.inventory()], before);
});

test('an id that has been provisioned is refused, also in another case', async () => {
  const id = await register('twice');
  const first = await world.provision(orderOf(), id);
  for (const again of [id, id.toUpperCase()]) {
    const { errors } = await world.send(orderOf(), again);
    const words = `cannot provision runtime. Runtime ${id} already provisioned; take up a provisioning that failed with`;
    assert.ok(errors[0]?.message.startsWith(words), JSON.stringify(errors));
    assert.deepEqual([errors[0]?.extensions?.code, errors[0]?.extensions?.error_code], ['ALREADY_EXISTS', 3]);
  }
  await world.succeeded(first.id);
  assert.equal(control.inventory().shoots.length, 1);
  await world.succeeded(await world.deprovision(id));
});
