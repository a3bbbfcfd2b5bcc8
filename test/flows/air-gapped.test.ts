import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fillMirror } from '../../src/kyma/fill-mirror.ts';
import { eventually } from '../harness/eventually.ts';
import { silentLog } from '../harness/silent-log.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { orderOf } from './orders.ts';
import { upgradeMutation } from './upgrade-documents.ts';
import { openWorld } from './world.ts';

const folder = path.join(temporaryFolder(), 'mirror');
const world = await openWorld({
  environment: { APP_KYMA_ARTIFACTS_MIRROR: pathToFileURL(folder).href, APP_KYMA_PRIVATE_ADDRESSES_ALLOWED: 'false' },
});
const { control } = world;
const downloads = () => control.requestCounters()['artifacts GET'] ?? 0;
const nothing = { shoots: [], clusters: [], directorRuntimes: [] };

test('without the Internet, Kyma is installed, upgraded and removed from a mirror', async () => {
  const catalogue = world.landscape.environment.APP_KYMA_CATALOGUE_PATH ?? '';
  const { fetched } = await fillMirror({ catalogue, folder, log: silentLog });
  assert.ok(fetched > 20);
  control.addFault({ target: 'artifacts', action: { kind: 'drop' } });
  control.clearRequests();
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: { version: 'fast' } }));
  await world.succeeded(id);
  const { upgradeRuntime } = await world.api.ask<{ upgradeRuntime: { id: string } }>(upgradeMutation, {
    id: runtimeID,
    config: { kymaConfig: { version: '1.2.0', modules: ['serverless'] } },
  });
  await world.succeeded(upgradeRuntime.id);
  const ofKyma1 = await world.provision(orderOf({ kymaConfig: { version: '1.24.11' } }));
  await world.succeeded(ofKyma1.id);
  await world.succeeded(await world.deprovision(ofKyma1.runtimeID));
  await world.succeeded(await world.deprovision(runtimeID));
  assert.equal(downloads(), 0);
  control.clearFaults();
  assert.deepEqual(control.inventory(), nothing);
});

test('a catalogue is read from its address, and its files are fetched ahead, so that their origin may go', async () => {
  const other = await openWorld({
    environment: ({ environment, control: ofOther }) => {
      // The first file is one of `regular`: that it cannot be had keeps nobody from the others.
      ofOther.addFault({ target: 'artifacts', path: 'yaml$', count: 1, action: { kind: 'status', status: 404 } });
      const catalogue = readFileSync(environment.APP_KYMA_CATALOGUE_PATH ?? '', 'utf8');
      const origin = /https:\/\/127\.0\.0\.1:\d+\/artifacts/.exec(catalogue)?.[0];
      return {
        ...{ APP_KYMA_CATALOGUE_PATH: '', APP_KYMA_CATALOGUE_URL: `${origin}/kyma-catalogue.json` },
        APP_KYMA_ARTIFACTS_PREFETCH: 'true',
      };
    },
  });
  const prefetched = () => other.service.logged.some((line) => line.includes('fetched Kyma artifacts ahead'));
  await eventually('the files to be fetched', async () => prefetched());
  assert.ok(other.service.logged.some((line) => line.includes('cannot fetch a Kyma artifact ahead of its use')));
  other.control.addFault({ target: 'artifacts', action: { kind: 'drop' } });
  const { id, runtimeID } = await other.provision(orderOf({ kymaConfig: { version: 'fast' } }));
  await other.succeeded(id);
  await other.succeeded(await other.deprovision(runtimeID));
  assert.deepEqual(other.control.inventory(), nothing);
});
