import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlannedChange, planProvisionQuery } from './control-documents.ts';
import { orderOf } from './orders.ts';
import { openWorld, shoots } from './world.ts';

const world = await openWorld({ environment: { APP_PROVISIONING_TIMEOUT_CLUSTER_CREATION: '1s' } });
const { control } = world;

test('a creation that takes effect after its time limit has passed is removed by the deprovisioning', async () => {
  const order = orderOf({ kymaConfig: null, gardenerConfig: { name: 'late' } });
  const { planProvision } = await world.api.ask<{ planProvision: { changes: PlannedChange[] } }>(planProvisionQuery, {
    config: order,
  });
  const manifest = planProvision.changes.find(({ subject }) => subject === 'Shoot late')?.manifest;
  const action = { kind: 'delay', milliseconds: 4_000 } as const;
  control.addFault({ target: 'garden', method: 'POST', path: '/shoots\\?(?!.*dryRun)', action });
  const { id, runtimeID } = await world.provision(order);
  const { stage, lastError } = await world.failed(id);
  assert.deepEqual([stage, lastError?.code], ['CreatingCluster', 'TIMEOUT']);
  control.clearFaults();

  const deprovisioning = await world.deprovision(runtimeID);
  await world.reaches(deprovisioning, 'the wait for it', ({ message }) => message.startsWith('Making sure'));
  // The request that was cut off, carried out at last.
  const { annotations } = manifest.metadata;
  const owned = Object.fromEntries(Object.keys(annotations).map((key) => [key, runtimeID]));
  await world.garden.create(shoots, { ...manifest, metadata: { ...manifest.metadata, annotations: owned } });
  await world.succeeded(deprovisioning);
  assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
});
