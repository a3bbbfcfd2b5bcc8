import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultAction } from '../../landscape/control/faults.ts';
import type { RuntimeId, Tenant } from '../../src/domain/ids.ts';
import { orderOf } from './orders.ts';
import { directorOf, openWorld } from './world.ts';

const world = await openWorld();
const director = directorOf(world);

const query = `query ($id: String!) { runtimeStatus(id: $id) { runtimeConnectionStatus { status errors { message } } } }`;

interface Answer {
  readonly runtimeStatus: {
    readonly runtimeConnectionStatus: { status: string; errors: { message: string }[] | null };
  };
}

async function connectionOf(id: string) {
  const { data } = await world.api.send<Answer>(query, { id });
  return data?.runtimeStatus.runtimeConnectionStatus;
}

const silences: readonly FaultAction[] = [{ kind: 'drop' }, { kind: 'delay', milliseconds: 60_000 }];
for (const action of silences) {
  test(`a connection is Connected though the Director does not answer (${action.kind})`, async (context) => {
    const { id, runtimeID } = await world.provision(orderOf());
    await world.succeeded(id);
    const fault = world.control.addFault({ target: 'director', action });
    context.after(() => world.control.removeFault(fault));
    assert.deepEqual(await connectionOf(runtimeID), { status: 'Connected', errors: null });
  });
}

test('a Runtime that the Director does not know is Disconnected, whatever its agent believes', async () => {
  const { id, runtimeID } = await world.provision(orderOf());
  await world.succeeded(id);
  await director.unregister(runtimeID as RuntimeId, { tenant: 'tenant-a' as Tenant });
  assert.deepEqual(await connectionOf(runtimeID), {
    status: 'Disconnected',
    errors: [{ message: `the Director does not know the Runtime ${runtimeID} in tenant tenant-a` }],
  });
});
