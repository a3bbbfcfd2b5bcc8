import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import type { OidcConfig } from '../../../../src/domain/gardener-config.ts';
import { newOperationId } from '../../../../src/domain/ids.ts';
import { readRecords, readText } from '../../../../src/domain/json.ts';
import { type GardenerWorld, openGardenerWorld } from '../../../contract/gardener-world.ts';
import { eventually } from '../../../harness/eventually.ts';
import { type LiveShoot, liveShoot, namespace, signal } from './live-shoot.ts';

let world: GardenerWorld;
before(async () => {
  world = await openGardenerWorld();
});
after(() => world[Symbol.asyncDispose]());

const configMaps = { apiVersion: 'v1', plural: 'configmaps', namespaced: true };
const issuer = (issuerURL: string): OidcConfig => ({
  ...{ clientID: 'kyma', issuerURL, signingAlgs: ['RS256'] },
  ...{ groupsClaim: 'groups', usernameClaim: 'sub', usernamePrefix: '-' },
});

/** The issuer in the ConfigMap that the Shoot names; undefined when it names none. */
async function issuerOf(shoot: LiveShoot): Promise<string | undefined> {
  const path = ['spec', 'kubernetes', 'kubeAPIServer', 'structuredAuthentication', 'configMapName'];
  const name = readText(await shoot.read(), ...path);
  if (name === undefined) return undefined;
  const found = await world.client.get({ ...configMaps, namespace, name });
  return parse(readText(found, 'data', 'config.yaml') ?? '').jwt[0].issuer.url;
}

test('an issuer comes, changes and goes, and Gardener reads the ConfigMap each time', async () => {
  const shoot = await liveShoot(world, 'gcp');
  const generation = async () => (await shoot.read()).metadata.generation ?? 0;
  const name = shoot.order.cluster.name;
  const atFirst = await generation();
  await shoot.give({ oidcConfig: issuer('https://one.example.com') });
  assert.equal(await issuerOf(shoot), 'https://one.example.com');
  const configMap = await world.client.get({ ...configMaps, namespace, name });
  const [owner] = readRecords(configMap, 'metadata', 'ownerReferences');
  assert.equal(owner?.uid, (await shoot.read()).metadata.uid);

  const afterFirst = await generation();
  const { different } = await shoot.give({ oidcConfig: issuer('https://two.example.com') });
  assert.deepEqual(different, {}, 'the Shoot names the same ConfigMap');
  assert.equal(await issuerOf(shoot), 'https://two.example.com');
  assert.equal(await generation(), afterFirst + 1, 'Gardener was asked to read it');
  assert.equal((await shoot.read()).metadata.annotations?.['gardener.cloud/operation'], undefined);

  const { oidcConfig: _, ...without } = shoot.order.cluster.config;
  const change = { ...shoot.change({}), target: without, fields: ['oidcConfig'] };
  assert.deepEqual((await world.driver.checkChange(change, signal)).problems, []);
  const { revision } = await world.driver.change(change, newOperationId(), signal);
  await shoot.ready(revision);
  assert.equal(await issuerOf(shoot), undefined);
  await eventually('the ConfigMap to go', async () => !(await world.client.get({ ...configMaps, namespace, name })));
  assert.equal(await generation(), atFirst + 3);
});

test('a change of an issuer that got no further than the ConfigMap reaches Gardener all the same', async () => {
  const shoot = await liveShoot(world, 'gcp', { oidcConfig: issuer('https://one.example.com') });
  const change = shoot.change({ oidcConfig: issuer('https://two.example.com') });
  const name = shoot.order.cluster.name;
  const { generation = 0 } = (await shoot.read()).metadata;
  const fault = world.landscape.control.addFault({
    ...{ target: 'garden', method: 'PATCH', path: '/shoots/' },
    action: { kind: 'status', status: 503 },
  });
  await assert.rejects(world.driver.change(change, newOperationId(), signal));
  assert.match(JSON.stringify((await world.client.get({ ...configMaps, namespace, name }))?.data), /two\.example/);
  world.landscape.control.removeFault(fault);
  await world.driver.change(change, newOperationId(), signal);
  assert.equal((await shoot.read()).metadata.generation, generation + 1);
});

test('what Gardener refuses takes the issuer back, too', async () => {
  const shoot = await liveShoot(world, 'gcp', { oidcConfig: issuer('https://one.example.com') });
  const change = shoot.change({ oidcConfig: issuer('https://two.example.com'), machineType: 'abacus-1' });
  await assert.rejects(world.driver.change(change, newOperationId(), signal), { code: 'CLUSTER_REJECTED' });
  assert.equal(await issuerOf(shoot), 'https://one.example.com');
});

test('a change lands beside one that somebody makes at the same moment, in the same list', async () => {
  const shoot = await liveShoot(world, 'gcp');
  const { control } = world.landscape;
  const [pool] = readRecords(await shoot.read(), 'spec', 'provider', 'workers');
  const slow = control.addFault({
    ...{ target: 'garden', method: 'PATCH', path: '/shoots/', count: 1 },
    action: { kind: 'delay', milliseconds: 300 },
  });
  const changing = world.driver.change(shoot.change({ autoScalerMax: 9 }), newOperationId(), signal);
  await eventually('our patch to be on its way', () =>
    control.faults().some(({ id, hits }) => id === slow && hits === 1),
  );
  await shoot.edit({ spec: { provider: { workers: [{ ...pool, labels: { operator: 'was-here' } }] } } });
  await shoot.ready((await changing).revision);
  const [after] = readRecords(await shoot.read(), 'spec', 'provider', 'workers');
  assert.deepEqual([after?.maximum, after?.labels], [9, { operator: 'was-here' }]);
});

test('a lost answer is no second change', async () => {
  const shoot = await liveShoot(world, 'gcp');
  const { control } = world.landscape;
  const next = shoot.change({ autoScalerMax: 10 });
  control.addFault({ target: 'garden', method: 'PATCH', path: '/shoots/', count: 1, action: { kind: 'loseReply' } });
  await assert.rejects(world.driver.change(next, newOperationId(), signal));
  const { generation } = (await shoot.read()).metadata;
  const again = await world.driver.change(next, newOperationId(), signal);
  assert.equal((await shoot.read()).metadata.generation, generation);
  assert.match(again.revision, new RegExp(`/${generation}$`));
});

test('right after a change, with the watch just lost, every look finds the cluster at work', async () => {
  const shoot = await liveShoot(world, 'gcp');
  const { name } = shoot.order.cluster;
  world.landscape.control.setShootFate(name, { kind: 'stuck', during: 'Reconcile' });
  world.landscape.control.dropWatches('garden');
  const { revision } = await world.driver.change(shoot.change({ maxSurge: 2 }), newOperationId(), signal);
  for (let look = 0; look < 20; look++) {
    const seen = await world.driver.observe(shoot.order, signal, { since: revision });
    assert.equal(seen.state, 'changing');
  }
  world.landscape.control.liftShootFate(name);
  await shoot.ready(revision);
});

test('a Shoot whose changes wait for the maintenance window says so instead of waiting', async () => {
  const shoot = await liveShoot(world, 'gcp');
  await shoot.edit({ spec: { maintenance: { confineSpecUpdateRollout: true } } });
  await shoot.ready();
  const change = shoot.change({ machineType: 'n2-standard-8' });
  const { kept, revision } = await world.driver.change(change, newOperationId(), signal);
  assert.deepEqual(kept, ['Gardener rolls it out in the maintenance window, 220000+0000 to 230000+0000']);
  await shoot.ready(revision);
});

test('a cluster that sleeps may be changed, and goes on sleeping', async () => {
  const shoot = await liveShoot(world, 'gcp');
  const since = await world.driver.changeHibernation(shoot.order, 'hibernate', signal);
  await shoot.ready(since);
  const { different } = await shoot.give({ autoScalerMin: 3, kubernetesVersion: '1.34.3' });
  assert.deepEqual(Object.keys(different).toSorted(), [
    'spec.kubernetes.version',
    'spec.provider.workers.cpu-worker-0.minimum',
  ]);
  assert.equal((await world.driver.observe(shoot.order, signal)).state, 'hibernated');
});

test('Gardener that is away finds no mistake, unless it must answer', async () => {
  const shoot = await liveShoot(world, 'gcp');
  world.goDown();
  try {
    const change = shoot.change({ autoScalerMax: 9 });
    assert.deepEqual(await world.driver.checkChange(change), { problems: [], target: change.target, kept: [] });
    await assert.rejects(world.driver.checkChange(change, signal, { mustAnswer: true }), {
      code: 'CLUSTER_PROVIDER_UNAVAILABLE',
    });
    const [problem] = (await world.driver.checkChange(shoot.change({ autoScalerMin: 0 }))).problems;
    assert.equal(problem?.path, 'autoScalerMin');
  } finally {
    world.comeBack();
  }
});

test('a cluster climbs one minor version after another, past those that took the older fields of a Shoot', async () => {
  const shoot = await liveShoot(world, 'gcp', { kubernetesVersion: '1.32.10', targetSecret: 'gcp-old-credentials' });
  assert.deepEqual((await shoot.give({ kubernetesVersion: '1.33' })).different, {
    'spec.kubernetes.version': '1.33.6',
  });
  assert.equal(readText(await shoot.read(), 'spec', 'cloudProfileName'), 'gcp');
  const { problems } = await world.driver.checkChange(shoot.change({ kubernetesVersion: '1.34' }));
  assert.deepEqual(
    problems.map(({ path }) => path),
    ['targetSecret'],
  );
  assert.match(
    problems[0]?.message ?? '',
    /secretBindingName: Forbidden: .* please use 'spec\.credentialsBindingName'/,
  );
  const { different } = await shoot.give({ kubernetesVersion: '1.34', targetSecret: 'gcp-credentials' });
  assert.deepEqual(different, {
    'spec.cloudProfileName': undefined,
    'spec.credentialsBindingName': 'gcp-credentials',
    'spec.kubernetes.version': '1.34.3',
    'spec.secretBindingName': undefined,
  });
});
