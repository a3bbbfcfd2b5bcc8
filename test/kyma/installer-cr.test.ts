import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { helmReleases } from '../../landscape/runtime-cluster/kyma-installer-components.ts';
import { Failure } from '../../src/domain/failures.ts';
import type { ConfigurationEntry, KymaConfig, KymaInstallation } from '../../src/domain/kyma-config.ts';
import type { InstallationObservation, UpgradeMark } from '../../src/kyma/kyma-installer.ts';
import { eventually } from '../harness/eventually.ts';
import { type KymaWorld, startKymaWorld, type TestCluster } from './kyma-world.ts';

const installations = 'installations.installer.kyma-project.io';
const namespace = 'kyma-installer';
const run = 'kcp.provisioner.kyma-project.io/installation';

let world: KymaWorld;
let minimal: KymaInstallation;

before(async () => {
  world = await startKymaWorld();
  minimal = await world.resolve({ version: '1.24.11' });
});
afterEach(() => {
  world.before = undefined;
});
after(() => world.stop());

const install = (cluster: TestCluster, installation = minimal) =>
  world.installerCr.install(world.target(cluster, installation));
const observe = (cluster: TestCluster, installation = minimal) =>
  world.installerCr.observe(world.target(cluster, installation));

async function installed(cluster: TestCluster, installation = minimal): Promise<void> {
  await eventually('Kyma to be installed', async () => {
    const seen = await observe(cluster, installation);
    if (seen.state === 'failed') throw seen.failure;
    return seen.state === 'installed';
  });
}

async function newlyInstalled(installation = minimal): Promise<TestCluster> {
  const cluster = world.newCluster();
  await install(cluster, installation);
  await installed(cluster, installation);
  return cluster;
}

async function upgraded(cluster: TestCluster, from: KymaInstallation, to: KymaInstallation): Promise<string> {
  const target = { cluster: cluster.client, from, to, signal: AbortSignal.timeout(30_000) };
  const mark: UpgradeMark = await world.installerCr.mark(target);
  await world.installerCr.upgrade(target);
  return eventually('the upgrade', async () => {
    const seen = await world.installerCr.observeUpgrade({ ...target, mark });
    if (seen.state === 'failed') throw seen.failure;
    return seen.state === 'installed' && seen.message;
  });
}

function versions(cluster: TestCluster): readonly string[] {
  return [...new Set(helmReleases(cluster.api).map(({ version }) => version))];
}

/** Makes the Installation say something, as the installer would. */
function say(cluster: TestCluster, status: object, action?: string): void {
  cluster.api.write(installations, 'default', 'kyma-installation', (target) => {
    target.status = status;
    target.metadata.labels = action === undefined ? {} : { action };
  });
}

function words(seen: InstallationObservation): string {
  return 'message' in seen ? seen.message : '';
}

function withEntries(entries: readonly ConfigurationEntry[], more: Partial<KymaConfig> = {}) {
  const istio = { component: 'istio', namespace: 'istio-system', configuration: entries };
  return world.resolve({ version: '1.24.11', components: [istio], ...more });
}

test('an installation that broke at any request is completed by observing it', async () => {
  world.requests.length = 0;
  await install(world.newCluster());
  const steps = world.requests.length;
  assert.ok(steps > 10);
  for (let step = 0; step < steps; step++) {
    const cluster = world.newCluster();
    let count = 0;
    const lost = { kind: 'lose-reply' } as const;
    world.before = () => (count++ === step ? lost : undefined);
    await install(cluster).catch((error) => assert.ok(!(error instanceof Failure)));
    world.before = undefined;
    // An empty cluster is told apart from one that was begun on: the stage begins again.
    if ((await observe(cluster)).state === 'absent') await install(cluster);
    await installed(cluster);
    assert.deepEqual(versions(cluster), ['1.24.11'], `broken at request ${step}`);
  }
});

test('an Installation without an order, as a crashed predecessor leaves it, is not taken for one that was begun', async () => {
  const cluster = await newlyInstalled();
  for (const status of [undefined, { state: 'Installed', description: 'Kyma installed' }, { state: 'Uninstalled' }]) {
    cluster.api.write(installations, 'default', 'kyma-installation', (target) => {
      delete target.metadata.annotations?.[run];
      target.status = status;
    });
    for (const { name, namespace: where } of helmReleases(cluster.api)) {
      cluster.api.remove('secrets', where, `sh.helm.release.v1.${name}`);
    }
    await installed(cluster);
    assert.deepEqual(versions(cluster), ['1.24.11'], JSON.stringify(status));
  }
});

test('a failure is final once the order is gone, and tells the component and why', async () => {
  const cluster = await newlyInstalled();
  const errorLog = [{ component: 'istio', log: 'timed out waiting for the condition', occurrences: 6 }];
  const conditions = [{ type: 'Error', status: 'True' }];
  const description = 'install component istio';
  const cases = [
    { reason: 'retries are exhausted', status: { state: 'Error', description, errorLog, conditions } },
    { reason: 'given up while planning', status: { state: 'InProgress', description, errorLog, conditions } },
  ];
  for (const { reason, status } of cases) {
    say(cluster, status);
    const seen = await observe(cluster);
    assert.equal(seen.state, 'failed', reason);
    assert.match(
      seen.state === 'failed' ? seen.failure.message : '',
      /Kyma 1\.24\.11 failed at component istio \(2 of 3\): istio: timed out waiting for the condition \(6 times\)/,
      reason,
    );
    assert.equal((await observe(cluster)).state, 'failed', 'and stays so');
    await world.installerCr.retry(world.target(cluster, minimal));
    await installed(cluster);
  }
});

test('what looks final a moment before the installer says how it ended is not believed', async () => {
  const cluster = await newlyInstalled();
  say(cluster, { state: 'Error', description: 'install component istio' });
  let reads = 0;
  world.before = ({ verb, path }) => {
    if (verb === 'get' && path.endsWith('/kyma-installation') && ++reads === 2) say(cluster, { state: 'Installed' });
    return undefined;
  };
  assert.equal((await observe(cluster)).state, 'working');
  await installed(cluster);
});

test('an order that got lost between two words of the installer is given again', async () => {
  const cluster = await newlyInstalled();
  say(cluster, { state: 'InProgress', description: 'install component istio' });
  assert.match(words(await observe(cluster)), /component istio \(2 of 3\)/);
  await installed(cluster);
});

test('an installer that somebody deleted is started again', async () => {
  const cluster = await newlyInstalled();
  cluster.api.remove('deployments', namespace, 'kyma-installer');
  say(cluster, { state: 'InProgress', description: 'install component istio' }, 'install');
  const seen = await observe(cluster);
  assert.match(words(seen), /component istio \(2 of 3\); the installer does not run: it is missing/);
  assert.deepEqual(seen.state === 'working' && seen.progress, 33);
  await installed(cluster);
});

test('an upgrade lets the installer finish what it does, and waits until it has stopped', async () => {
  const from = await world.resolve({ version: '1.23.0' });
  const cluster = await newlyInstalled(from);
  const target = { cluster: cluster.client, from, to: minimal, signal: AbortSignal.timeout(30_000) };
  const mark = await world.installerCr.mark(target);
  await world.installerCr.upgrade(target);
  const look = async () => {
    const seen = await world.installerCr.observeUpgrade({ ...target, mark });
    return 'message' in seen ? seen.message : seen.state;
  };
  say(cluster, { state: 'InProgress', description: 'install component istio' });
  assert.match(await look(), /Waiting until the installer has finished what it does: component istio/);
  say(cluster, { state: 'Installed' });
  const pod = { metadata: { namespace, name: 'kyma-installer-old' }, spec: {} };
  cluster.api.create('pods', pod);
  assert.match(await look(), /Waiting until the installer of before has stopped/);
  assert.match(await look(), /Waiting until the installer of before has stopped/);
  assert.deepEqual(versions(cluster), ['1.23.0']);
  cluster.api.remove('pods', namespace, 'kyma-installer-old');
  await eventually('the upgrade', async () => /is installed/.test(await look()));
  assert.deepEqual(versions(cluster), ['1.24.11']);
});

test('an upgrade leads out of a failed installation', async () => {
  const from = await world.resolve({ version: '1.23.0' });
  const cluster = await newlyInstalled(from);
  say(cluster, { state: 'Error', description: 'install component istio' });
  await upgraded(cluster, from, minimal);
  assert.deepEqual(versions(cluster), ['1.24.11']);
});

test('nothing but confidential values is in Secrets, and global ones reach every component', async () => {
  const installation = await withEntries(
    [
      { key: 'gateway.host', value: 'example.com' },
      { key: 'gateway.token', value: 'hidden', secret: true },
    ],
    { configuration: [{ key: 'global.token', value: 'hidden, too', secret: true }] },
  );
  const cluster = await newlyInstalled(installation);
  const [release] = helmReleases(cluster.api);
  assert.deepEqual(release?.values, {
    'global.token': 'hidden, too',
    'gateway.host': 'example.com',
    'gateway.token': 'hidden',
  });
  assert.deepEqual(cluster.api.read('configmaps', namespace, 'istio-installer-config')?.data, {
    'gateway.host': 'example.com',
  });
  assert.equal(cluster.api.read('configmaps', namespace, 'global-installer-config'), undefined);
  const labels = cluster.api.read('secrets', namespace, 'global-installer-config')?.metadata.labels ?? {};
  assert.equal(labels.installer, 'overrides');
  assert.ok(!('component' in labels), 'the installer takes it for global only without that label');
  const told = JSON.stringify([world.installerCr.describe(installation), installation.plan]);
  assert.ok(!told.includes('hidden'));
});

test("an upgrade's configuration replaces what was configured before, and leaves what others have put beside it", async () => {
  const from = await withEntries([
    { key: 'a', value: '1' },
    { key: 'b', value: '2' },
  ]);
  const cluster = await newlyInstalled(from);
  const data = (type: 'configmaps' | 'secrets') => cluster.api.read(type, namespace, 'istio-installer-config')?.data;
  cluster.api.write('configmaps', namespace, 'istio-installer-config', (target) => {
    target.data.theirs = 'x';
  });
  const hidden = await withEntries([
    { key: 'a', value: '3' },
    { key: 'b', value: '2', secret: true },
  ]);
  await upgraded(cluster, from, hidden);
  assert.deepEqual(data('configmaps'), { a: '3', theirs: 'x' });
  assert.deepEqual(Object.keys(data('secrets')), ['b']);
  const replaced = await withEntries([{ key: 'a', value: '4' }], { conflictStrategy: 'Replace' });
  await upgraded(cluster, hidden, replaced);
  assert.deepEqual(data('configmaps'), { a: '4' });
  assert.equal(data('secrets'), undefined);
  assert.deepEqual(helmReleases(cluster.api)[0]?.values, { a: '4' });
});

test('only the value of a confidential entry changes, and the upgrade still brings it', async () => {
  const from = await withEntries([{ key: 'token', value: 'old', secret: true }]);
  const cluster = await newlyInstalled(from);
  await upgraded(cluster, from, await withEntries([{ key: 'token', value: 'new', secret: true }]));
  assert.deepEqual(helmReleases(cluster.api)[0]?.values, { token: 'new' });
});

test('Tiller comes first and is waited for', async () => {
  const early = await world.resolve({ version: '1.11.0' });
  const cluster = world.newCluster();
  const isAvailable = (status: string) =>
    cluster.api.write('deployments', 'kube-system', 'tiller-deploy', (target) => {
      target.status = { observedGeneration: target.metadata.generation, conditions: [{ type: 'Available', status }] };
    });
  world.before = ({ verb, path }) => {
    if (verb === 'get' && path.endsWith('/tiller-deploy')) isAvailable('False');
    return undefined;
  };
  await install(cluster, early);
  const seen = await observe(cluster, early);
  assert.equal(seen.state, 'working');
  assert.equal(words(seen), 'Installing Kyma 1.11.0: Waiting for Tiller: it is not available yet');
  assert.equal(cluster.api.read('deployments', namespace, 'kyma-installer'), undefined);
  world.before = undefined;
  isAvailable('True');
  await installed(cluster, early);
});

test('a removal waits for the installer, as what it is told while it works is lost', async () => {
  const cluster = await newlyInstalled();
  const target = world.target(cluster, minimal);
  const label = () => cluster.api.read(installations, 'default', 'kyma-installation')?.metadata.labels?.action;
  say(cluster, { state: 'InProgress', description: 'install component istio' });
  await world.installerCr.uninstall(target);
  assert.equal(label(), undefined);
  say(cluster, { state: 'Installed' });
  await world.installerCr.uninstall(target);
  await eventually('the removal', async () => (await world.installerCr.observeRemoval(target)).state === 'removed');
  assert.deepEqual(helmReleases(cluster.api), []);
});

test('the finalizer of an early release is respected, and a release that is not to be had keeps no cluster', async () => {
  const early = await world.resolve({ version: '1.11.0' });
  const cluster = await newlyInstalled(early);
  const held = cluster.api.read(installations, 'default', 'kyma-installation')?.metadata.finalizers;
  assert.deepEqual(held, ['finalizer.installer.kyma-project.io']);
  const { installer } = early.plan as { installer: { url: string } };
  const gone = { ...early, plan: { ...(early.plan as object), installer: { ...installer, sha256: 'f'.repeat(64) } } };
  const target = world.target(cluster, gone);
  await eventually('the removal', async () => (await world.installerCr.observeRemoval(target)).state === 'removed');
  assert.deepEqual(helmReleases(cluster.api), []);
  assert.equal(cluster.api.read(installations, 'default', 'kyma-installation'), undefined);
});

test('a component that an upgrade leaves out stays, and one that the release does not have is told of', async () => {
  const from = await world.resolve({ version: '1.11.0', modules: ['Backup'] });
  const resolved = await world.catalogue.resolveUpgrade({
    config: { version: '1.11.0', components: [{ component: 'istio', namespace: 'istio-system' }] },
    path: 'kymaConfig',
    active: from,
  });
  assert.ok('installation' in resolved);
  assert.deepEqual(
    resolved.installation.config.components.map(({ component }) => component),
    ['istio', 'cluster-essentials', 'backup', 'compass-runtime-agent'],
  );
  // As if it had been installed from the release before.
  const active = { ...from, plan: { ...(from.plan as object), release: '1.23.0' } };
  const next = await world.catalogue.resolveUpgrade({
    config: { version: '1.24.11', components: [] },
    path: 'kymaConfig',
    active,
  });
  assert.ok('installation' in next, JSON.stringify(next));
  const cluster = world.newCluster();
  const target = { cluster: cluster.client, from: active, to: next.installation, signal: AbortSignal.timeout(30_000) };
  assert.deepEqual(await world.installerCr.upgrade(target), [
    'component backup: is not in Kyma 1.24.11 and stays as it is, because no upgrade of Kyma 1 removes components',
  ]);
});
