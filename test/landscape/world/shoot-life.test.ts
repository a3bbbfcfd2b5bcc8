import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-error.ts';
import { eventually } from '../../harness/eventually.ts';
import { gcpShoot } from './shoots.ts';
import { shootReference, startWorld } from './world.ts';

const world = await startWorld();
const { garden, landscape } = world;
const { control } = landscape;
const confirm = { metadata: { annotations: { 'confirmation.gardener.cloud/deletion': 'true' } } };
const retry = { metadata: { annotations: { 'gardener.cloud/operation': 'retry' } } };

async function deleteShoot(name: string): Promise<void> {
  await garden.patch(shootReference(name), confirm);
  await garden.delete(shootReference(name));
}

describe('the life of a Shoot', () => {
  it('is created, gets a seed, a domain, addresses and a cluster, and is ready in its newest generation', async () => {
    await world.createShoot(gcpShoot('life'));
    await world.reaches('life', 'Create Succeeded');
    const shoot = await world.shoot('life');
    assert.equal(shoot?.spec.seedName, 'gcp-eu1');
    assert.equal(shoot?.spec.dns.domain, 'life.dev.shoot.landscape.example');
    assert.equal(shoot?.status.technicalID, 'shoot--dev--life');
    assert.equal(shoot?.status.observedGeneration, shoot?.metadata.generation);
    assert.equal(shoot?.metadata.labels?.['shoot.gardener.cloud/status'], 'healthy');
    assert.deepEqual(
      shoot?.status.advertisedAddresses.map(({ name }: { name: string }) => name),
      ['external', 'internal', 'service-account-issuer'],
    );
    const cluster = world.client(await world.kubeconfig('life'));
    const namespaces = await cluster.list({ apiVersion: 'v1', plural: 'namespaces', namespaced: false });
    assert.deepEqual(
      namespaces.items.map(({ metadata }) => metadata.name),
      ['default', 'kube-node-lease', 'kube-public', 'kube-system'],
    );
  });

  it('has a kubeconfig that is not good for another cluster, and one that only reads', async () => {
    await world.createShoot(gcpShoot('one'));
    await world.createShoot(gcpShoot('other'));
    await Promise.all([world.reaches('one', 'Create Succeeded'), world.reaches('other', 'Create Succeeded')]);
    const one = await world.kubeconfig('one');
    const crossed = one.replaceAll('shoot--dev--one', 'shoot--dev--other');
    const namespaces = { apiVersion: 'v1', plural: 'namespaces', namespaced: false };
    await assert.rejects(
      world.client(crossed).list(namespaces),
      (error) => error instanceof KubernetesError && error.status === 401,
    );
    const viewer = world.client(await world.kubeconfig('one', 'viewer'), 'garden-dev--one-internal');
    assert.equal((await viewer.list(namespaces)).items.length, 4);
    await assert.rejects(
      viewer.list({ apiVersion: 'v1', plural: 'secrets', namespaced: true }),
      (error) => error instanceof KubernetesError && error.status === 403,
    );
  });

  it('has no kubeconfig before its control plane is up, and none for less than ten minutes', async () => {
    control.setShootFate('early', { kind: 'stuck', at: 'etcd' });
    await world.createShoot(gcpShoot('early'));
    await world.reaches('early', 'Create Processing');
    const refused = (words: RegExp) => (error: unknown) =>
      error instanceof KubernetesError && error.status === 422 && words.test(error.message);
    await assert.rejects(world.kubeconfig('early'), refused(/no kube-apiserver advertised addresses/));
    control.liftShootFate('early');
    await world.reaches('early', 'Create Succeeded');
    await assert.rejects(world.kubeconfig('early', 'admin', 60), refused(/less than 10 minutes/));
  });

  it('stays where it is stuck, says at which task, and goes on when the fate is lifted', async () => {
    control.setShootFate('stuck', { kind: 'stuck', at: 'workers' });
    await world.createShoot(gcpShoot('stuck'));
    const last = await eventually('the task', async () => {
      const operation = (await world.shoot('stuck'))?.status?.lastOperation;
      return operation?.progress > 0 && operation;
    });
    assert.equal(last.state, 'Processing');
    assert.equal(last.description, 'Waiting until shoot worker nodes have been reconciled');
    control.liftShootFate('stuck');
    await world.reaches('stuck', 'Create Succeeded');
  });

  it('reports an Error with its codes, then heals by itself', async () => {
    control.setShootFate('heals', { kind: 'error', codes: ['ERR_INFRA_RESOURCES_DEPLETED'], times: 3 });
    const seen: string[] = [];
    const { resourceVersion } = await garden.list(shootReference('heals'), { namespace: 'garden-dev' });
    const watching = (async () => {
      const events = garden.watch(shootReference('heals'), resourceVersion, {
        namespace: 'garden-dev',
        fieldSelector: 'metadata.name=heals',
      });
      for await (const event of events) {
        if (event.type === 'BOOKMARK') continue;
        const status = event.object.status as
          | { lastOperation?: { state: string }; lastErrors?: { codes?: string[] }[] }
          | undefined;
        seen.push([status?.lastOperation?.state, ...(status?.lastErrors?.[0]?.codes ?? [])].join(' '));
        if (status?.lastOperation?.state === 'Succeeded') return;
      }
    })();
    await world.createShoot(gcpShoot('heals'));
    await watching;
    assert.ok(seen.includes('Error ERR_INFRA_RESOURCES_DEPLETED'), seen.join(', '));
    assert.equal(seen.at(-1), 'Succeeded');
  });

  it('fails, ignores reconcile, and goes on after the fate is lifted and a retry is asked for', async () => {
    control.setShootFate('fails', { kind: 'failed', at: 'infrastructure', codes: ['ERR_INFRA_QUOTA_EXCEEDED'] });
    await world.createShoot(gcpShoot('fails'));
    await world.reaches('fails', 'Create Failed');
    const failed = await world.shoot('fails');
    assert.deepEqual(failed?.status.lastErrors[0].codes, ['ERR_INFRA_QUOTA_EXCEEDED']);
    assert.match(failed?.status.lastErrors[0].description, /Quota 'CPUS' exceeded/);
    assert.equal(failed?.status.observedGeneration, failed?.metadata.generation);

    control.liftShootFate('fails');
    const reconcile = { metadata: { annotations: { 'gardener.cloud/operation': 'reconcile' } } };
    const ignored = await garden.patch(shootReference('fails'), reconcile);
    assert.equal(ignored.metadata.generation, failed?.metadata.generation);
    const retried = await garden.patch(shootReference('fails'), retry);
    assert.equal(retried.metadata.generation, (failed?.metadata.generation ?? 0) + 1);
    assert.equal(retried.metadata.annotations?.['gardener.cloud/operation'], undefined);
    await world.reaches('fails', 'Create Succeeded');
    assert.equal((await world.shoot('fails'))?.status.lastErrors, undefined);
  });

  it('is tried again by itself when only a rate limit stopped it', async () => {
    control.setShootFate('limited', { kind: 'failed', codes: ['ERR_INFRA_RATE_LIMITS_EXCEEDED'] });
    await world.createShoot(gcpShoot('limited'));
    await world.reaches('limited', 'Create Failed');
    control.liftShootFate('limited');
    await world.reaches('limited', 'Create Succeeded');
  });

  it('waits Pending while there is no seed', async () => {
    control.setShootFate('unseeded', { kind: 'noSeed' });
    await world.createShoot(gcpShoot('unseeded'));
    const last = await world.reaches('unseeded', 'Create Pending');
    assert.match(last.description, /^Failed to schedule Shoot: none of the \d+ seeds/);
    control.liftShootFate('unseeded');
    await world.reaches('unseeded', 'Create Succeeded');
  });

  it('reconciles a change of its spec', async () => {
    await world.createShoot(gcpShoot('changed'));
    await world.reaches('changed', 'Create Succeeded');
    await garden.patch(shootReference('changed'), { spec: { kubernetes: { version: '1.34.3' } } });
    await world.reaches('changed', 'Reconcile Succeeded');
    const shoot = await world.shoot('changed');
    assert.equal(shoot?.status.observedGeneration, shoot?.metadata.generation);
  });

  it('takes up no change while its gardenlet does not see it', async () => {
    control.setShootFate('unseen', { kind: 'unseen' });
    await world.createShoot(gcpShoot('unseen'));
    assert.equal((await world.shoot('unseen'))?.status?.observedGeneration, undefined);
    control.liftShootFate('unseen');
    await world.reaches('unseen', 'Create Succeeded');
  });

  it('has no API server while it hibernates, and the old one with its content after waking up', async () => {
    await world.createShoot(gcpShoot('sleepy'));
    await world.reaches('sleepy', 'Create Succeeded');
    const cluster = world.client(await world.kubeconfig('sleepy'));
    const namespaces = { apiVersion: 'v1', plural: 'namespaces', namespaced: false };
    await cluster.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kept' } });
    await garden.patch(shootReference('sleepy'), { spec: { hibernation: { enabled: true } } });
    await eventually('hibernation', async () => (await world.shoot('sleepy'))?.status.hibernated);
    await assert.rejects(cluster.list(namespaces), (error) => !(error instanceof KubernetesError));
    await garden.patch(shootReference('sleepy'), { spec: { hibernation: { enabled: false } } });
    await eventually('waking up', async () => (await world.shoot('sleepy'))?.status.hibernated === false);
    assert.ok(await cluster.get({ ...namespaces, name: 'kept' }));
    const nodes = await cluster.list({ apiVersion: 'v1', plural: 'nodes', namespaced: false });
    assert.equal(nodes.items.length, 2);
  });

  it('may not be hibernated while its constraint says so, but woken up', async () => {
    control.setShootFate('sleepless', { kind: 'problematicWebhook' });
    await world.createShoot(gcpShoot('sleepless'));
    await world.reaches('sleepless', 'Create Succeeded');
    const hibernate = (enabled: boolean) =>
      garden.patch(shootReference('sleepless'), { spec: { hibernation: { enabled } } });
    await assert.rejects(
      hibernate(true),
      /^KubernetesError: shoots\.core\.gardener\.cloud "sleepless" is forbidden: 'HibernationPossible' constraint is 'False': .* is problematic/,
    );
    await hibernate(false);
    control.liftShootFate('sleepless');
    const constraint = async () =>
      (await world.shoot('sleepless'))?.status.constraints.find(
        ({ type }: { type: string }) => type === 'HibernationPossible',
      ).status;
    await eventually('the constraint to be lifted', async () => (await constraint()) === 'True');
    await hibernate(true);
    await eventually('hibernation', async () => (await world.shoot('sleepless'))?.status.hibernated);
    assert.equal(await constraint(), 'True');
  });

  it('takes its cluster with it when it is deleted, from any state', async () => {
    control.setShootFate('dying', { kind: 'failed', codes: ['ERR_INFRA_UNAUTHENTICATED'] });
    await world.createShoot(gcpShoot('dying'));
    await world.reaches('dying', 'Create Failed');
    await deleteShoot('dying');
    await deleteShoot('life');
    await eventually('both to be gone', async () => !(await world.shoot('dying')) && !(await world.shoot('life')));
    const left = control.inventory().clusters.map(({ technicalId }) => technicalId);
    assert.ok(!left.includes('shoot--dev--life') && left.includes('shoot--dev--one'), left.join(', '));
  });

  it('can fail in its deletion, which a retry then finishes', async () => {
    await world.createShoot(gcpShoot('clings'));
    await world.reaches('clings', 'Create Succeeded');
    control.setShootFate('clings', { kind: 'failed', during: 'Delete', codes: ['ERR_CLEANUP_CLUSTER_RESOURCES'] });
    await deleteShoot('clings');
    await world.reaches('clings', 'Delete Failed');
    control.liftShootFate('clings');
    await garden.patch(shootReference('clings'), retry);
    await eventually('it to be gone', async () => !(await world.shoot('clings')));
  });

  it('begins anew under the same name once it is gone', async () => {
    await world.createShoot(gcpShoot('again'));
    await world.reaches('again', 'Create Succeeded');
    const first = await world.shoot('again');
    await deleteShoot('again');
    await eventually('it to be gone', async () => !(await world.shoot('again')));
    await world.createShoot(gcpShoot('again'));
    await world.reaches('again', 'Create Succeeded');
    assert.notEqual((await world.shoot('again'))?.metadata.uid, first?.metadata.uid);
  });

  it('is checked in a dry run and not stored', async () => {
    const shoot = gcpShoot('dry');
    await garden.create(shootReference('dry'), shoot as Parameters<typeof garden.create>[1], { dryRun: true });
    assert.equal(await world.shoot('dry'), undefined);
    shoot.spec.region = 'atlantis';
    await assert.rejects(
      garden.create(shootReference('dry'), shoot as Parameters<typeof garden.create>[1], { dryRun: true }),
      (error) =>
        error instanceof KubernetesError &&
        error.status === 403 &&
        /spec.region: Unsupported value/.test(error.message),
    );
  });

  it('is refused with a field that Gardener has removed', async () => {
    const shoot = gcpShoot('old');
    shoot.spec.kubernetes.allowPrivilegedContainers = true;
    await assert.rejects(
      world.createShoot(shoot),
      (error) =>
        error instanceof KubernetesError &&
        error.status === 400 &&
        /unknown field "spec.kubernetes.allowPrivilegedContainers"/.test(error.message),
    );
  });
});
