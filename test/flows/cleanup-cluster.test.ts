import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { ClusterDriver } from '../../src/clusters/cluster-driver.ts';
import type { Notes } from '../../src/domain/operation.ts';
import { cleanupCluster } from '../../src/flows/stages/cleanup-cluster.ts';
import { releasingCloudResources } from '../../src/flows/stages/releasing-cloud-resources.ts';
import { triggerKymaUninstall } from '../../src/flows/stages/trigger-kyma-uninstall.ts';
import { waitingForKymaUninstall } from '../../src/flows/stages/waiting-for-kyma-uninstall.ts';
import type { StageRun } from '../../src/flows/tools.ts';
import type { KubernetesClient, KubernetesObject, ResourceKind } from '../../src/kubernetes/kubernetes-client.ts';
import { KubernetesError, UnreachableError } from '../../src/kubernetes/kubernetes-error.ts';
import { eventually } from '../harness/eventually.ts';
import { silentLog } from '../harness/silent-log.ts';
import { orderOf } from './orders.ts';
import { clusterClient, openWorld } from './world.ts';

const world = await openWorld({ environment: { APP_DEPROVISIONING_TIMEOUT_CLUSTER_CLEANUP: '2s' } });
const { control } = world;
const nothing = { shoots: [], clusters: [], directorRuntimes: [] };

const apiVersion = 'servicecatalog.k8s.io/v1beta1';
const brokers: ResourceKind = { apiVersion, plural: 'clusterservicebrokers', namespaced: false };
const instances: ResourceKind = { apiVersion, plural: 'serviceinstances', namespaced: true };
const bindings: ResourceKind = { apiVersion, plural: 'servicebindings', namespaced: true };

afterEach(() => assert.deepEqual(control.inventory(), nothing));

async function withServiceCatalog() {
  const kymaConfig = {
    version: '1.24.11',
    components: [
      { component: 'istio', namespace: 'istio-system' },
      { component: 'service-catalog', namespace: 'kyma-system' },
      { component: 'compass-runtime-agent', namespace: 'compass-system' },
    ],
  };
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig }));
  await world.succeeded(id);
  const cluster = clusterClient((await world.runtime(runtimeID)).runtimeConfiguration.kubeconfig);
  return { runtimeID, cluster };
}

const broker = (name: string, url: string): KubernetesObject => ({
  ...{ apiVersion, kind: 'ClusterServiceBroker' },
  ...{ metadata: { name }, spec: { url } },
});

async function order(cluster: KubernetesClient, name: string, of: string, annotations = {}): Promise<void> {
  const spec = { clusterServiceClassExternalName: `${of}-database`, clusterServicePlanExternalName: 'small' };
  const metadata = { name, namespace: 'default', annotations };
  await cluster.create(instances, { apiVersion, kind: 'ServiceInstance', metadata, spec });
}

const provisioned = (...names: readonly string[]) =>
  eventually(`the services ${names}`, async () => control.brokeredServices().join() === names.join());

test('what the brokers in question have made is deprovisioned before Kyma and its service catalog go', async () => {
  const { runtimeID, cluster } = await withServiceCatalog();
  await cluster.create(brokers, broker('manager', 'https://service-manager.example.com/v1/osb/1'));
  await cluster.create(brokers, broker('helm', 'https://helm-broker.example.com'));
  for (const name of ['one', 'two', 'bound']) await order(cluster, name, 'manager');
  await order(cluster, 'own', 'helm');
  await provisioned('default/bound', 'default/one', 'default/own', 'default/two');
  const metadata = { name: 'credentials', namespace: 'default' };
  const spec = { instanceRef: { name: 'bound' } };
  await cluster.create(bindings, { apiVersion, kind: 'ServiceBinding', metadata, spec });

  const plan = 'query ($id: String!) { planDeprovision(id: $id) { changes { stage subject } } }';
  const { planDeprovision } = await world.api.ask<{
    planDeprovision: { changes: readonly { stage: string; subject: string }[] };
  }>(plan, { id: runtimeID });
  const planned = planDeprovision.changes.filter(({ stage }) => stage === 'CleanupCluster');
  assert.deepEqual(planned.map(({ subject }) => subject).sort(), [
    'ServiceInstance default/bound',
    'ServiceInstance default/one',
    'ServiceInstance default/two',
  ]);
  assert.equal(control.brokeredServices().length, 4);

  const deprovisionId = await world.deprovision(runtimeID);
  await world.succeeded(deprovisionId);
  assert.deepEqual(control.brokeredServices(), ['default/own'], 'it goes with the cluster, as it runs in it');
  const events = await world.timeline(deprovisionId);
  assert.ok(events.some(({ message }) => /Removing instances of services: 0 of 3 are gone/.test(message)));
  assert.deepEqual(
    events.filter(({ type }) => type === 'StageTimedOut'),
    [],
  );
});

test('a broker that does not let go of an instance is waited for until the time for cleaning up is over', async () => {
  const { runtimeID, cluster } = await withServiceCatalog();
  const before = control.brokeredServices();
  await cluster.create(brokers, broker('manager', 'https://service-manager.example.com/v1/osb/1'));
  await order(cluster, 'stuck', 'manager', { 'landscape.example/stuck': 'true' });
  await order(cluster, 'loose', 'manager');
  await provisioned('default/loose', ...before, 'default/stuck');
  const deprovisionId = await world.deprovision(runtimeID);
  await world.succeeded(deprovisionId);
  assert.deepEqual(control.brokeredServices(), [...before, 'default/stuck']);
  const events = await world.timeline(deprovisionId);
  const timedOut = events.filter(({ type }) => type === 'StageTimedOut');
  assert.deepEqual(
    timedOut.map(({ stage }) => stage),
    ['CleanupCluster'],
  );
  assert.match(
    events.map(({ message }) => message).join('\n'),
    /1 of 2 are gone; waiting for default\/stuck \(Error deprovisioning: the broker answers 500\)/,
  );
});

test('a cluster that is silent is left alone after two minutes, and one that answers is not', async () => {
  const answer = (status: number, reason: string) => new KubernetesError({ status, reason, message: 'no' });
  const cases = [
    { error: new UnreachableError('connect ECONNREFUSED'), leaves: true },
    { error: answer(503, 'ServiceUnavailable'), leaves: true },
    { error: answer(403, 'Forbidden'), leaves: false },
    { error: answer(500, 'InternalError'), leaves: false },
    { error: new Error('cannot download an artifact'), leaves: false },
  ];
  for (const { error, leaves } of cases) {
    const notes: Record<string, unknown> = {};
    let now = 1_000_000;
    const run = silentRun({ error, notes, now: () => now });
    await assert.rejects(cleanupCluster(run), error);
    now += 119_000;
    await assert.rejects(cleanupCluster(run), error);
    now += 1_000;
    if (!leaves) await assert.rejects(cleanupCluster(run), error);
    else assert.match(JSON.stringify(await cleanupCluster(run)), /The cluster does not answer; instances of services/);
  }
});

test('the silence of a cluster is waited for once, and each stage says what may be left', async () => {
  const error = new UnreachableError('connect ECONNREFUSED');
  const notes: Record<string, unknown> = { clusterSilentSince: 1_000_000 };
  const run = silentRun({ error, notes, now: () => 1_120_000 });
  const stages = [
    { stage: triggerKymaUninstall, words: /The cluster does not answer; Kyma is deleted with it/ },
    { stage: waitingForKymaUninstall, words: /Kyma is deleted with it/ },
    {
      stage: releasingCloudResources,
      words: /load balancers and disks.* may be left in the Google Cloud project mine/,
    },
  ];
  for (const { stage, words } of stages) assert.match(JSON.stringify(await stage(run)), words);
  const answering = { ...run, installers: { modules: { observeRemoval: async () => ({ state: 'removed' }) } } };
  await waitingForKymaUninstall(answering as unknown as StageRun);
  assert.equal(notes.clusterSilentSince, null, 'a cluster that answers again is waited for anew');
});

/** On a cluster that its driver takes for a working one. */
function silentRun(given: { error: Error; notes: Record<string, unknown>; now: () => number }): StageRun {
  const { error, notes, now } = given;
  const driver: Pick<ClusterDriver, 'observe'> = { observe: async () => ({ state: 'ready' }) };
  const silence = () => Promise.reject(error);
  const run = {
    operation: { notes },
    runtime: {
      ...{ id: 'id', tenant: 'tenant', kyma: { installer: 'modules' } },
      cluster: { driver: 'gke', name: 'silent', config: { projectName: 'mine' } },
    },
    clusters: { gke: driver },
    access: { client: async () => ({ discover: silence, list: silence }) },
    installers: { modules: { kind: 'modules', uninstall: silence, observeRemoval: silence } },
    attemptedKyma: async () => undefined,
    signal: new AbortController().signal,
    clock: { now },
    log: silentLog,
    note: async (more: Notes) => void Object.assign(notes, more),
  };
  return run as unknown as StageRun;
}
