import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { GraphqlAnswer } from '../harness/graphql-client.ts';
import { deprovisionMutation } from './documents.ts';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const { api, control } = world;

afterEach(() => control.liftShootFate());

function deprovision(id: string): Promise<GraphqlAnswer<{ deprovisionRuntime: string }>> {
  return api.send(deprovisionMutation, { id });
}

test('deprovisioning is refused while provisioning is in progress, naming it, and changes nothing', async () => {
  control.setShootFate('*', { kind: 'stuck' });
  const { id, runtimeID } = await world.provision(orderOf());
  await world.reaches(id, 'the creation', ({ stage }) => stage === 'WaitingForClusterCreation');
  const { data, errors } = await deprovision(runtimeID);
  assert.equal(data, null);
  assert.equal(
    errors[0]?.message,
    `cannot start new operation for ${runtimeID} Runtime while previous one is in progress: Provision ${id}`,
  );
  const { code, error_code, actor, retryable } = errors[0]?.extensions ?? {};
  assert.deepEqual([code, error_code, actor, retryable], ['OPERATION_IN_PROGRESS', 400, 'caller', true]);
  assert.equal((await world.rowCounts()).operation, 1);
  control.liftShootFate();
  await world.succeeded(id);
  await world.succeeded(await world.deprovision(runtimeID));
});

test('of twenty requests to deprovision at once one is accepted, and the others name it', async () => {
  const { id, runtimeID } = await world.provision(orderOf());
  await world.succeeded(id);
  // Holds the one that is accepted, so that none of the others comes after its end.
  control.setShootFate('*', { kind: 'stuck', during: 'Delete' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => deprovision(runtimeID)));
  const [accepted, ...others] = answers.flatMap(({ data }) => (data ? [data.deprovisionRuntime] : []));
  assert.ok(accepted);
  assert.deepEqual(others, []);
  const refusals = answers.flatMap(({ errors }) => errors);
  assert.equal(refusals.length, 19);
  for (const { message } of refusals) assert.ok(message.endsWith(`in progress: Deprovision ${accepted}`), message);
  control.liftShootFate();
  await world.succeeded(accepted);
  assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
});

test('of twenty orders at once for the same name one is accepted, and the others leave nothing', async () => {
  const before = await world.rowCounts();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => world.send(orderOf({ gardenerConfig: { name: 'wanted' } }))),
  );
  const accepted = answers.flatMap(({ data }) => data?.provisionRuntime ?? []);
  assert.equal(accepted.length, 1);
  const codes = answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions?.code));
  assert.deepEqual([...new Set(codes)], ['CLUSTER_NAME_TAKEN']);
  const [{ id, runtimeID } = { id: '', runtimeID: '' }] = accepted;
  await world.succeeded(id);
  assert.deepEqual(
    control.inventory().directorRuntimes.map((entry) => entry.id),
    [runtimeID],
  );
  const { runtime, operation, registration_intent } = await world.rowCounts();
  assert.deepEqual(
    { runtime, operation, registration_intent },
    { runtime: before.runtime + 1, operation: before.operation + 1, registration_intent: 0 },
  );
  await world.succeeded(await world.deprovision(runtimeID));
});
