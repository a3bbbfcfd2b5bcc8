import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { aws, orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const folder = temporaryFolder();
function write(name: string, contents: object): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(contents));
  return file;
}

const window = { begin: '010000+0000', end: '030000+0000' };
const world = await openWorld({
  environment: {
    APP_GARDENER_MAINTENANCE_WINDOW_CONFIG_PATH: write('windows.json', { 'europe-west3': window }),
    APP_GARDENER_AUDIT_LOGS_TENANT_CONFIG_PATH: write('tenants.json', {
      ...{ gcp: { 'europe-west3': 'audit-tenant' }, aws: { 'eu-central-1': 'of-the-region' } },
      'aws-eu1': 'of-the-seed',
    }),
    APP_GARDENER_DEFAULT_ENABLE_KUBERNETES_VERSION_AUTO_UPDATE: 'true',
  },
});

test('what the operator decides by variables and files is part of each new cluster', async () => {
  const { id, runtimeID } = await world.provision(
    orderOf({ kymaConfig: null, gardenerConfig: { purpose: 'production' } }),
  );
  await world.succeeded(id);
  const shoot = await world.shootOf(runtimeID);
  assert.deepEqual(shoot?.spec.maintenance.timeWindow, window);
  assert.deepEqual(shoot?.spec.maintenance.autoUpdate, { kubernetesVersion: true, machineImageVersion: false });
  assert.equal(shoot?.metadata.annotations?.['custom.shoot.sapcloud.io/subaccountId'], 'audit-tenant');
  await world.succeeded(await world.deprovision(runtimeID));
});

test('a Seed that Gardener chooses brings its audit log tenant', async () => {
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: null, gardenerConfig: aws }));
  await world.succeeded(id);
  const shoot = await world.shootOf(runtimeID);
  assert.equal(shoot?.metadata.annotations?.['custom.shoot.sapcloud.io/subaccountId'], 'of-the-seed');
  await world.succeeded(await world.deprovision(runtimeID));
});

test('a file that cannot be used stops the start, and says why', async () => {
  const wrong = write('wrong.json', { 'europe-west3': { begin: 'noon', end: '030000+0000' } });
  await assert.rejects(
    world.startService({ APP_GARDENER_MAINTENANCE_WINDOW_CONFIG_PATH: wrong }),
    /wrong\.json cannot be used: europe-west3\.begin: must be a time such as 220000\+0100/,
  );
});

test('what is left open of the nodes is chosen, stored and answered', async () => {
  const order = orderOf({
    kymaConfig: null,
    gardenerConfig: { machineType: null, diskType: null, volumeSizeGB: null, kubernetesVersion: null },
  });
  const { id, runtimeID } = await world.provision(order);
  await world.succeeded(id);
  const { machineType, diskType, volumeSizeGB, kubernetesVersion } = (await world.runtime(runtimeID))
    .runtimeConfiguration.clusterConfig;
  assert.deepEqual(
    [machineType, diskType, volumeSizeGB, kubernetesVersion],
    ['n2-standard-4', 'pd-balanced', 50, null],
    'the version is chosen by Gardener',
  );
  await world.succeeded(await world.deprovision(runtimeID));
});
