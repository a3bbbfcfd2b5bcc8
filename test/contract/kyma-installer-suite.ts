import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../landscape/kubernetes/kubernetes-server.ts';
import { tooManyRequests } from '../../landscape/kubernetes/status-error.ts';
import { Failure } from '../../src/domain/failures.ts';
import type { KymaInstallation } from '../../src/domain/kyma-config.ts';
import type { InstallationObservation, KymaInstaller, UpgradeObservation } from '../../src/kyma/kyma-installer.ts';
import { eventually } from '../harness/eventually.ts';
import type { KymaWorld, TestCluster } from '../kyma/kyma-world.ts';

/** What the suite needs of an installer: a release, and one that it can be upgraded to. */
export interface InstallerUnderTest {
  readonly world: KymaWorld;
  readonly installer: KymaInstaller;
  readonly before: KymaInstallation;
  readonly after: KymaInstallation;
  /** Objects that an installation or upgrade done twice must not touch, as `uid/resourceVersion`. */
  readonly fingerprint: (cluster: TestCluster) => readonly string[];
  /** What proves that the cluster has the release of that installation. */
  readonly release: (cluster: TestCluster) => string | undefined;
  /** What a removal leaves, such as `Namespace /kyma-system`. */
  readonly stays: RegExp;
  readonly releases: { readonly before: string; readonly after: string };
}

/** What holds for everything that installs Kyma; `open` is called once, before the first test. */
export function kymaInstallerSuite(name: string, open: () => Promise<InstallerUnderTest>): void {
  let opened: Promise<InstallerUnderTest> | undefined;
  const subject = () => (opened ??= open());

  test(`${name}: where there is nothing, nothing is observed, and nothing is done by looking`, async () => {
    const { world, installer, before } = await subject();
    const cluster = world.newCluster();
    world.requests.length = 0;
    assert.deepEqual(await installer.observe(world.target(cluster, before)), { state: 'absent' });
    assert.deepEqual(
      world.requests.filter((request) => !/^(get|list|other) /.test(request)),
      [],
    );
  });

  test(`${name}: an installation ends, tells how far it is meanwhile, and again changes nothing`, async () => {
    const subjectNow = await subject();
    const { world, installer, before, fingerprint, release, releases } = subjectNow;
    const cluster = world.newCluster();
    await installer.install(world.target(cluster, before));
    const seen = await installed(subjectNow, cluster);
    for (const each of seen) {
      if (each.state !== 'working') continue;
      assert.ok(each.progress >= 0 && each.progress <= 99, `${each.progress}`);
      assert.notEqual(each.message, '');
    }
    assert.equal(release(cluster), releases.before);
    const now = fingerprint(cluster);
    assert.ok(now.length > 0);
    await installer.install(world.target(cluster, before));
    assert.equal((await installed(subjectNow, cluster)).at(-1)?.state, 'installed');
    assert.deepEqual(fingerprint(cluster), now);
  });

  test(`${name}: an installation that broke at any request is completed by whoever goes on`, async () => {
    const subjectNow = await subject();
    const { world, installer, before, release, releases } = subjectNow;
    const begin = async (cluster: TestCluster) => installer.install(world.target(cluster, before));
    world.requests.length = 0;
    await begin(world.newCluster());
    const steps = world.requests.length;
    const faults: Fault[] = [{ kind: 'drop' }, { kind: 'lose-reply' }, { kind: 'status', error: tooManyRequests(1) }];
    for (let step = 0; step < steps; step++) {
      const cluster = world.newCluster();
      let count = 0;
      world.before = ({ api }) =>
        api === cluster.api.name && count++ === step ? faults[step % faults.length] : undefined;
      // A read that is dropped is read again at once.
      await begin(cluster).catch((error) => assert.ok(!(error instanceof Failure), `final at request ${step}`));
      assert.ok(count > step, `request ${step} was never sent`);
      world.before = undefined;
      await begin(cluster);
      await installed(subjectNow, cluster);
      assert.equal(release(cluster), releases.before, `broken at request ${step}`);
    }
  });

  test(`${name}: an upgrade brings the new release, and what was true before is not taken for it`, async () => {
    const subjectNow = await subject();
    const { world, installer, before, after, release, releases } = subjectNow;
    const cluster = world.newCluster();
    await installer.install(world.target(cluster, before));
    await installed(subjectNow, cluster);
    const { signal } = world.target(cluster, before);
    const target = { cluster: cluster.client, from: before, to: after, signal };
    const mark: unknown = JSON.parse(JSON.stringify(await installer.mark(target)));
    await installer.upgrade(target);
    let last: UpgradeObservation | undefined;
    await eventually('the upgrade', async () => {
      last = await installer.observeUpgrade({ ...target, mark });
      if (last.state === 'failed') throw last.failure;
      return last.state === 'installed' || last.state === 'unconfirmed';
    });
    assert.equal(release(cluster), releases.after);
  });

  test(`${name}: a removal leaves nothing, twice too, and works where there is nothing`, async () => {
    const subjectNow = await subject();
    const { world, installer, before, stays } = subjectNow;
    const cluster = world.newCluster();
    const nothing = objectsOf(cluster);
    const target = world.target(cluster, before);
    await installer.uninstall(target);
    assert.deepEqual(await installer.observeRemoval(target), { state: 'removed' });
    await installer.install(target);
    await installed(subjectNow, cluster);
    await installer.uninstall(target);
    await eventually('the removal', async () => (await installer.observeRemoval(target)).state === 'removed');
    assert.deepEqual(await installer.observeRemoval(target), { state: 'removed' });
    assert.deepEqual(await installer.observe(world.target(cluster, before)), { state: 'absent' });
    const isKubernetes = (object: string) => /^ServiceAccount \S+\/default$/.test(object);
    const left = () =>
      objectsOf(cluster).filter((each) => !nothing.includes(each) && !isKubernetes(each) && !stays.test(each));
    await eventually('everything of Kyma to be gone', () => left().length === 0).catch(() =>
      assert.deepEqual(left(), []),
    );
  });

  test(`${name}: an installation that is under way can be removed`, async () => {
    const { world, installer, before } = await subject();
    const cluster = world.newCluster();
    const target = world.target(cluster, before);
    await installer.install(target);
    await installer.uninstall(target);
    await eventually('the removal', async () => (await installer.observeRemoval(target)).state === 'removed');
    assert.deepEqual(await installer.observe(target), { state: 'absent' });
  });

  test(`${name}: to take up what has not failed changes nothing`, async () => {
    const subjectNow = await subject();
    const { world, installer, before, fingerprint } = subjectNow;
    const cluster = world.newCluster();
    await installer.retry(world.target(cluster, before));
    assert.deepEqual(await installer.observe(world.target(cluster, before)), { state: 'absent' });
    await installer.install(world.target(cluster, before));
    await installed(subjectNow, cluster);
    const now = fingerprint(cluster);
    await installer.retry(world.target(cluster, before));
    assert.deepEqual(fingerprint(cluster), now);
  });

  test(`${name}: what it would do is told in the order in which it is done`, async () => {
    const { installer, before } = await subject();
    const parts = installer.describe(before);
    const names = before.config.components.map(({ component }) => component);
    const told = parts.flatMap(({ subject: words }) => names.filter((each) => words.split(' ').includes(each)));
    assert.deepEqual(told, names);
  });
}

/** All that was observed until it was installed. */
async function installed(
  { world, installer, before }: InstallerUnderTest,
  cluster: TestCluster,
): Promise<readonly InstallationObservation[]> {
  const all: InstallationObservation[] = [];
  await eventually('Kyma to be installed', async () => {
    const target = world.target(cluster, before);
    const seen = await installer.observe(target);
    all.push(seen);
    if (seen.state === 'failed') throw seen.failure;
    // As the stage does that waits for it.
    if (seen.state === 'absent') await installer.install(target);
    return seen.state === 'installed';
  });
  return all;
}

function objectsOf({ api }: TestCluster): readonly string[] {
  return api.registry
    .all()
    .flatMap((type) =>
      api.list(type).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`),
    )
    .sort();
}
