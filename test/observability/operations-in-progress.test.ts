import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationsInProgress } from '../../src/db/queries/operations-in-progress.ts';
import { apiUnderTest, provisionMutation } from '../api/api-under-test.ts';

test('operations in progress are counted by kind, whoever they belong to', async (t) => {
  const { call, database } = await apiUnderTest(t);
  assert.deepEqual(await operationsInProgress({ database }), {});
  const { runtimeID } = (await call(provisionMutation())).data.provisionRuntime;
  await call(provisionMutation(), { tenant: 'tenant-b' });
  assert.deepEqual(await operationsInProgress({ database }), { Provision: 2 });
  const finished = { state: 'Succeeded', stage: 'Finished', ended_at: new Date() } as const;
  await database.kysely.updateTable('operation').set(finished).where('runtime_id', '=', runtimeID).execute();
  await call(`mutation { deprovisionRuntime(id: "${runtimeID}") }`);
  assert.deepEqual(await operationsInProgress({ database }), { Provision: 1, Deprovision: 1 });
});
