import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Fault } from '../../landscape/kubernetes/kubernetes-server.ts';
import { internal, invalid, notFound, tooManyRequests } from '../../landscape/kubernetes/status-error.ts';
import { Failure } from '../../src/domain/failures.ts';
import type { KymaInstallation } from '../../src/domain/kyma-config.ts';
import type { ResourceKind } from '../../src/kubernetes/kubernetes-client.ts';
import { Artifacts } from '../../src/kyma/artifacts.ts';
import type { InstallationObservation } from '../../src/kyma/kyma-installer.ts';
import { modulesInstaller } from '../../src/kyma/modules/modules-installer.ts';
import { eventually } from '../harness/eventually.ts';
import { silentLog } from '../harness/silent-log.ts';
import { type KymaWorld, startKymaWorld, type TestCluster } from './kyma-world.ts';

const istios: ResourceKind = { apiVersion: 'operator.kyma-project.io/v1alpha2', plural: 'istios', namespaced: true };
const istio = { ...istios, name: 'default', namespace: 'kyma-system' };
const group = 'operator.kyma-project.io';

let world: KymaWorld;
let minimal: KymaInstallation;

before(async () => {
  world = await startKymaWorld();
  minimal = await world.resolve();
});
afterEach(() => {
  world.before = undefined;
  world.faults.clear();
});
after(() => world.stop());

async function install(cluster: TestCluster, installation = minimal): Promise<void> {
  await world.installer.install(world.target(cluster, installation));
}

async function installed(cluster: TestCluster, installation = minimal): Promise<InstallationObservation> {
  return eventually('Kyma is installed', async () => {
    const seen = await world.installer.observe(world.target(cluster, installation));
    return seen.state === 'installed' && seen;
  });
}

async function remove(cluster: TestCluster, installation = minimal): Promise<void> {
  await world.installer.uninstall(world.target(cluster, installation));
  await eventually('Kyma is removed', async () => {
    const seen = await world.installer.observeRemoval(world.target(cluster, installation));
    return seen.state === 'removed';
  });
}

/** Lets the first `count` requests that match meet a fault. */
function failFirst(count: number, pattern: RegExp, fault: Fault): void {
  let left = count;
  world.before = ({ verb, path }) => (pattern.test(`${verb} ${path}`) && left-- > 0 ? fault : undefined);
}

test('nothing is there, then modules come one by one, then all are installed', async () => {
  const cluster = world.newCluster();
  assert.deepEqual(await world.installer.observe(world.target(cluster, minimal)), { state: 'absent' });
  await install(cluster);
  const seen = await installed(cluster);
  assert.deepEqual(seen, {
    state: 'installed',
    message: 'Kyma modules are installed: istio 1.11.0, application-connector 1.2.0',
  });
  const namespace = cluster.api.read('namespaces', undefined, 'kyma-system');
  assert.equal(namespace?.metadata.labels?.['istio-injection'], 'enabled');
  const config = cluster.api.read('configmaps', 'kyma-system', 'istio-controller-manager-config');
  assert.match(config?.data['trust.pem'], /---\nnot a new document/);
});

test('objects are applied after what they rely on, the custom resources last and in their order', async () => {
  const cluster = world.newCluster();
  world.requests.length = 0;
  await install(cluster);
  const kinds = world.requests
    .filter((request) => request.startsWith('patch'))
    .map((request) => /\/([a-z]+)\/[^/]+$/.exec(request)?.[1] ?? '');
  const order = kinds.filter((kind, index) => kind !== kinds[index - 1]);
  assert.deepEqual(order.slice(0, 2), ['namespaces', 'customresourcedefinitions']);
  assert.deepEqual(order.slice(-3), ['deployments', 'istios', 'applicationconnectors']);
});

test('a look at an installation takes one list for the managers and one read for each custom resource', async () => {
  const cluster = world.newCluster();
  await install(cluster);
  world.requests.length = 0;
  await world.installer.observe(world.target(cluster, minimal));
  assert.equal(world.requests.length, 3, world.requests.join());
});

test('what a cluster is not ready for yet is tried again within one run', async () => {
  const cases: { reason: string; pattern: RegExp; fault: Fault }[] = [
    {
      reason: 'the CRD is accepted, its kind is served a moment later',
      pattern: /^patch .*\/istios\/default/,
      fault: { kind: 'status', error: notFound({ group, plural: 'istios' }, 'default') },
    },
    {
      reason: 'the webhook of a manager does not answer yet',
      pattern: /^patch .*\/istios\/default/,
      fault: {
        kind: 'status',
        error: internal('Internal error occurred: failed calling webhook "istio.kyma-project.io": connection refused'),
      },
    },
    {
      reason: 'the namespace is there a moment later',
      pattern: /^patch .*serviceaccounts/,
      fault: { kind: 'status', error: notFound({ group: '', plural: 'namespaces' }, 'kyma-system') },
    },
  ];
  for (const { reason, pattern, fault } of cases) {
    const cluster = world.newCluster();
    failFirst(3, pattern, fault);
    await assert.doesNotReject(install(cluster), reason);
    await installed(cluster);
  }
});

test('an installation that broke at any request is completed by the next run', async () => {
  const reference = world.newCluster();
  world.requests.length = 0;
  await install(reference);
  const steps = world.requests.length;
  const faults: Fault[] = [{ kind: 'drop' }, { kind: 'lose-reply' }, { kind: 'status', error: tooManyRequests(1) }];
  for (let step = 0; step < steps; step++) {
    const cluster = world.newCluster();
    const fault = faults[step % faults.length];
    let seen = 0;
    world.before = () => (seen++ === step ? fault : undefined);
    await assert.rejects(install(cluster), (error) => !(error instanceof Failure), `broken at request ${step}`);
    world.before = undefined;
    await install(cluster);
    await installed(cluster);
  }
});

test('an installation again changes nothing', async () => {
  const cluster = world.newCluster();
  await install(cluster);
  await installed(cluster);
  const versions = () =>
    ['deployments', `istios.${group}`, `applicationconnectors.${group}`, 'configmaps', 'namespaces'].flatMap((type) =>
      cluster.api.list(type).map(({ metadata }) => [metadata.name, metadata.uid, metadata.resourceVersion]),
    );
  const before = versions();
  await install(cluster);
  assert.deepEqual(versions(), before);
});

test('configuration reaches the custom resource in its types, beside the defaults', async () => {
  const cluster = world.newCluster();
  const installation = await world.resolve({
    components: [
      {
        component: 'istio',
        namespace: 'kyma-system',
        configuration: [
          { key: 'config.numTrustedProxies', value: '2' },
          { key: 'compatibilityMode', value: 'true' },
        ],
      },
      {
        component: 'application-connector',
        namespace: 'kyma-system',
        configuration: [{ key: 'appGateway.logLevel', value: 'debug' }],
      },
    ],
  });
  await install(cluster, installation);
  const found = cluster.api.read(`istios.${group}`, 'kyma-system', 'default');
  assert.deepEqual(found?.spec, { config: { numTrustedProxies: 2 }, compatibilityMode: true });
  const connector = cluster.api.read(`applicationconnectors.${group}`, 'kyma-system', 'applicationconnector-sample');
  assert.deepEqual(connector?.spec.appGateway, { proxyTimeout: '10s', requestTimeout: '10s', logLevel: 'debug' });
});

test('what a user changed in a custom resource stays, unless the caller asked to replace', async () => {
  const cluster = world.newCluster();
  const components = (value: string) => [
    { component: 'istio', namespace: 'kyma-system', configuration: [{ key: 'config.numTrustedProxies', value }] },
  ];
  const proxies = () => cluster.api.read(`istios.${group}`, 'kyma-system', 'default')?.spec.config.numTrustedProxies;
  await install(cluster, await world.resolve({ components: components('1') }));
  await cluster.user.patch(istio, { spec: { config: { numTrustedProxies: 5 } } });
  await install(cluster, await world.resolve({ components: components('2') }));
  assert.equal(proxies(), 5);
  await install(cluster, await world.resolve({ components: components('2'), conflictStrategy: 'Replace' }));
  assert.equal(proxies(), 2);
});

test('what somebody else changed in a manager is put right', async () => {
  const cluster = world.newCluster();
  await install(cluster);
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    plural: 'clusterroles',
    namespaced: false,
    name: 'istio-controller-manager-role',
  };
  await cluster.user.patch(role, { rules: [] });
  await install(cluster);
  assert.equal(cluster.api.read('clusterroles', undefined, role.name)?.rules.length, 2);
});

test("an object that the cluster refuses ends the installation with the cluster's words", async () => {
  const error = invalid({ group, kind: 'Istio' }, 'default', [
    { reason: 'FieldValueInvalid', field: 'spec.config', value: 1, detail: 'must be an object' },
  ]);
  failFirst(1, /^patch .*\/istios\/default/, { kind: 'status', error });
  await assert.rejects(install(world.newCluster()), (failure) => {
    assert.ok(failure instanceof Failure);
    assert.equal(failure.code, 'KYMA_INSTALLATION_FAILED');
    assert.match(failure.message, /refused Istio default: .*spec.config/);
    return true;
  });
});

test('an artifact with other bytes than the catalogue promises is not applied', async () => {
  const cluster = world.newCluster();
  const plan = structuredClone(minimal.plan) as { modules: { manifest: { sha256: string } }[] };
  const [module] = plan.modules;
  assert.ok(module);
  module.manifest.sha256 = 'a'.repeat(64);
  await assert.rejects(install(cluster, { ...minimal, plan }), (failure) => {
    assert.ok(failure instanceof Failure);
    assert.equal(failure.code, 'KYMA_ARTIFACT_INVALID');
    return true;
  });
  assert.equal(cluster.api.read('namespaces', undefined, 'kyma-system'), undefined);
});

test('a plan that nobody can read is a failure, not a crash', async () => {
  const target = world.target(world.newCluster(), { ...minimal, plan: { version: 99 } });
  for (const act of [world.installer.install, world.installer.observe, world.installer.uninstall]) {
    await assert.rejects(act(target), (failure) => failure instanceof Failure);
  }
});

test('what is missing or in trouble is told by name', async () => {
  const cluster = world.newCluster();
  await install(cluster);
  await installed(cluster);
  cluster.api.remove('deployments', 'kyma-system', 'istio-controller-manager');
  const seen = await world.installer.observe(world.target(cluster, minimal));
  assert.ok(seen.state === 'working');
  assert.match(seen.message, /ready: 1 of 2; istio 1.11.0: its manager Deployment is missing/);
  assert.equal(seen.progress, 50);
});

test('a module that warns is installed or waited for, as the operator decided, and its words are told', async () => {
  const cluster = world.newCluster();
  const configuration = [{ key: 'dockerRegistry.username', value: 'me', secret: true }];
  const components = [{ component: 'serverless', namespace: 'kyma-system', configuration }];
  const target = world.target(cluster, await world.resolve({ components }));
  const { artifacts } = world;
  const options = { artifacts, fieldManager: 'runtime-provisioner', log: silentLog };
  const strict = modulesInstaller({ ...options, warnings: 'wait' });
  await world.installer.install(target);
  const words = /serverless 1\.6\.0: Warning: the Secret serverless-external-registry has no password/;
  const accepted = await eventually('the module warns', async () => {
    const seen = await world.installer.observe(target);
    return seen.state === 'installed' && seen;
  });
  assert.match(accepted.message, words);
  assert.match(accepted.message, /needs attention/);
  const waited = await strict.observe(target);
  assert.ok(waited.state === 'working');
  assert.match(waited.message, words);

  const secrets = { apiVersion: 'v1', plural: 'secrets', namespaced: true };
  const name = { namespace: 'kyma-system', name: 'serverless-external-registry' };
  await cluster.user.patch({ ...secrets, ...name }, { data: { password: 'cHc=' } });
  await eventually('the module works', async () => (await strict.observe(target)).state === 'installed');
});

test('modules are removed before those that they require, and at the end nothing of them is left', async () => {
  const cluster = world.newCluster();
  await install(cluster);
  await installed(cluster);
  world.requests.length = 0;
  await remove(cluster);
  const deletions = world.requests.filter((request) => request.startsWith('delete '));
  const resources = deletions
    .filter((request) => request.includes(`/${group}/`))
    .map((request) => request.split('/')[6]);
  assert.deepEqual(resources, ['applicationconnectors', 'istios']);
  for (const type of ['deployments', 'configmaps', 'serviceaccounts']) {
    const left = cluster.api.list(type).filter(({ metadata }) => metadata.namespace === 'kyma-system');
    assert.deepEqual(left, [], type);
  }
  const definitions = cluster.api.list('customresourcedefinitions').map(({ metadata }) => metadata.name ?? '');
  assert.deepEqual(
    definitions.filter((name) => name.endsWith(`.${group}`)),
    [],
  );
});

test('a removal copes with whatever it finds', async () => {
  const cases: { reason: string; prepare: (cluster: TestCluster) => Promise<unknown> }[] = [
    { reason: 'nothing was ever installed', prepare: async () => {} },
    {
      reason: 'the installation broke after the definitions',
      prepare: async (cluster) => {
        world.before = ({ verb, path }) =>
          verb === 'patch' && path.includes('serviceaccounts') ? { kind: 'drop' } : undefined;
        await assert.rejects(install(cluster));
        world.before = undefined;
      },
    },
    {
      reason: 'a user made another custom resource',
      prepare: async (cluster) => {
        await install(cluster);
        const metadata = { name: 'second', namespace: 'default' };
        await cluster.user.create(istios, { apiVersion: istios.apiVersion, kind: 'Istio', metadata });
      },
    },
    {
      reason: 'the definitions are gone already',
      prepare: async (cluster) => {
        await install(cluster);
        await installed(cluster);
        await remove(cluster);
      },
    },
  ];
  for (const { reason, prepare } of cases) {
    const cluster = world.newCluster();
    await prepare(cluster);
    await assert.doesNotReject(remove(cluster), reason);
    assert.equal(cluster.api.read('deployments', 'kyma-system', 'istio-controller-manager'), undefined, reason);
  }
});

test('artifacts that do not exist any more do not keep a Runtime from being deprovisioned', async () => {
  const cluster = world.newCluster();
  await install(cluster);
  await installed(cluster);
  const trustedHosts = async () => ({ artifacts: new Set<string>(), redirects: new Set<string>() });
  const artifacts = new Artifacts({ privateAddresses: 'allowed', trustedHosts, log: silentLog });
  const later = modulesInstaller({
    warnings: 'accept',
    artifacts,
    fieldManager: 'runtime-provisioner',
    log: silentLog,
  });
  const target = world.target(cluster, minimal);
  assert.equal((await later.observe(target)).state, 'installed');
  await later.uninstall(target);
  await eventually('it is removed', async () => (await later.observeRemoval(target)).state === 'removed');
  assert.deepEqual(cluster.api.list(`istios.${group}`), []);
  await artifacts.close();
});

test('a removal that waits for its manager says so', async () => {
  const cluster = world.newCluster();
  await install(cluster);
  await installed(cluster);
  const connector = cluster.api.read(`applicationconnectors.${group}`, 'kyma-system', 'applicationconnector-sample');
  cluster.api.write(`applicationconnectors.${group}`, 'kyma-system', connector?.metadata.name ?? '', (object) => {
    object.metadata.finalizers = [...(object.metadata.finalizers ?? []), 'example.com/never'];
  });
  await world.installer.uninstall(world.target(cluster, minimal));
  const seen = await eventually('the module cleans up', async () => {
    const removal = await world.installer.observeRemoval(world.target(cluster, minimal));
    return removal.state === 'working' && /cleans up/.test(removal.message) && removal;
  });
  assert.match(seen.message, /application-connector cleans up.*istio is next/);
});

test('20 clusters at once need each artifact once', async () => {
  const fresh = await startKymaWorld();
  try {
    const installation = await fresh.resolve();
    const clusters = Array.from({ length: 20 }, () => fresh.newCluster());
    await Promise.all(clusters.map((cluster) => fresh.installer.install(fresh.target(cluster, installation))));
    assert.equal(fresh.downloads(), 4);
  } finally {
    await fresh.stop();
  }
});
