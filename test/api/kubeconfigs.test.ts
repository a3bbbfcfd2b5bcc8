import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeconfigRequest } from '../../src/clusters/cluster-driver.ts';
import { removeKeptKubeconfigs } from '../../src/db/queries/kept-kubeconfigs.ts';
import { Secret } from '../../src/domain/secret.ts';
import { apiUnderTest, clusterDriver, provisionMutation, type World } from './api-under-test.ts';

const hour = 3_600_000;

/** A provider that grants at most so many seconds, and numbers what it issues. */
function issuing(most = Number.POSITIVE_INFINITY) {
  const asked: KubeconfigRequest[] = [];
  const driver = clusterDriver({
    issueKubeconfig: async (request) => {
      asked.push(request);
      const expiresAt = new Date(Date.now() + Math.min(request.lifetimeSeconds, most) * 1_000);
      return { kubeconfig: new Secret(`canary kubeconfig ${asked.length}`), expiresAt };
    },
  });
  return { driver, asked };
}

async function provisioned(t: Parameters<typeof apiUnderTest>[0], world: World) {
  const api = await apiUnderTest(t, world);
  const { data, errors } = await api.call(provisionMutation({ kyma: '' }));
  assert.equal(errors, undefined);
  const { id: operationId, runtimeID: runtimeId } = data.provisionRuntime;
  const end = () =>
    api.database.kysely
      .updateTable('operation')
      .set({ state: 'Succeeded', stage: 'Finished', ended_at: new Date() })
      .where('id', '=', operationId)
      .execute();
  const ask = (given = '') =>
    api.call(
      `{ runtimeStatus(id: "${runtimeId}") { runtimeConfiguration {
        issuedKubeconfig${given} { role kubeconfig expiresAt } } } }`,
    );
  const issued = async (given?: string) => {
    const { data, errors } = await ask(given);
    assert.equal(errors, undefined);
    return data.runtimeStatus.runtimeConfiguration.issuedKubeconfig;
  };
  return { ...api, runtimeId, operationId, end, ask, issued };
}

test('role and lifetime are passed on, and the end is the one that was granted', async (t) => {
  const { driver, asked } = issuing(7_200);
  const { issued, end, call, runtimeId } = await provisioned(t, { driver });
  await end();
  const before = Date.now();
  const viewer = await issued('(role: Viewer, expirationSeconds: 36000)');
  assert.equal(viewer.role, 'Viewer');
  const granted = Date.parse(viewer.expiresAt) - before;
  assert.ok(granted >= 2 * hour - 1_000 && granted < 2 * hour + 60_000, `${granted} ms`);
  assert.equal((await issued()).role, 'Admin');
  await issued('(expirationSeconds: 2000000)');
  assert.deepEqual(
    asked.map(({ role, lifetimeSeconds }) => [role, lifetimeSeconds]),
    [
      ['viewer', 36_000],
      ['admin', 3_600],
      ['admin', 86_400],
    ],
  );
  const { data } = await call(`{ runtimeStatus(id: "${runtimeId}") {
    runtimeConnectionConfig { kubeconfig(role: Viewer, expirationSeconds: 36000) } } }`);
  assert.equal(data.runtimeStatus.runtimeConnectionConfig.kubeconfig, viewer.kubeconfig);
});

test('too short a life is refused by its name, and nulls its own field alone', async (t) => {
  const { driver, asked } = issuing();
  const { ask } = await provisioned(t, { driver });
  const { data, errors } = await ask('(expirationSeconds: 599)');
  assert.equal(data.runtimeStatus.runtimeConfiguration.issuedKubeconfig, null);
  assert.equal(errors?.[0].extensions.code, 'INVALID_INPUT');
  assert.match(errors?.[0].message, /expirationSeconds: 599 is too short; ask for 600 to 86400/);
  assert.deepEqual(asked, []);
});

test('one that was issued is answered again by every replica, encrypted meanwhile, for half its life', async (t) => {
  const { driver, asked } = issuing();
  const { issued, end, database, testing, runtimeId } = await provisioned(t, { driver });
  await end();
  const first = await issued();
  assert.deepEqual(await issued(), first);
  const replica = await apiUnderTest(t, { driver, testing });
  const query = `{ runtimeStatus(id: "${runtimeId}") { runtimeConfiguration { kubeconfig } } }`;
  const { data } = await replica.call(query);
  assert.equal(data.runtimeStatus.runtimeConfiguration.kubeconfig, first.kubeconfig);
  assert.equal(asked.length, 1);

  const rows = await database.kysely.selectFrom('kept_kubeconfig').selectAll().execute();
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes('canary'), 'a kubeconfig is in the database in clear');

  const older = (milliseconds: number) =>
    database.kysely
      .updateTable('kept_kubeconfig')
      .set({ issued_at: new Date(Date.now() - milliseconds), expires_at: new Date(Date.now() - milliseconds + hour) })
      .execute();
  await older(hour / 2 - 60_000);
  assert.equal((await issued()).kubeconfig, first.kubeconfig);
  await removeKeptKubeconfigs({ database });
  await older(hour / 2 + 1_000);
  assert.equal((await issued()).kubeconfig, 'canary kubeconfig 2');
  await older(hour / 2 + 1_000);
  await removeKeptKubeconfigs({ database });
  assert.deepEqual(await database.kysely.selectFrom('kept_kubeconfig').selectAll().execute(), []);
});

test('callers who ask at the same time cost one', async (t) => {
  const { driver, asked } = issuing();
  const { issued, end } = await provisioned(t, { driver });
  await end();
  const answers = await Promise.all(Array.from({ length: 10 }, () => issued()));
  assert.equal(new Set(answers.map(({ kubeconfig }) => kubeconfig)).size, 1);
  assert.equal(asked.length, 1);
});

test('what may make a kubeconfig useless makes it forgotten', async (t) => {
  const { driver, asked } = issuing();
  let credentials = 'first';
  const seen = { observation: { state: 'ready' } as const, versions: {}, drift: () => [], credentials: '' };
  const look = () => ({ seen: { ...seen, credentials } });
  const watches = { gardener: { synced: Promise.resolve(), look, onGone: () => () => undefined } };
  const { issued, end, database, runtimeId, call } = await provisioned(t, { driver, watches });
  await issued();
  await end();
  await issued();
  assert.equal(asked.length, 2, 'an operation has gone on');
  credentials = 'rotated';
  await issued();
  assert.equal(asked.length, 3, 'credentials were rotated');
  await issued();
  assert.equal(asked.length, 3);
  const { errors } = await call(`mutation { deprovisionRuntime(id: "${runtimeId}") }`);
  assert.equal(errors, undefined);
  await issued();
  assert.equal(asked.length, 4, 'another operation has begun');
  await database.kysely.updateTable('runtime').set({ deleted_at: new Date() }).where('id', '=', runtimeId).execute();
  assert.equal(await issued(), null);
  assert.deepEqual(await database.kysely.selectFrom('kept_kubeconfig').selectAll().execute(), []);
});

test('one that was tampered with, or sealed with another key, is not answered', async (t) => {
  const { driver, asked } = issuing();
  const { issued, end, database } = await provisioned(t, { driver });
  await end();
  await issued();
  await database.kysely.updateTable('kept_kubeconfig').set({ kubeconfig: 'v1.000000000000.AAAA' }).execute();
  assert.equal((await issued()).kubeconfig, 'canary kubeconfig 2');
  assert.equal(asked.length, 2);
});
