import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type ControlledOperation, retryMutation } from './control-documents.ts';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;

afterEach(() => {
  control.clearFaults();
  control.liftShootFate();
});

async function retry(id: string): Promise<ControlledOperation> {
  return (await world.api.ask<{ retryOperation: ControlledOperation }>(retryMutation, { id })).retryOperation;
}

/** Creations of Shoots that the Garden has carried out. */
function creations(): number {
  return control.requests('garden').filter(({ method, path, status }) => {
    return method === 'POST' && status === 201 && /\/shoots\?/.test(path) && !path.includes('dryRun');
  }).length;
}

test('a retry asks Gardener to go on with a Shoot that it gave up on, and makes no second one', async () => {
  control.clearRequests();
  control.setShootFate('given-up', { kind: 'failed', codes: ['ERR_INFRA_QUOTA_EXCEEDED'] });
  const { id, runtimeID } = await world.provision(orderOf({ gardenerConfig: { name: 'given-up' } }));
  await world.failed(id);

  // The quota is still used up.
  const second = await retry(id);
  assert.deepEqual([second.operation, second.stage, second.retryOf], ['Provision', 'WaitingForClusterCreation', id]);
  const failed = await world.failed(second.id);
  assert.equal(failed.lastError?.reason, 'ERR_INFRA_QUOTA_EXCEEDED');

  control.liftShootFate();
  const third = await retry(second.id);
  assert.equal(third.retryOf, second.id);
  await world.succeeded(third.id);

  const { shoots, clusters, directorRuntimes } = control.inventory();
  assert.deepEqual([shoots.length, clusters.length, creations()], [1, 1, 1]);
  assert.deepEqual(
    directorRuntimes.map((entry) => [entry.id, entry.condition]),
    [[runtimeID, 'CONNECTED']],
  );
  assert.equal((await world.runtime(runtimeID)).runtimeConnectionStatus.status, 'Connected');
  const stages = (await world.timeline(third.id)).filter(({ type }) => type === 'StageDone').map(({ stage }) => stage);
  assert.deepEqual(stages, [
    'WaitingForClusterCreation',
    'StartingInstallation',
    'WaitingForInstallation',
    'ConnectRuntimeAgent',
    'WaitForAgentToConnect',
  ]);
  await world.succeeded(await world.deprovision(runtimeID));
});

test('a Runtime without Kyma is not left as failed in the Director after a retry', async () => {
  control.setShootFate('*', { kind: 'failed', codes: ['ERR_INFRA_QUOTA_EXCEEDED'] });
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: null }));
  await world.failed(id);
  control.liftShootFate();
  await world.succeeded((await retry(id)).id);
  assert.deepEqual(
    control.inventory().directorRuntimes.map(({ condition }) => condition),
    ['INITIAL'],
  );
  await world.succeeded(await world.deprovision(runtimeID));
});

test('a retry takes up a deletion that Gardener gave up on', async () => {
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: null }));
  await world.succeeded(id);
  control.setShootFate('*', { kind: 'failed', during: 'Delete', codes: ['ERR_CLEANUP_CLUSTER_RESOURCES'] });
  const failed = await world.failed(await world.deprovision(runtimeID));
  assert.equal(failed.stage, 'WaitForClusterDeletion');
  control.liftShootFate();
  await world.succeeded((await retry(failed.id)).id);
  assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
  const { errors } = await world.api.send(retryMutation, { id: failed.id });
  assert.equal(errors[0]?.extensions?.code, 'NOT_RETRYABLE');
});

test('a retry whose request to Gardener fails at first makes it again', async () => {
  control.setShootFate('*', { kind: 'failed', codes: ['ERR_INFRA_QUOTA_EXCEEDED'] });
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: null }));
  await world.failed(id);
  control.liftShootFate();
  for (const action of [{ kind: 'status', status: 503 }, { kind: 'loseReply' }] as const)
    control.addFault({ target: 'garden', method: 'PATCH', path: '/shoots', count: 1, action });
  await world.succeeded((await retry(id)).id);
  assert.deepEqual(
    control.faults().map(({ hits }) => hits),
    [1, 1],
  );
  await world.succeeded(await world.deprovision(runtimeID));
});
