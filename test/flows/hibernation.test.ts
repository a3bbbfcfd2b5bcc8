import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { type ControlledOperation, cancelMutation, retryMutation } from './control-documents.ts';
import {
  type HibernationAnswer,
  hibernateMutation,
  hibernationQuery,
  wakeUpMutation,
} from './hibernation-documents.ts';
import { orderOf } from './orders.ts';
import { type Accepted, clusterClient, openWorld, projectNamespace, shoots, type TimelineEvent } from './world.ts';

const world = await openWorld();
const { api, control, garden } = world;

type Change = 'hibernateRuntime' | 'wakeUpRuntime';
const documents: Readonly<Record<Change, string>> = {
  hibernateRuntime: hibernateMutation,
  wakeUpRuntime: wakeUpMutation,
};
const nodes = { apiVersion: 'v1', plural: 'nodes', namespaced: false };

afterEach(() => {
  control.clearFaults();
  control.liftShootFate();
});

async function provisioned(changes: Parameters<typeof orderOf>[0] = { kymaConfig: null }): Promise<string> {
  const { id, runtimeID } = await world.provision(orderOf(changes));
  await world.succeeded(id);
  return runtimeID;
}

async function begin(change: Change, id: string): Promise<Accepted & Record<string, string>> {
  const answer = await api.ask<Record<Change, Accepted & Record<string, string>>>(documents[change], { id });
  return answer[change];
}

async function refusal(change: Change, id: string, caller = api) {
  const { errors } = await caller.send(documents[change], { id });
  return { code: errors[0]?.extensions?.code, message: errors[0]?.message };
}

async function statusOf(id: string): Promise<HibernationAnswer> {
  return (await api.ask<{ runtimeStatus: HibernationAnswer }>(hibernationQuery, { id })).runtimeStatus;
}

/** Changes of Shoots that Gardener was really asked for. */
function patches(): number {
  return control.requests('garden').filter(({ method, path }) => {
    return method === 'PATCH' && path.includes('/shoots/') && !path.includes('dryRun');
  }).length;
}

function course(events: readonly TimelineEvent[]): string[] {
  return events.flatMap(({ type, stage }) => (type === 'Waiting' || type === 'Retrying' ? [] : [`${type} ${stage}`]));
}

/** Without asking for a kubeconfig, which a hibernated Runtime has none of. */
async function shootOf(id: string) {
  const query = 'query ($id: String!) { runtimeStatus(id: $id) { runtimeConfiguration { clusterConfig { name } } } }';
  const { runtimeStatus } = await api.ask<{ runtimeStatus: NamedRuntime }>(query, { id });
  return world.shoot(runtimeStatus.runtimeConfiguration.clusterConfig.name);
}

interface NamedRuntime {
  readonly runtimeConfiguration: { readonly clusterConfig: { readonly name: string } };
}

async function patchShoot(runtimeId: string, spec: object): Promise<void> {
  const shoot = await shootOf(runtimeId);
  await garden.patch({ ...shoots, namespace: projectNamespace, name: shoot?.metadata.name ?? '' }, { spec });
}

describe('a Runtime with Kyma and an agent', () => {
  let id: string;
  const schedules = [{ start: '0 20 * * 5', location: 'Europe/Berlin' }];

  test('is hibernated: its Shoot is, and everything else of the Shoot is as it was', async () => {
    id = await provisioned({});
    await patchShoot(id, { hibernation: { schedules } });
    const before = await shootOf(id);
    control.clearRequests();

    const { id: operationId, ...accepted } = await begin('hibernateRuntime', id);
    assert.deepEqual(accepted, {
      ...{ operation: 'Hibernate', state: 'InProgress', stage: 'HibernatingCluster' },
      ...{ message: 'Starting cluster hibernation', runtimeID: id, compassRuntimeID: id },
    });
    const operation = await world.succeeded(operationId);
    assert.equal(operation.message, 'Operation succeeded.');
    assert.deepEqual(course(await world.timeline(operationId)), [
      'Accepted HibernatingCluster',
      'StageDone HibernatingCluster',
      'StageStarted WaitForHibernation',
      'StageDone WaitForHibernation',
      'Succeeded Finished',
    ]);
    const shoot = await shootOf(id);
    assert.deepEqual(shoot?.spec, { ...before?.spec, hibernation: { enabled: true, schedules } });
    assert.equal(shoot?.status.hibernated, true);
    assert.equal(patches(), 1);
  });

  test('says so, without anybody being asked', async () => {
    control.clearRequests();
    const message = 'the cluster is hibernated; wake it up with wakeUpRuntime';
    assert.deepEqual(await statusOf(id), {
      hibernationStatus: { hibernated: true, hibernationPossible: true },
      clusterStatus: { state: 'Hibernated', drift: [] },
      runtimeConnectionStatus: { status: 'Disconnected', errors: [{ message }] },
    });
    assert.deepEqual(control.requests(), []);
  });

  test('issues no kubeconfig, and says what to do', async () => {
    const query = 'query ($id: String!) { runtimeStatus(id: $id) { runtimeConfiguration { kubeconfig } } }';
    const { data, errors } = await api.send<{ runtimeStatus: { runtimeConfiguration: object } }>(query, { id });
    assert.deepEqual(data?.runtimeStatus.runtimeConfiguration, { kubeconfig: null });
    assert.equal(errors[0]?.extensions?.code, 'KUBECONFIG_UNAVAILABLE');
    assert.match(errors[0]?.message ?? '', /is hibernated and cannot issue a kubeconfig now; wake it up/);
  });

  test('is hibernated once more without a change', async () => {
    control.clearRequests();
    await world.succeeded((await begin('hibernateRuntime', id)).id);
    assert.equal(patches(), 0);
  });

  test('wakes up with what was in it, and its agent is connected', async () => {
    const { id: operationId, operation } = await begin('wakeUpRuntime', id);
    assert.equal(operation, 'WakeUp');
    await world.succeeded(operationId);
    assert.deepEqual(course(await world.timeline(operationId)), [
      'Accepted WakingUpCluster',
      'StageDone WakingUpCluster',
      'StageStarted WaitForWakeUp',
      'StageDone WaitForWakeUp',
      'Succeeded Finished',
    ]);
    assert.deepEqual((await shootOf(id))?.spec.hibernation, { enabled: false, schedules });
    assert.deepEqual(await statusOf(id), {
      hibernationStatus: { hibernated: false, hibernationPossible: true },
      clusterStatus: { state: 'Ready', drift: [] },
      runtimeConnectionStatus: { status: 'Connected', errors: null },
    });
    const { runtimeConnectionConfig } = await world.runtime(id);
    const { items } = await clusterClient(runtimeConnectionConfig.kubeconfig).list(nodes);
    assert.equal(items.length, 2);
  });

  test('is woken up once more without a change', async () => {
    control.clearRequests();
    await world.succeeded((await begin('wakeUpRuntime', id)).id);
    assert.equal(patches(), 0);
  });

  test('is deprovisioned while it is hibernated, without waiting for what cannot answer', async () => {
    await world.succeeded((await begin('hibernateRuntime', id)).id);
    const deprovisioning = await world.deprovision(id);
    await world.succeeded(deprovisioning);
    const events = await world.timeline(deprovisioning);
    assert.equal(
      events.find(({ type, stage }) => type === 'StageDone' && stage === 'TriggerKymaUninstall')?.message,
      'Cluster is hibernated; Kyma is deleted with it',
    );
    const { shoots: left, clusters, directorRuntimes } = control.inventory();
    assert.deepEqual([left, clusters, directorRuntimes], [[], [], []]);
    assert.equal((await statusOf(id)).hibernationStatus, null);
  });
});

describe('hibernateRuntime is refused before anything is stored', () => {
  test("for Gardener's reason, in the original's words", async () => {
    control.setShootFate('*', { kind: 'problematicWebhook' });
    const id = await provisioned();
    await eventually('the status to say so', async () => {
      return (await statusOf(id)).hibernationStatus?.hibernationPossible === false;
    });
    const before = await world.rowCounts();
    const { code, message } = await refusal('hibernateRuntime', id);
    assert.equal(code, 'HIBERNATION_REFUSED');
    assert.match(message ?? '', /^cannot hibernate cluster: ValidatingWebhookConfiguration "policy" is problematic/);
    assert.deepEqual(await world.rowCounts(), before);
  });

  test('for what only the admission of Gardener knows', async () => {
    const id = await provisioned();
    const reason = 'shoots.core.gardener.cloud "demo" is forbidden: credentials are being rotated';
    const rotation = { kind: 'status', status: 403, body: { message: reason } } as const;
    control.addFault({ target: 'garden', method: 'PATCH', path: 'dryRun', action: rotation });
    const { code, message } = await refusal('hibernateRuntime', id);
    assert.deepEqual([code, message], ['HIBERNATION_REFUSED', `cannot hibernate cluster: ${reason}`]);
  });

  test('while another operation is in progress, while there is no cluster, and to strangers', async () => {
    control.addFault({ target: 'garden', method: 'POST', path: '/shoots\\?(?!.*dryRun)', action: { kind: 'drop' } });
    const { id, runtimeID } = await world.provision(orderOf());
    for (const change of ['hibernateRuntime', 'wakeUpRuntime'] as const) {
      const busy = await refusal(change, runtimeID);
      assert.equal(busy.code, 'OPERATION_IN_PROGRESS');
      assert.ok((busy.message ?? '').endsWith(`Provision ${id}`), busy.message ?? '');
      const strange = await refusal(change, runtimeID, world.as({ tenant: 'tenant-b' }));
      assert.equal(strange.code, 'NOT_FOUND');
    }
    await api.ask(cancelMutation, { id });
    assert.deepEqual(await refusal('hibernateRuntime', runtimeID), {
      ...{ code: 'HIBERNATION_REFUSED', message: 'cannot hibernate cluster: its cluster does not exist' },
    });
    assert.deepEqual(await refusal('wakeUpRuntime', runtimeID), {
      ...{ code: 'HIBERNATION_REFUSED', message: 'cannot wake up cluster: its cluster does not exist' },
    });
  });
});

describe('what goes wrong on the way', () => {
  test('a Garden that is down when it is asked for is waited for', async () => {
    const id = await provisioned();
    control.addFault({ target: 'garden', method: 'PATCH', action: { kind: 'drop' } });
    const { id: operationId } = await begin('hibernateRuntime', id);
    await world.reaches(operationId, 'trouble', ({ lastError }) => lastError !== null);
    control.clearFaults();
    await world.succeeded(operationId);
    assert.equal((await statusOf(id)).hibernationStatus?.hibernated, true);
  });

  test('a refusal that nobody could foresee ends the operation in the words of Gardener', async () => {
    const id = await provisioned();
    const action = { kind: 'status', status: 403, body: { message: 'no hibernation today' } } as const;
    control.addFault({ target: 'garden', method: 'PATCH', path: '/shoots/[^?]*\\?(?!.*dryRun)', action });
    const { lastError, message } = await world.failed((await begin('hibernateRuntime', id)).id);
    assert.deepEqual(
      [lastError?.code, message],
      ['HIBERNATION_REFUSED', 'cannot hibernate cluster: no hibernation today'],
    );
  });

  test('a hibernation that Gardener gives up is taken up by a retry', async () => {
    const id = await provisioned();
    control.setShootFate('*', { kind: 'failed', during: 'Reconcile', codes: ['ERR_INFRA_DEPENDENCIES'] });
    const failed = await world.failed((await begin('hibernateRuntime', id)).id);
    assert.deepEqual([failed.stage, failed.lastError?.reason], ['WaitForHibernation', 'ERR_INFRA_DEPENDENCIES']);
    assert.match(failed.message, /^cluster hibernation failed\. Last Shoot state: Failed, Shoot description: /);
    control.liftShootFate();
    const { retryOperation } = await api.ask<{ retryOperation: ControlledOperation }>(retryMutation, { id: failed.id });
    assert.deepEqual([retryOperation.operation, retryOperation.stage], ['Hibernate', 'WaitForHibernation']);
    await world.succeeded(retryOperation.id);
    assert.equal((await shootOf(id))?.status.hibernated, true);
  });

  test('a hibernation that is cancelled says that Gardener goes on with it, and can be turned round', async () => {
    const id = await provisioned({ kymaConfig: null, gardenerConfig: { name: 'turned' } });
    control.setShootFate('turned', { kind: 'stuck', during: 'Reconcile' });
    const { id: operationId } = await begin('hibernateRuntime', id);
    await world.reaches(operationId, 'the wait', ({ message }) => message.startsWith('Reconcile Processing'));
    const { cancelOperation } = await api.ask<{ cancelOperation: ControlledOperation }>(cancelMutation, {
      id: operationId,
    });
    assert.deepEqual(cancelOperation.cancellation, {
      outcome: 'Residue',
      residue: ['cluster turned (gardener): Shoot is being hibernated', `Director entry ${id}: exists`],
    });
    const { id: turning } = await begin('wakeUpRuntime', id);
    await world.reaches(turning, 'its wait', ({ stage }) => stage === 'WaitForWakeUp');
    control.liftShootFate();
    await world.succeeded(turning);
    assert.deepEqual((await statusOf(id)).hibernationStatus, { hibernated: false, hibernationPossible: true });
  });

  test('a cluster that somebody wakes up meanwhile is hibernated all the same', async () => {
    const id = await provisioned({ kymaConfig: null, gardenerConfig: { name: 'restless' } });
    control.setShootFate('restless', { kind: 'stuck', during: 'Reconcile' });
    const { id: operationId } = await begin('hibernateRuntime', id);
    await world.reaches(operationId, 'the wait', ({ message }) => message.startsWith('Reconcile Processing'));
    await patchShoot(id, { hibernation: { enabled: false } });
    control.liftShootFate();
    await world.succeeded(operationId);
    assert.ok((await world.timeline(operationId)).some(({ message }) => message.startsWith('Cluster was woken up')));
    assert.equal((await shootOf(id))?.status.hibernated, true);
  });

  test('a cluster that sleeps by somebody else or a schedule gets no operation, but says so and issues nothing', async () => {
    const id = await provisioned();
    assert.ok((await world.runtime(id)).runtimeConnectionConfig.kubeconfig);
    await patchShoot(id, { hibernation: { enabled: true } });
    await eventually('its status', async () => (await statusOf(id)).hibernationStatus?.hibernated);
    const query = 'query ($id: String!) { runtimeStatus(id: $id) { runtimeConnectionConfig { kubeconfig } } }';
    const { errors } = await api.send(query, { id });
    assert.match(errors[0]?.message ?? '', /is hibernated and cannot issue a kubeconfig now/);
    await world.succeeded((await begin('wakeUpRuntime', id)).id);
    assert.ok((await world.runtime(id)).runtimeConnectionConfig.kubeconfig);
  });

  test('a cluster whose API server does not answer yet is waited for', async () => {
    const id = await provisioned();
    await world.succeeded((await begin('hibernateRuntime', id)).id);
    control.addFault({ target: 'cluster', action: { kind: 'drop' } });
    const { id: operationId } = await begin('wakeUpRuntime', id);
    await world.reaches(operationId, 'the wait for it', ({ message }) => message.startsWith('Cluster is awake, but'));
    control.clearFaults();
    await world.succeeded(operationId);
  });

  test('a cluster that is deleted meanwhile is told as lost', async () => {
    const id = await provisioned({ kymaConfig: null, gardenerConfig: { name: 'vanishes' } });
    control.setShootFate('vanishes', { kind: 'stuck', during: 'Reconcile' });
    const { id: operationId } = await begin('hibernateRuntime', id);
    await world.reaches(operationId, 'the wait', ({ stage }) => stage === 'WaitForHibernation');
    const reference = { ...shoots, namespace: projectNamespace, name: 'vanishes' };
    await garden.patch(reference, { metadata: { annotations: { 'confirmation.gardener.cloud/deletion': 'true' } } });
    await garden.delete(reference);
    const { lastError } = await world.failed(operationId);
    assert.equal(lastError?.code, 'CLUSTER_LOST');
  });
});
