import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { provisionRuntime as tutorialMutation } from '../../scripts/demo/documents.ts';
import { type Accepted, clusterClient, openWorld, type TimelineEvent } from './world.ts';

const world = await openWorld();
const { api, control } = world;

/** Waiting and trying again depend on who is faster; everything else does not. */
function course(events: readonly TimelineEvent[]): string[] {
  return events.flatMap(({ type, stage }) => (type === 'Waiting' || type === 'Retrying' ? [] : [`${type} ${stage}`]));
}

describe('the Runtime of the tutorial, from the mutation to nothing', () => {
  let accepted: Accepted;
  let deprovisionId: string;

  test('it is accepted, and succeeds through every stage in order', async () => {
    // Hinders nothing, but counts: the agent makes the Director say the same a moment before.
    const saidConnected = { target: 'director', body: '"statusCondition":"CONNECTED"' } as const;
    control.addFault({ ...saidConnected, action: { kind: 'delay', milliseconds: 0 } });
    const answer = await api.ask<{ provisionRuntime: Record<string, string> }>(tutorialMutation);
    const { id = '', runtimeID = '', ...rest } = answer.provisionRuntime;
    accepted = { id, runtimeID };
    assert.deepEqual(rest, { operation: 'Provision', state: 'InProgress', message: 'Provisioning started' });

    const operation = await world.succeeded(id);
    assert.equal(operation.message, 'Operation succeeded.');
    assert.equal(operation.stage, 'Finished');
    assert.equal(operation.progress, 100);
    assert.equal(operation.compassRuntimeID, runtimeID);
    assert.ok(operation.finishedAt !== null && operation.finishedAt >= operation.startedAt);
    assert.deepEqual([operation.errors, operation.lastError], [[], null]);
    const timeline = await world.timeline(id);
    const aboutAccess = timeline.filter(({ error }) => /kubeconfig|Unauthorized/i.test(error?.message ?? ''));
    assert.deepEqual(aboutAccess, [], 'a cluster is asked only once it can answer');
    assert.deepEqual(course(timeline), [
      'Accepted CreatingCluster',
      'StageDone CreatingCluster',
      'StageStarted WaitingForClusterDomain',
      'StageDone WaitingForClusterDomain',
      'StageStarted WaitingForClusterCreation',
      'StageDone WaitingForClusterCreation',
      'StageSkipped CreatingBindingsForOperators',
      'StageStarted StartingInstallation',
      'StageDone StartingInstallation',
      'StageStarted WaitingForInstallation',
      'StageDone WaitingForInstallation',
      'StageStarted ConnectRuntimeAgent',
      'StageDone ConnectRuntimeAgent',
      'StageStarted WaitForAgentToConnect',
      'StageDone WaitForAgentToConnect',
      'Succeeded Finished',
    ]);
  });

  test('its Shoot is what was asked for, and says whose it is', async () => {
    const shoot = await world.shootOf(accepted.runtimeID);
    assert.ok(shoot);
    const { annotations = {}, labels = {} } = shoot.metadata;
    for (const prefix of ['kcp.provisioner.kyma-project.io', 'compass.provisioner.kyma-project.io']) {
      assert.equal(annotations[`${prefix}/runtime-id`], accepted.runtimeID);
      assert.equal(annotations[`${prefix}/operation-id`], accepted.id);
    }
    assert.equal(labels.account, 'tenant-a');
    const { spec } = shoot;
    assert.equal(spec.credentialsBindingName, 'gcp-credentials');
    assert.deepEqual(spec.cloudProfile, { kind: 'CloudProfile', name: 'gcp' });
    for (const removed of ['secretBindingName', 'cloudProfileName']) assert.equal(spec[removed], undefined, removed);
    assert.equal(spec.kubernetes.version, '1.34.2');
    assert.deepEqual(
      [spec.region, spec.purpose, spec.networking.nodes],
      ['europe-west3', 'evaluation', '10.250.0.0/22'],
    );
    const [{ machine, volume, minimum, maximum, maxSurge, maxUnavailable, zones }] = spec.provider.workers;
    assert.deepEqual([machine.type, volume], ['n2-standard-4', { type: 'pd-balanced', size: '50Gi' }]);
    assert.deepEqual([minimum, maximum, maxSurge, maxUnavailable, zones], [2, 4, 4, 1, ['europe-west3-a']]);
    const created = control
      .requests('garden')
      .filter(({ method, path }) => method === 'POST' && /\/shoots\?/.test(path));
    assert.ok(created.length >= 2, 'a dry run and the creation');
    for (const { path } of created) assert.match(path, /fieldValidation=Strict/);
  });

  test('the Director knows it, with its cluster and as connected', async () => {
    const { runtimeConfiguration } = await world.runtime(accepted.runtimeID);
    const { directorRuntimes } = control.inventory();
    assert.equal(directorRuntimes.length, 1);
    const [{ labels, systemAuths, ...entry }] = directorRuntimes as [(typeof directorRuntimes)[0]];
    assert.deepEqual(entry, { id: accepted.runtimeID, tenant: 'tenant-a', name: 'demo', condition: 'CONNECTED' });
    const shoot = await world.shootOf(accepted.runtimeID);
    assert.equal(labels.team, 'a');
    assert.equal(labels.gardenerClusterName, runtimeConfiguration.clusterConfig.name);
    assert.equal(labels.gardenerClusterDomain, shoot?.spec.dns.domain);
    assert.equal(systemAuths, 1, 'one token was enough');
    assert.deepEqual(
      control.faults().map(({ hits }) => hits),
      [1],
      'the Director was told that it is connected',
    );
  });

  test('its agent has its Secret and is connected, and its modules are ready', async () => {
    const { clusters } = control.inventory();
    assert.equal(clusters.length, 1);
    assert.equal(clusters[0]?.agentRuntimeId, accepted.runtimeID);
    assert.equal(clusters[0]?.connectionState, 'Synchronized');
    assert.deepEqual([...(clusters[0]?.modules ?? [])].sort(), ['ApplicationConnector Ready', 'Istio Ready']);
  });

  test('its status answers every field as it went in, and its kubeconfig works', async () => {
    const { runtimeConfiguration, ...status } = await world.runtime(accepted.runtimeID);
    assert.deepEqual(status.lastOperationStatus, { id: accepted.id, operation: 'Provision', state: 'Succeeded' });
    assert.deepEqual(status.runtimeConnectionStatus, { status: 'Connected', errors: null });
    assert.deepEqual(clusterConfigOf(runtimeConfiguration.clusterConfig), {
      kubernetesVersion: '1.34.2',
      provider: 'gcp',
      targetSecret: 'gcp-credentials',
      region: 'europe-west3',
      machineType: 'n2-standard-4',
      diskType: 'pd-balanced',
      volumeSizeGB: 50,
      workerCidr: '10.250.0.0/22',
      autoScalerMin: 2,
      autoScalerMax: 4,
      maxSurge: 4,
      maxUnavailable: 1,
      purpose: 'evaluation',
      seed: 'gcp-eu1',
      providerSpecificConfig: { zones: ['europe-west3-a'] },
    });
    assert.equal(runtimeConfiguration.kymaConfig?.version, 'fast');
    const components = runtimeConfiguration.kymaConfig?.components as { component: string; namespace: string }[];
    assert.deepEqual(
      components.map(({ component, namespace }) => `${namespace}/${component}`),
      ['kyma-system/istio', 'kyma-system/application-connector'],
    );
    assert.equal(status.runtimeConnectionConfig.kubeconfig, runtimeConfiguration.kubeconfig);
    const cluster = clusterClient(runtimeConfiguration.kubeconfig);
    const namespaces = await cluster.list({ apiVersion: 'v1', plural: 'namespaces', namespaced: false });
    const names = namespaces.items.map(({ metadata }) => metadata.name);
    for (const name of ['default', 'kyma-system', 'istio-system']) assert.ok(names.includes(name), name);
  });

  test('deprovisioning it succeeds through every stage in order and leaves nothing behind', async () => {
    deprovisionId = await world.deprovision(accepted.runtimeID);
    const operation = await world.succeeded(deprovisionId);
    assert.deepEqual([operation.operation, operation.runtimeID], ['Deprovision', accepted.runtimeID]);
    assert.deepEqual(course(await world.timeline(deprovisionId)), [
      'Accepted CleanupCluster',
      'StageDone CleanupCluster',
      'StageStarted TriggerKymaUninstall',
      'StageDone TriggerKymaUninstall',
      'StageStarted WaitingForKymaUninstall',
      'StageDone WaitingForKymaUninstall',
      'StageSkipped ReleasingCloudResources',
      'StageStarted DeprovisionCluster',
      'StageDone DeprovisionCluster',
      'StageStarted WaitForClusterDeletion',
      'StageDone WaitForClusterDeletion',
      'StageStarted UnregisteringRuntime',
      'StageDone UnregisteringRuntime',
      'Succeeded Finished',
    ]);
    assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
  });

  test('what it was can still be read: its configuration, its operations and their history', async () => {
    const { lastOperationStatus, runtimeConfiguration, runtimeConnectionStatus } = await world.runtime(
      accepted.runtimeID,
    );
    assert.deepEqual(lastOperationStatus, { id: deprovisionId, operation: 'Deprovision', state: 'Succeeded' });
    assert.equal(runtimeConfiguration.clusterConfig.region, 'europe-west3');
    assert.equal(runtimeConfiguration.kubeconfig, null);
    assert.equal(runtimeConnectionStatus.status, 'Pending');
    assert.equal((await world.operation(accepted.id)).state, 'Succeeded');
    const row = await world.stored.kysely.selectFrom('runtime').select('deleted_at').executeTakeFirstOrThrow();
    assert.ok(row.deleted_at instanceof Date);
    assert.ok((await world.timeline(accepted.id)).length > 10);
  });

  test('deprovisioning it once more succeeds without doing anything', async () => {
    control.clearRequests();
    const again = await world.deprovision(accepted.runtimeID);
    await world.succeeded(again);
    const changes = control.requests().filter(({ target, method }) => target !== 'director' && method !== 'GET');
    assert.deepEqual(changes, []);
  });

  test('a Runtime of the same name, on a cluster of the same name, can be provisioned again', async () => {
    const { runtimeConfiguration } = await world.runtime(accepted.runtimeID);
    const { name } = runtimeConfiguration.clusterConfig;
    const again = await api.ask<{ provisionRuntime: Accepted }>(
      tutorialMutation.replace('gardenerConfig: {', `gardenerConfig: { name: "${name}"`),
    );
    await world.succeeded(again.provisionRuntime.id);
    assert.notEqual(again.provisionRuntime.runtimeID, accepted.runtimeID);
    assert.deepEqual(
      control.inventory().shoots.map((shoot) => shoot.name),
      [name],
    );
  });
});

/** Without the generated name and without what nobody asked for. */
function clusterConfigOf({ name, ...config }: Readonly<Record<string, unknown>>): object {
  assert.match(String(name), /^([a-f][0-9a-f]{6}|c-\d[0-9a-f]{6})$/);
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}
