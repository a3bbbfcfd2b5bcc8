import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { ShootFate } from '../../landscape/garden/shoot-fates.ts';
import { type OperationAnswer, type RuntimeAnswer, runtimeQuery } from './documents.ts';
import { orderOf } from './orders.ts';
import { openWorld, projectNamespace, shoots } from './world.ts';

const world = await openWorld();
const { control } = world;

afterEach(() => control.liftShootFate());

const troubles: { name: string; fate: ShootFate; seen: (operation: OperationAnswer) => boolean; stage: string }[] = [
  {
    name: 'errors that Gardener tries again',
    fate: { kind: 'error', times: 1_000, codes: ['ERR_INFRA_RESOURCES_DEPLETED'] },
    seen: ({ message }) => /^Create Error, 14 %: .*ZONE_RESOURCE_POOL_EXHAUSTED/.test(message),
    stage: 'WaitingForClusterCreation',
  },
  {
    name: 'a rate limit, after which Gardener goes on by itself',
    fate: { kind: 'failed', codes: ['ERR_INFRA_RATE_LIMITS_EXCEEDED'] },
    seen: ({ message }) => /^Create Failed, 14 %: .*rateLimitExceeded/.test(message),
    stage: 'WaitingForClusterCreation',
  },
  {
    name: 'being stuck',
    fate: { kind: 'stuck', at: 'workers' },
    seen: ({ message, progress }) => progress === 76 && /shoot worker nodes have been reconciled/.test(message),
    stage: 'WaitingForClusterCreation',
  },
  {
    name: 'having no seed',
    fate: { kind: 'noSeed' },
    seen: ({ message }) => /^No Seed is assigned yet: Failed to schedule Shoot: none of the \d+ seeds/.test(message),
    stage: 'WaitingForClusterDomain',
  },
];

for (const { name, fate, seen, stage } of troubles) {
  test(`${name} is told while it lasts, and the Runtime succeeds when it is over`, async () => {
    control.setShootFate('*', fate);
    const { id, runtimeID } = await world.provision(orderOf());
    const operation = await world.reaches(id, name, seen);
    assert.deepEqual([operation.state, operation.stage, operation.lastError], ['InProgress', stage, null]);
    // With everything selected and without an error, whether there is a kubeconfig yet or not.
    assert.equal((await world.runtime(runtimeID)).runtimeConnectionStatus.status, 'Pending');
    control.liftShootFate();
    await world.succeeded(id);
    assert.equal((await world.runtime(runtimeID)).runtimeConnectionStatus.status, 'Connected');
    await world.succeeded(await world.deprovision(runtimeID));
    assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
  });
}

describe('a Shoot that somebody else deletes', () => {
  async function deleteShootOf(runtimeId: string): Promise<void> {
    const { runtimeConfiguration } = await world.runtime(runtimeId);
    const { name } = runtimeConfiguration.clusterConfig;
    const reference = { ...shoots, namespace: projectNamespace, name };
    const annotations = { 'confirmation.gardener.cloud/deletion': 'true' };
    await world.garden.patch(reference, { metadata: { annotations } });
    await world.garden.delete(reference);
  }

  test('while it is made fails the operation, which says so; deprovisioning then works', async () => {
    control.setShootFate('*', { kind: 'stuck', during: 'Create' });
    const { id, runtimeID } = await world.provision(orderOf());
    await world.reaches(id, 'the creation', ({ stage }) => stage === 'WaitingForClusterCreation');
    await deleteShootOf(runtimeID);
    const { message, lastError } = await world.failed(id);
    assert.match(message, /does not exist any more: it was deleted outside this service\. Deprovision the Runtime/);
    assert.deepEqual([lastError?.code, lastError?.actor], ['CLUSTER_LOST', 'operator']);
    assert.deepEqual(
      control.inventory().directorRuntimes.map(({ condition }) => condition),
      ['FAILED'],
    );

    const { data, errors } = await world.api.send<{ runtimeStatus: RuntimeAnswer }>(runtimeQuery, { id: runtimeID });
    assert.equal(data?.runtimeStatus.runtimeConnectionStatus.status, 'Pending');
    assert.equal(data?.runtimeStatus.runtimeConfiguration.kubeconfig, null);
    assert.deepEqual([...new Set(errors.map(({ extensions }) => extensions?.code))], ['KUBECONFIG_UNAVAILABLE']);

    await world.succeeded(await world.deprovision(runtimeID));
    assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
  });

  test('afterwards does not hinder its deprovisioning, whose time begins with itself', async () => {
    const { id, runtimeID } = await world.provision(orderOf());
    await world.succeeded(id);
    control.setShootFate('*', { kind: 'stuck', during: 'Delete' });
    await deleteShootOf(runtimeID);
    const deletedAt = (await world.shootOf(runtimeID))?.metadata.deletionTimestamp;
    const deprovisioning = await world.deprovision(runtimeID);
    await world.reaches(deprovisioning, 'the deletion', ({ stage }) => stage === 'WaitForClusterDeletion');
    control.liftShootFate();
    const { startedAt } = await world.succeeded(deprovisioning);
    assert.ok(deletedAt && Date.parse(startedAt) > Date.parse(deletedAt), `${startedAt} is after ${deletedAt}`);
    assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
  });
});
