import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ClusterOrder } from '../../../src/clusters/cluster-driver.ts';
import { shootForms } from '../../../src/clusters/gardener/shoot-forms.ts';
import { shootWatch } from '../../../src/clusters/gardener/shoot-watch.ts';
import { type GardenerConfig, gardenerProviders } from '../../../src/domain/gardener-config.ts';
import { newOperationId } from '../../../src/domain/ids.ts';
import { readPath } from '../../../src/domain/json.ts';
import { type GardenerWorld, openGardenerWorld } from '../../contract/gardener-world.ts';
import { eventually } from '../../harness/eventually.ts';
import { configs, newOrder } from './orders.ts';

const namespace = 'garden-dev';
const signal = AbortSignal.timeout(60_000);
const shoots = { apiVersion: 'core.gardener.cloud/v1beta1', plural: 'shoots', namespaced: true };
const bindings = { apiVersion: 'security.gardener.cloud/v1alpha1', plural: 'credentialsbindings', namespaced: true };

let old: GardenerWorld;
let today: GardenerWorld;
before(async () => {
  [old, today] = await Promise.all([openGardenerWorld({ gardenAge: 'old' }), openGardenerWorld()]);
});
after(() => Promise.all([old[Symbol.asyncDispose](), today[Symbol.asyncDispose]()]));

/** Has Gardener check the Shoot and make it; answers how it names its CloudProfile and its credentials. */
async function make({ driver, client }: GardenerWorld, order: ClusterOrder & { cluster: { driver: 'gardener' } }) {
  assert.deepEqual(await driver.check(order), []);
  await driver.create(order, newOperationId(), signal);
  await eventually('the Shoot is ready', async () => (await driver.observe(order, signal)).state === 'ready');
  const shoot = await client.get({ ...shoots, namespace, name: order.cluster.name });
  const fields = ['cloudProfile', 'cloudProfileName', 'credentialsBindingName', 'secretBindingName'];
  return Object.fromEntries(fields.map((field) => [field, readPath(shoot, 'spec', field)]));
}

describe('in a Garden that does not know what replaced the names of a CloudProfile and of a SecretBinding', () => {
  for (const provider of gardenerProviders) {
    test(`a cluster on ${provider} is made and deleted all the same`, async () => {
      const order = newOrder({ ...configs[provider], kubernetesVersion: '1.33.6' });
      const { cloudProfileName, ...references } = await make(old, order);
      assert.equal(typeof cloudProfileName, 'string');
      assert.deepEqual(references, {
        cloudProfile: undefined,
        credentialsBindingName: undefined,
        secretBindingName: configs[provider].targetSecret,
      });
      await old.driver.requestDeletion(order, signal);
      await eventually('it is gone', async () => (await old.driver.observe(order, signal)).state === 'absent');
    });
  }

  test('access from the EU only is a label of the Seed, and no drift', async () => {
    const order = newOrder({ ...configs.gcp, kubernetesVersion: '1.33.6', euAccess: true });
    await make(old, order);
    const live = await old.client.get({ ...shoots, namespace, name: order.cluster.name });
    assert.deepEqual(readPath(live, 'spec', 'seedSelector'), {
      matchLabels: { 'seed.gardener.cloud/eu-access': 'true' },
    });
    const marks = Object.entries(live?.metadata.annotations ?? {}).filter(([name]) => name.startsWith('support.'));
    assert.deepEqual(marks, [
      ['support.gardener.cloud/eu-access-for-cluster-addons', 'true'],
      ['support.gardener.cloud/eu-access-for-cluster-nodes', 'true'],
    ]);
    const drift = () =>
      shootWatch(old).look({ runtimeId: order.runtimeId, name: order.cluster.name })?.seen?.drift(order);
    await eventually('the Shoot is seen', () => drift() !== undefined);
    assert.deepEqual(drift(), []);
  });

  test('a provider of DNS names its Secret as it was before there were references', async () => {
    const provider = { type: 'google-clouddns', primary: true, secretName: 'gcp-credentials', domainsInclude: [] };
    const dnsConfig = { domain: 'old.example.com', providers: [provider] };
    const order = newOrder({ ...configs.gcp, kubernetesVersion: '1.33.6', dnsConfig });
    await make(old, order);
    const live = await old.client.get({ ...shoots, namespace, name: order.cluster.name });
    assert.deepEqual(readPath(live, 'spec', 'dns', 'providers'), [
      { type: 'google-clouddns', primary: true, secretName: 'gcp-credentials' },
    ]);
  });

  test('an API that is not described is taken to know all fields', async () => {
    const body = { kind: 'Status', code: 404, reason: 'NotFound', message: 'the server could not find it' };
    const action = { kind: 'status', status: 404, body } as const;
    old.landscape.control.addFault({ target: 'garden', method: 'GET', path: '/openapi/', action });
    try {
      const find = shootForms({ client: old.client, namespace });
      assert.equal((await find({ ...configs.gcp, euAccess: true }, signal)).euAccess, 'accessRestriction');
    } finally {
      old.landscape.control.clearFaults();
    }
  });

  test('orders are measured by its CloudProfile, and its own words are placed at the fields of the order', async () => {
    const config: GardenerConfig = { ...configs.gcp, kubernetesVersion: '1.34.2', targetSecret: 'nowhere' };
    const problems = await old.driver.check(newOrder(config));
    assert.deepEqual(
      problems.map(({ path, message }) => [path.split('.').at(-1), message.replace(/^.*forbidden: /, '')]),
      [
        [
          'kubernetesVersion',
          'kubernetesVersion "1.34.2" is not offered, or not any more; offered are 1.33.6, 1.33.5, 1.32.10, 1.32.9',
        ],
        ['targetSecret', 'secretbinding.core.gardener.cloud "nowhere" not found'],
      ],
    );
  });
});

describe('in a Garden of today', () => {
  const onOldBinding = (kubernetesVersion: string) =>
    newOrder({ ...configs.gcp, kubernetesVersion, targetSecret: 'gcp-old-credentials' });

  test('a binding that is a SecretBinding only is named as such', async () => {
    assert.deepEqual(await make(today, onOldBinding('1.33.6')), {
      cloudProfile: { kind: 'CloudProfile', name: 'gcp' },
      cloudProfileName: undefined,
      credentialsBindingName: undefined,
      secretBindingName: 'gcp-old-credentials',
    });
  });

  test('such a binding is refused with the versions of Kubernetes that cannot have it', async () => {
    const [problem, ...others] = await today.driver.check(onOldBinding('1.34.2'));
    assert.deepEqual(others, []);
    assert.match(
      problem?.message ?? '',
      /not supported for Kubernetes versions >= 1\.34.*'spec\.credentialsBindingName'/,
    );
    assert.match(problem?.path ?? '', /\.targetSecret$/);
  });

  const onOld = { ...configs.gcp, targetSecret: 'gcp-old-credentials' };
  const formsWith = (clock: { now: () => number }) => shootForms({ client: today.client, namespace, clock });

  test('what was found out is known for a while, and a binding is looked at again after a minute', async () => {
    let now = 0;
    const find = formsWith({ now: () => now });
    const requests = () =>
      today.landscape.control.requests('garden').filter(({ path }) => !path.includes('watch')).length;
    assert.deepEqual(await find(onOld, signal), {
      cloudProfile: 'reference',
      binding: 'SecretBinding',
      euAccess: 'accessRestriction',
      dnsCredentials: 'reference',
    });
    const before = requests();
    await find(onOld, signal);
    assert.equal(requests(), before);
    const metadata = { name: 'gcp-old-credentials', namespace };
    const credentialsRef = { apiVersion: 'v1', kind: 'Secret', name: 'gcp-credentials', namespace };
    await today.client.create(bindings, {
      ...{ apiVersion: bindings.apiVersion, kind: 'CredentialsBinding', metadata },
      ...{ provider: { type: 'gcp' }, credentialsRef },
    });
    now = 60_000;
    assert.equal((await find(onOld, signal)).binding, 'CredentialsBinding');
    await today.client.delete({ ...bindings, ...metadata });
  });

  test('its API is described at most once in ten minutes, and only for orders with a field that an old one lacks', async () => {
    let now = 0;
    const find = formsWith({ now: () => now });
    const descriptions = () =>
      today.landscape.control.requests('garden').filter(({ path }) => path.includes('/openapi/')).length;
    const before = descriptions();
    await find(onOld, signal);
    assert.equal(descriptions(), before);
    for (const moment of [0, 599_999, 600_000]) {
      now = moment;
      assert.equal((await find({ ...onOld, euAccess: true }, signal)).euAccess, 'accessRestriction');
    }
    assert.equal(descriptions(), before + 2);
  });

  test('bindings that may not be looked at are taken to be new', async () => {
    const body = { kind: 'Status', code: 403, reason: 'Forbidden', message: 'User "p" cannot get resource' };
    const action = { kind: 'status', status: 403, body } as const;
    today.landscape.control.addFault({ target: 'garden', method: 'GET', path: 'bindings/', action });
    try {
      const find = formsWith({ now: () => 0 });
      assert.equal((await find(onOld, signal)).binding, 'CredentialsBinding');
    } finally {
      today.landscape.control.clearFaults();
    }
  });
});
