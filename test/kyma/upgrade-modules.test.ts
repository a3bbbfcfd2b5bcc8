import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { internal } from '../../landscape/kubernetes/status-error.ts';
import { Failure } from '../../src/domain/failures.ts';
import type { KymaInstallation } from '../../src/domain/kyma-config.ts';
import type { ResourceKind } from '../../src/kubernetes/kubernetes-client.ts';
import { Artifacts } from '../../src/kyma/artifacts.ts';
import type { UpgradeMark, UpgradeObservation, UpgradeTarget } from '../../src/kyma/kyma-installer.ts';
import { modulesInstaller } from '../../src/kyma/modules/modules-installer.ts';
import { eventually } from '../harness/eventually.ts';
import { silentLog } from '../harness/silent-log.ts';
import { type KymaWorld, startKymaWorld, type TestCluster } from './kyma-world.ts';

const group = 'operator.kyma-project.io';
const namespace = 'kyma-system';
const configMaps: ResourceKind = { apiVersion: 'v1', plural: 'configmaps', namespaced: true };
const serverlesses: ResourceKind = { apiVersion: `${group}/v1alpha1`, plural: 'serverlesses', namespaced: true };
const repositories: ResourceKind = {
  apiVersion: 'serverless.kyma-project.io/v1alpha1',
  plural: 'gitrepositories',
  namespaced: true,
};
const lite = ['istio', 'application-connector'];

let world: KymaWorld;

before(async () => {
  world = await startKymaWorld();
});
afterEach(() => {
  world.before = undefined;
});
after(() => world.stop());

function release(version: string, names: readonly string[] = lite, changes: object = {}): Promise<KymaInstallation> {
  const components = names.map((component) => ({ component, namespace }));
  return world.resolve({ version, components, ...changes });
}

/** A cluster on which an installation is complete. */
async function clusterWith(installation: KymaInstallation): Promise<TestCluster> {
  const cluster = world.newCluster();
  const target = world.target(cluster, installation);
  await world.installer.install(target);
  await eventually('Kyma is installed', async () => (await world.installer.observe(target)).state === 'installed');
  return cluster;
}

interface Upgrade extends UpgradeTarget {
  readonly mark: UpgradeMark;
}

async function marked(cluster: TestCluster, from: KymaInstallation, to: KymaInstallation): Promise<Upgrade> {
  const target = { cluster: cluster.client, from, to, signal: AbortSignal.timeout(30_000) };
  // As it comes out of the notes of an operation.
  return { ...target, mark: JSON.parse(JSON.stringify(await world.installer.mark(target))) };
}

async function reaches(upgrade: Upgrade, state: UpgradeObservation['state']): Promise<string> {
  let last: UpgradeObservation | undefined;
  const look = async () => {
    last = await world.installer.observeUpgrade(upgrade);
    return last.state === state && 'message' in last && last.message;
  };
  return eventually(`the upgrade is ${state}`, look).catch((error) => {
    throw new Error(`it is ${JSON.stringify(last)}`, { cause: error });
  });
}

async function upgraded(cluster: TestCluster, from: KymaInstallation, to: KymaInstallation): Promise<string> {
  const upgrade = await marked(cluster, from, to);
  await world.installer.upgrade(upgrade);
  return reaches(upgrade, 'installed');
}

/** Names of what modules consist of, by kind. */
function present({ api }: TestCluster): Record<string, string[]> {
  const names = (type: string) =>
    api
      .list(type)
      .filter((object) => (object.metadata.namespace ?? namespace) === namespace)
      .map(({ metadata }) => metadata.name ?? '')
      .filter((name) => /istio-|serverless|gitrepo|application-conn/.test(name))
      .toSorted();
  const types = ['deployments', 'configmaps', 'services', 'clusterroles', 'customresourcedefinitions'];
  return Object.fromEntries(types.map((type) => [type, names(type)]));
}

test('a Secret follows its confidential entries, and goes with them; one of somebody else stays', async () => {
  const withRegistry = async (version: string, configuration: readonly object[]) => {
    const components = [...lite.map((component) => ({ component, namespace }))];
    return world.resolve({
      version,
      components: [...components, { component: 'serverless', namespace, configuration }] as never,
    });
  };
  const secrets: ResourceKind = { apiVersion: 'v1', plural: 'secrets', namespaced: true };
  const registry = { ...secrets, namespace, name: 'serverless-external-registry' };
  const user = { key: 'dockerRegistry.username', value: 'me', secret: true };
  const password = (value: string) => ({ key: 'dockerRegistry.password', value, secret: true });
  const both = await withRegistry('fast', [user, password('first')]);
  const cluster = await clusterWith(both);
  const stored = async () => {
    const data = (await cluster.client.get(registry))?.data as Record<string, string> | undefined;
    const decode = (value: string) => Buffer.from(value, 'base64').toString();
    return (
      data &&
      Object.entries(data)
        .map(([key, value]) => [key, decode(value)])
        .sort()
    );
  };
  assert.deepEqual(await stored(), [
    ['password', 'first'],
    ['username', 'me'],
  ]);
  const resource = cluster.api.read(`serverlesses.${group}`, namespace, 'default');
  assert.equal(resource?.spec.dockerRegistry.secretName, registry.name);
  assert.doesNotMatch(JSON.stringify(resource), /first/);

  const changed = await withRegistry('fast', [user, password('second')]);
  const change = await marked(cluster, both, changed);
  await world.installer.upgrade(change);
  await reaches(change, 'installed');
  assert.deepEqual((await stored())?.[0], ['password', 'second']);

  const without = await withRegistry('fast', []);
  const removal = await marked(cluster, changed, without);
  await world.installer.upgrade(removal);
  await reaches(removal, 'installed');
  assert.equal(await stored(), undefined);
  assert.equal(
    cluster.api.read(`serverlesses.${group}`, namespace, 'default')?.spec.dockerRegistry.secretName,
    undefined,
  );

  const { apiVersion } = secrets;
  const metadata = { namespace, name: registry.name };
  await cluster.user.apply({ apiVersion, kind: 'Secret', metadata, data: { username: 'eA==' } }, { kind: secrets });
  const other = await release('1.2.0');
  const upgrade = await marked(cluster, without, other);
  await world.installer.upgrade(upgrade);
  await reaches(upgrade, 'installed');
  assert.deepEqual(await stored(), [['username', 'x']]);
});

test('modules become newer, and what their new manifests do not have is removed', async () => {
  const [from, to] = [await release('1.1.0'), await release('1.2.0')];
  const cluster = await clusterWith(from);
  const message = await upgraded(cluster, from, to);
  assert.equal(message, 'Kyma modules are installed: istio 1.12.0, application-connector 1.2.0');
  const manager = cluster.api.read('deployments', namespace, 'istio-controller-manager');
  assert.match(manager?.spec.template.spec.containers[0].image, /istio-manager:1.12.0$/);
  assert.deepEqual(present(cluster).configmaps, ['application-connector-controller-manager-config']);
  assert.deepEqual(present(cluster).services, ['istio-controller-manager-metrics']);
});

test('an upgrade is not over before each manager has looked at its module again', async () => {
  const [from, to] = [await release('1.1.0'), await release('1.2.0')];
  const cluster = await clusterWith(from);
  const upgrade = await marked(cluster, from, to);
  await world.installer.upgrade(upgrade);
  await reaches(upgrade, 'installed');
  const again = await marked(cluster, from, to);
  // As if the upgrade had begun now: the manager is another one, and has written nothing since.
  const mark = structuredClone(again.mark) as Record<string, { manager: string }>;
  assert.ok(mark.istio);
  mark.istio.manager = 'the one before';
  const message = await reaches({ ...again, mark }, 'unconfirmed');
  assert.match(message, /making sure that its manager has looked at it since the upgrade: istio 1\.12\.0$/);
});

test('modules are added, and those that are named no more are removed, custom resource first', async () => {
  const [from, to] = [
    await release('1.1.0', [...lite, 'serverless']),
    await release('1.1.0', [...lite, 'api-gateway']),
  ];
  const cluster = await clusterWith(from);
  world.requests.length = 0;
  await upgraded(cluster, from, to);
  assert.equal(cluster.api.list(`apigateways.${group}`)[0]?.status.state, 'Ready');
  const left = Object.values(present(cluster)).flat();
  assert.deepEqual(
    left.filter((name) => /serverless|gitrepo/.test(name)),
    [],
  );
  const deletions = world.requests.filter((request) => request.startsWith('delete '));
  assert.match(deletions[0] ?? '', /serverlesses\/default$/);
  assert.ok(cluster.api.read('namespaces', undefined, namespace), 'a namespace stays');
});

test('a module that is to go keeps its manager until it has cleaned up, and the caller reads why', async () => {
  const [from, to] = [await release('1.1.0', [...lite, 'serverless']), await release('1.2.0')];
  const cluster = await clusterWith(from);
  const hold = (finalizers: string[]) =>
    cluster.user.patch({ ...serverlesses, name: 'default', namespace }, { metadata: { finalizers } });
  await hold(['example.com/never']);
  const upgrade = await marked(cluster, from, to);
  await world.installer.upgrade(upgrade);
  const seen = await eventually('only the removal is left', async () => {
    const observed = await world.installer.observeUpgrade(upgrade);
    return observed.state === 'working' && /ready: 2 of 2/.test(observed.message) && observed;
  });
  assert.match(seen.message, /Removing Kyma modules: serverless cleans up/);
  assert.equal(seen.progress, 60);
  assert.ok(present(cluster).deployments?.includes('serverless-operator'));
  assert.ok(present(cluster).configmaps?.includes('istio-controller-manager-config'), 'nothing is pruned before');
  await hold([]);
  await reaches(upgrade, 'installed');
  assert.ok(!present(cluster).deployments?.includes('serverless-operator'));
});

test('a custom resource that a user made of a module that is to go is waited for, not deleted', async () => {
  const [from, to] = [await release('1.1.0', [...lite, 'serverless']), await release('1.1.0')];
  const cluster = await clusterWith(from);
  const second = {
    apiVersion: serverlesses.apiVersion,
    kind: 'Serverless',
    metadata: { name: 'mine', namespace: 'default' },
  };
  await cluster.user.create(serverlesses, second);
  const upgrade = await marked(cluster, from, to);
  await world.installer.upgrade(upgrade);
  await eventually('the caller is told', async () => {
    const seen = await world.installer.observeUpgrade(upgrade);
    return seen.state === 'working' && /waits until somebody deletes Serverless default\/mine/.test(seen.message);
  });
  await cluster.user.delete({ ...serverlesses, name: 'mine', namespace: 'default' });
  await reaches(upgrade, 'installed');
});

test('a definition of which users have objects stays, and the caller reads so', async () => {
  const [from, to] = [await release('1.1.0', [...lite, 'serverless']), await release('1.2.0', [...lite, 'serverless'])];
  const cluster = await clusterWith(from);
  const repository = {
    apiVersion: repositories.apiVersion,
    kind: 'GitRepository',
    metadata: { name: 'mine', namespace: 'default' },
  };
  await cluster.user.create(repositories, repository);
  const message = await upgraded(cluster, from, to);
  assert.match(
    message,
    /gitrepositories\.serverless\.kyma-project\.io stays, because there are objects of it: default\/mine$/,
  );
  assert.ok(await cluster.user.get({ ...repositories, name: 'mine', namespace: 'default' }));
  await cluster.user.delete({ ...repositories, name: 'mine', namespace: 'default' });
  await reaches(await marked(cluster, from, to), 'installed');
  assert.deepEqual(
    present(cluster).customresourcedefinitions?.filter((name) => name.startsWith('gitrepo')),
    [],
  );
});

test('what somebody else has applied under the same name is left alone', async () => {
  const [from, to] = [await release('1.1.0'), await release('1.2.0')];
  const cluster = await clusterWith(from);
  const reference = { ...configMaps, namespace, name: 'istio-controller-manager-config' };
  await cluster.user.delete(reference);
  const { name } = reference;
  await cluster.user.create(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data: { mine: 'yes' },
  });
  await upgraded(cluster, from, to);
  assert.deepEqual(cluster.api.read('configmaps', namespace, name)?.data, { mine: 'yes' });
});

test('configuration that is asked for no more goes, and what a user changed stays unless it is to be replaced', async () => {
  const configured = (value: string) => [
    { component: 'istio', namespace, configuration: [{ key: 'config.numTrustedProxies', value }] },
    { component: 'application-connector', namespace },
  ];
  const spec = (cluster: TestCluster) => cluster.api.read(`istios.${group}`, namespace, 'default')?.spec;
  const from = await release('1.1.0', [], { components: configured('1') });
  const cluster = await clusterWith(from);
  const without = await release('1.2.0');
  await upgraded(cluster, from, without);
  assert.deepEqual(spec(cluster) ?? {}, {});
  await world.installer.install(world.target(cluster, from));
  const istio = { apiVersion: `${group}/v1alpha2`, plural: 'istios', namespaced: true, name: 'default', namespace };
  await cluster.user.patch(istio, { spec: { config: { numTrustedProxies: 5 } } });
  const merged = await marked(cluster, from, await release('1.2.0', [], { components: configured('2') }));
  assert.deepEqual(await world.installer.upgrade(merged), [
    'the custom resource of istio was changed in the cluster and stays as it is (conflictStrategy Merge)',
  ]);
  assert.equal(spec(cluster).config.numTrustedProxies, 5);
  const strategy = { components: configured('2'), conflictStrategy: 'Replace' };
  const replaced = await marked(cluster, from, await release('1.2.0', [], strategy));
  assert.deepEqual(await world.installer.upgrade(replaced), []);
  assert.equal(spec(cluster).config.numTrustedProxies, 2);
});

test('an upgrade that broke at any request is completed by the next run', async () => {
  const [from, to] = [await release('1.1.0', [...lite, 'serverless']), await release('1.2.0')];
  const reference = await clusterWith(from);
  const undisturbed = await marked(reference, from, to);
  world.requests.length = 0;
  await world.installer.upgrade(undisturbed);
  const steps = world.requests.length;
  await reaches(undisturbed, 'installed');
  for (let step = 0; step < steps; step += 5) {
    const cluster = await clusterWith(from);
    const upgrade = await marked(cluster, from, to);
    let seen = 0;
    world.before = () => (seen++ === step ? { kind: step % 2 === 0 ? 'drop' : 'lose-reply' } : undefined);
    await world.installer.upgrade(upgrade).catch((error) => assert.ok(!(error instanceof Failure), error));
    world.before = undefined;
    await world.installer.upgrade(upgrade);
    await reaches(upgrade, 'installed');
    assert.deepEqual(present(cluster), present(reference), `broken at request ${step}`);
  }
});

test('a webhook of a manager that is being replaced is tried again', async () => {
  const [from, to] = [await release('1.1.0'), await release('1.2.0')];
  const cluster = await clusterWith(from);
  let left = 3;
  const error = internal('Internal error occurred: failed calling webhook "istio.kyma-project.io": connection refused');
  world.before = ({ verb, path }) =>
    verb === 'patch' && path.endsWith('/istios/default') && left-- > 0 ? { kind: 'status', error } : undefined;
  await upgraded(cluster, from, to);
  assert.ok(left < 0);
});

test('what an upgrade that was given up had brought is removed by the next one', async () => {
  const [active, tried] = [await release('1.1.0'), await release('1.2.0', [...lite, 'serverless'])];
  const cluster = await clusterWith(active);
  await world.installer.upgrade(await marked(cluster, active, tried));
  const components = lite.map((component) => ({ component, namespace }));
  const config = { version: '1.2.0', components };
  const resolved = await world.catalogue.resolveUpgrade({ config, path: '', active, attempted: tried });
  assert.ok('installation' in resolved);
  const to = JSON.parse(JSON.stringify(resolved.installation)) as KymaInstallation;
  await upgraded(cluster, active, to);
  assert.deepEqual(
    Object.values(present(cluster))
      .flat()
      .filter((name) => /serverless/.test(name)),
    [],
  );
});

test('an old manifest that is not to be had any more keeps no module: its manager goes', async () => {
  const [from, to] = [await release('1.1.0', [...lite, 'serverless']), await release('1.1.0')];
  const cluster = await clusterWith(from);
  const lean = new Artifacts({ privateAddresses: 'allowed', trustedHosts: () => world.trustedHosts(), log: silentLog });
  assert.ok(world.published.corrupt('/artifacts/serverless/1.6.0/serverless-operator.yaml'));
  const later = modulesInstaller({
    warnings: 'accept',
    artifacts: lean,
    fieldManager: 'runtime-provisioner',
    log: silentLog,
  });
  const upgrade = await marked(cluster, from, to);
  await later.upgrade(upgrade);
  await eventually('it is removed', async () => (await later.observeUpgrade(upgrade)).state === 'installed');
  assert.ok(!present(cluster).deployments?.includes('serverless-operator'));
  await lean.close();
});
