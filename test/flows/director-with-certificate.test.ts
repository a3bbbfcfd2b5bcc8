import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { Tenant } from '../../src/domain/ids.ts';
import { orderOf } from './orders.ts';
import { directorOf, openWorld } from './world.ts';

const world = await openWorld({
  environment: ({ environment, addresses }) => {
    const folder = path.dirname(environment.NODE_EXTRA_CA_CERTS ?? '');
    return {
      APP_DIRECTOR_URL: addresses.directorWithCertificate,
      APP_DIRECTOR_CA_FILE: path.join(folder, 'ca.crt'),
      APP_DIRECTOR_CLIENT_CERTIFICATE_FILE: path.join(folder, 'director-client.crt'),
      APP_DIRECTOR_CLIENT_KEY_FILE: path.join(folder, 'director-client.key'),
      APP_OAUTH_CREDENTIALS_SECRET_NAME: 'there-is-none',
      APP_CALLERS_RUNTIME_DEREGISTRATION_ENABLED: 'true',
    };
  },
});
const { control } = world;

test("with a client certificate Runtimes live and die without OAuth2; callers' entries go when that is configured", async () => {
  const entry = { name: 'own', description: undefined, labels: {} };
  const own = await directorOf(world).register(entry, { tenant: 'tenant-a' as Tenant });
  control.clearRequests();
  for (const id of [undefined, own]) {
    const accepted = await world.provision(orderOf(), id);
    await world.succeeded(accepted.id);
    assert.equal((await world.runtime(accepted.runtimeID)).runtimeConnectionStatus.status, 'Connected');
    await world.succeeded(await world.deprovision(accepted.runtimeID));
  }
  assert.deepEqual(control.requests('oauth'), []);
  assert.deepEqual(control.inventory().directorRuntimes, []);
});
