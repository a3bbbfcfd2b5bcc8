import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { UpgradeRuntimeInput } from '../../src/api/generated/schema.ts';
import type { KubernetesClient } from '../../src/kubernetes/kubernetes-client.ts';
import type { GraphqlError } from '../harness/graphql-client.ts';
import { type ControlledOperation, cancelMutation, retryMutation } from './control-documents.ts';
import { type Changes, orderOf } from './orders.ts';
import { type History, historyQuery, type RolledBack, rollBackMutation, upgradeMutation } from './upgrade-documents.ts';
import { clusterClient, openWorld } from './world.ts';

const world = await openWorld();
const { api, control } = world;
const namespace = 'kyma-system';

afterEach(() => {
  control.clearFaults();
  control.liftShootFate();
});

const named = (...names: readonly string[]) => names.map((component) => ({ component, namespace }));

async function provisioned(changes: Changes = {}): Promise<string> {
  const { id, runtimeID } = await world.provision(orderOf(changes));
  await world.succeeded(id);
  return runtimeID;
}

async function upgrade(id: string, config: UpgradeRuntimeInput): Promise<string> {
  const answer = await api.ask<{ upgradeRuntime: Record<'id' | 'operation' | 'runtimeID', string> }>(upgradeMutation, {
    id,
    config,
  });
  assert.deepEqual([answer.upgradeRuntime.operation, answer.upgradeRuntime.runtimeID], ['Upgrade', id]);
  return answer.upgradeRuntime.id;
}

async function refusal(id: string, config: UpgradeRuntimeInput, caller = api): Promise<GraphqlError> {
  const { errors } = await caller.send(upgradeMutation, { id, config });
  assert.ok(errors[0], 'it was accepted');
  return errors[0];
}

async function rollBack(id: string) {
  return api.send<{ rollBackUpgradeOperation: RolledBack }>(rollBackMutation, { id });
}

async function history(id: string): Promise<History | null> {
  const answer = await api.ask<{ runtimeOperationStatus: { configurationChange: History | null } }>(historyQuery, {
    id,
  });
  return answer.runtimeOperationStatus.configurationChange;
}

async function kymaOf(id: string): Promise<{ version: string; components: string[] }> {
  const { kymaConfig } = (await world.runtime(id)).runtimeConfiguration;
  const { version, components } = kymaConfig as { version: string; components: { component: string }[] };
  return { version, components: components.map(({ component }) => component) };
}

async function clusterOf(id: string): Promise<KubernetesClient> {
  return clusterClient((await world.runtime(id)).runtimeConfiguration.kubeconfig);
}

async function managerImage(cluster: KubernetesClient, name: string): Promise<string | undefined> {
  const found = await cluster.get({ apiVersion: 'apps/v1', plural: 'deployments', namespaced: true, namespace, name });
  return JSON.stringify(found ?? '').match(/"image":"[^"]*:([\d.]+)"/)?.[1];
}

async function modulesOf(): Promise<string[][]> {
  return control.inventory().clusters.map(({ modules }) => [...modules].sort());
}

async function stagesOf(operationId: string, type: string): Promise<string[]> {
  const events = await world.timeline(operationId);
  return events.flatMap((event) => (event.type === type ? [event.stage] : []));
}

test('Kubernetes and Kyma are upgraded, first the cluster, and the history tells from what to what', async () => {
  const id = await provisioned();
  const config = { kymaConfig: { version: '1.2.0' }, clusterConfig: { kubernetesVersion: '1.35.1' } };
  const operation = await upgrade(id, config);
  const { message } = await world.succeeded(operation);
  assert.equal(message, 'Operation succeeded.');
  const events = await world.timeline(operation);
  assert.equal(events[0]?.message, 'Starting Kyma upgrade');
  const stages = ['UpgradingCluster', 'WaitingForClusterUpgrade', 'StartingUpgrade', 'WaitingForInstallation'];
  assert.deepEqual(await stagesOf(operation, 'StageDone'), [...stages, 'UpdatingUpgradeState']);
  const installed = events.find((event) => event.type === 'StageDone' && event.stage === 'WaitingForInstallation');
  assert.equal(installed?.message, 'Kyma modules are installed: istio 1.12.0, application-connector 1.2.0');

  assert.deepEqual(await kymaOf(id), { version: '1.2.0', components: ['istio', 'application-connector'] });
  const { runtimeConfiguration, runtimeConnectionStatus } = await world.runtime(id);
  assert.equal(runtimeConfiguration.clusterConfig.kubernetesVersion, '1.35.1');
  assert.equal(runtimeConnectionStatus.status, 'Connected');
  assert.equal((await world.shootOf(id))?.spec.kubernetes.version, '1.35.1');
  assert.equal(await managerImage(await clusterOf(id), 'istio-controller-manager'), '1.12.0');

  const change = await history(operation);
  assert.ok(change?.adoptedAt);
  assert.equal(change.rolledBackAt, null);
  const summary = ({ clusterConfig, kymaConfig, administrators }: History['before']) => [
    clusterConfig?.kubernetesVersion,
    kymaConfig?.version,
    kymaConfig?.components.length,
    administrators,
  ];
  assert.deepEqual(summary(change.before), ['1.34.2', 'fast', 2, null]);
  assert.deepEqual(summary(change.after), ['1.35.1', '1.2.0', 2, null]);
  const deprovisioning = await world.deprovision(id);
  assert.equal(await history(deprovisioning), null, 'it leaves the configuration alone');
  await world.succeeded(deprovisioning);
});

test('only what is asked for is done: Kyma to other modules, then Kubernetes by its name of 2019', async () => {
  const id = await provisioned({ kymaConfig: { version: '1.1.0', modules: ['serverless'] } });
  const kyma = await upgrade(id, {
    kymaConfig: { version: '1.1.0', components: named('application-connector', 'api-gateway') },
  });
  await world.succeeded(kyma);
  assert.deepEqual(await stagesOf(kyma, 'StageSkipped'), ['UpgradingCluster', 'WaitingForClusterUpgrade']);
  assert.deepEqual(await modulesOf(), [['APIGateway Ready', 'ApplicationConnector Ready', 'Istio Ready']]);
  assert.equal(await managerImage(await clusterOf(id), 'serverless-operator'), undefined);

  const kubernetes = await upgrade(id, { clusterConfig: { version: '1.34.3' } });
  await world.succeeded(kubernetes);
  const skipped = ['StartingUpgrade', 'WaitingForInstallation', 'UpdatingUpgradeState'];
  assert.deepEqual(await stagesOf(kubernetes, 'StageSkipped'), skipped);
  assert.equal((await world.runtime(id)).runtimeConfiguration.clusterConfig.kubernetesVersion, '1.34.3');
  assert.equal((await history(kubernetes))?.after.kymaConfig, null);

  const same = await upgrade(id, { kymaConfig: { version: '1.1.0' }, clusterConfig: { kubernetesVersion: '1.34.3' } });
  await world.succeeded(same);
  assert.deepEqual((await kymaOf(id)).components, ['istio', 'application-connector', 'api-gateway']);
  await world.succeeded(await world.deprovision(id));
});

test('an upgrade that fails leaves the configuration as it was; a retry goes on with it', async () => {
  const id = await provisioned();
  const refused = { kind: 'status', status: 422, body: { message: 'spec.enableKymaGateway: must be set' } } as const;
  control.addFault({ target: 'cluster', method: 'PATCH', path: '/apigateways/default', action: refused });
  const config = { kymaConfig: { version: '1.2.0', modules: ['api-gateway'] } };
  const failed = await world.failed(await upgrade(id, config));
  assert.match(failed.message, /refused APIGateway default: .*must be set/);
  assert.deepEqual([failed.stage, failed.lastError?.code], ['StartingUpgrade', 'KYMA_INSTALLATION_FAILED']);
  assert.deepEqual(await kymaOf(id), { version: 'fast', components: ['istio', 'application-connector'] });
  assert.equal((await history(failed.id))?.adoptedAt, null);

  control.clearFaults();
  const { retryOperation } = await api.ask<{ retryOperation: ControlledOperation }>(retryMutation, { id: failed.id });
  assert.deepEqual([retryOperation.operation, retryOperation.stage], ['Upgrade', 'StartingUpgrade']);
  await world.succeeded(retryOperation.id);
  const components = ['istio', 'application-connector', 'api-gateway'];
  assert.deepEqual(await kymaOf(id), { version: '1.2.0', components });
  assert.ok((await history(retryOperation.id))?.adoptedAt);
  await world.succeeded(await world.deprovision(id));
});

test('a failed upgrade is rolled back once, and what it left goes with the next upgrade', async () => {
  const id = await provisioned();
  const refused = { kind: 'status', status: 422, body: { message: 'no' } } as const;
  const fault = control.addFault({ target: 'cluster', method: 'PATCH', path: '/apigateways/default', action: refused });
  const failed = await world.failed(await upgrade(id, { kymaConfig: { version: '1.2.0', modules: ['api-gateway'] } }));
  control.removeFault(fault);
  assert.equal(await managerImage(await clusterOf(id), 'api-gateway-controller-manager'), '3.0.0');

  const { data } = await rollBack(id);
  const { lastOperationStatus, runtimeConfiguration } = data?.rollBackUpgradeOperation ?? {};
  assert.deepEqual([lastOperationStatus?.id, lastOperationStatus?.state], [failed.id, 'Failed']);
  assert.equal(runtimeConfiguration?.kymaConfig.version, 'fast');
  const { rolledBackAt } = lastOperationStatus?.configurationChange ?? {};
  assert.ok(rolledBackAt);
  const again = await rollBack(id);
  const { configurationChange } = again.data?.rollBackUpgradeOperation.lastOperationStatus ?? {};
  assert.equal(configurationChange?.rolledBackAt, rolledBackAt, 'once more, it changes nothing');

  const { errors } = await api.send(retryMutation, { id: failed.id });
  assert.match(errors[0]?.message ?? '', /cannot retry operation .*: it was rolled back/);

  await world.succeeded(await upgrade(id, { kymaConfig: { version: '1.2.0' } }));
  const cluster = await clusterOf(id);
  assert.equal(await managerImage(cluster, 'api-gateway-controller-manager'), undefined);
  assert.equal(await managerImage(cluster, 'istio-controller-manager'), '1.12.0');
  await world.succeeded(await world.deprovision(id));
});

test('deprovisioning after a failed upgrade also removes what only the upgrade brought', async () => {
  const id = await provisioned();
  const refused = { kind: 'status', status: 422, body: { message: 'no' } } as const;
  const fault = control.addFault({ target: 'cluster', method: 'PATCH', path: '/apigateways/default', action: refused });
  const kymaConfig = { version: '1.2.0', modules: ['serverless', 'api-gateway'] };
  await world.failed(await upgrade(id, { kymaConfig }));
  control.removeFault(fault);
  const cluster = await clusterOf(id);
  const serverless = { apiVersion: 'operator.kyma-project.io/v1alpha1', plural: 'serverlesses', namespaced: true };
  const hold = (finalizers: readonly string[]) =>
    cluster.patch({ ...serverless, namespace, name: 'default' }, { metadata: { finalizers } });
  await hold(['example.com/never']);
  const operation = await world.deprovision(id);
  await world.reaches(operation, 'the removal', ({ message }) => /serverless cleans up/.test(message));
  await hold([]);
  await world.succeeded(operation);
});

test('an upgrade that succeeded can be rolled back, in the books only', async () => {
  const id = await provisioned();
  const words =
    /^error: upgrade can be rolled back only if it is the last operation that is already finished; the last one is/;
  const early = await rollBack(id);
  assert.match(early.errors[0]?.message ?? '', words);
  assert.deepEqual(
    [early.errors[0]?.extensions?.code, early.errors[0]?.extensions?.error_code],
    ['ROLLBACK_REFUSED', 400],
  );
  const foreign = await world.as({ tenant: 'tenant-b' }).send(rollBackMutation, { id });
  assert.equal(foreign.errors[0]?.extensions?.code, 'NOT_FOUND');

  control.addFault({ target: 'cluster', method: 'PATCH', action: { kind: 'status', status: 503 } });
  const config = { kymaConfig: { version: '1.2.0' }, clusterConfig: { kubernetesVersion: '1.35.1' } };
  const operation = await upgrade(id, config);
  await world.reaches(operation, 'Kyma', ({ stage }) => stage === 'StartingUpgrade');
  assert.match((await rollBack(id)).errors[0]?.message ?? '', words, 'it is in progress');
  control.clearFaults();
  await world.succeeded(operation);

  const { data } = await rollBack(id);
  const { runtimeConfiguration } = data?.rollBackUpgradeOperation ?? {};
  assert.deepEqual(runtimeConfiguration?.kymaConfig, {
    version: 'fast',
    components: [{ component: 'istio' }, { component: 'application-connector' }],
  });
  assert.equal(runtimeConfiguration?.clusterConfig.kubernetesVersion, '1.34.2');
  assert.equal((await world.shootOf(id))?.spec.kubernetes.version, '1.35.1');
  assert.equal(await managerImage(await clusterOf(id), 'istio-controller-manager'), '1.12.0');
  // The way forward is open: the same upgrade brings configuration and cluster together again.
  await world.succeeded(await upgrade(id, config));
  assert.equal((await kymaOf(id)).version, '1.2.0');
  await world.succeeded(await world.deprovision(id));
});

test('an upgrade that is cancelled says what may have happened of it, and its retry finishes it', async () => {
  const id = await provisioned({ kymaConfig: { version: 'fast', modules: ['serverless'] } });
  const cluster = await clusterOf(id);
  const serverless = { apiVersion: 'operator.kyma-project.io/v1alpha1', plural: 'serverlesses', namespaced: true };
  const hold = (finalizers: readonly string[]) =>
    cluster.patch({ ...serverless, namespace, name: 'default' }, { metadata: { finalizers } });
  await hold(['example.com/never']);
  const components = named('istio', 'application-connector');
  const operation = await upgrade(id, { kymaConfig: { version: '1.2.0', components } });
  const waiting = await world.reaches(operation, 'the removal', ({ message }) => /serverless cleans up/.test(message));
  assert.equal(waiting.stage, 'WaitingForInstallation');
  const { cancelOperation } = await api.ask<{ cancelOperation: ControlledOperation }>(cancelMutation, {
    id: operation,
  });
  assert.deepEqual([cancelOperation.state, cancelOperation.cancellation?.outcome], ['Failed', 'Residue']);
  assert.equal(cancelOperation.cancellation?.residue.at(-1), 'Kyma: may be partly upgraded to 1.2.0');
  assert.deepEqual(await kymaOf(id), { version: 'fast', components: ['istio', 'application-connector', 'serverless'] });
  await hold([]);
  const retried = await api.ask<{ retryOperation: ControlledOperation }>(retryMutation, { id: operation });
  await world.succeeded(retried.retryOperation.id);
  assert.deepEqual(await kymaOf(id), { version: '1.2.0', components: ['istio', 'application-connector'] });
  assert.equal(await managerImage(cluster, 'serverless-operator'), undefined);
  await world.succeeded(await world.deprovision(id));
});

test('what cannot be is refused with the reason, all mistakes at once, and nothing is stored', async () => {
  const id = await provisioned();
  const bare = await provisioned({ kymaConfig: null });
  const before = await world.rowCounts();
  const kyma = (kymaConfig: UpgradeRuntimeInput['kymaConfig']): UpgradeRuntimeInput => ({ kymaConfig });
  const kubernetes = (kubernetesVersion: string): UpgradeRuntimeInput => ({ clusterConfig: { kubernetesVersion } });
  const cases: [UpgradeRuntimeInput, string, RegExp][] = [
    [{}, 'INVALID_INPUT', /^config: error: Kyma config not provided; give kymaConfig, clusterConfig/],
    [{ clusterConfig: {} }, 'INVALID_INPUT', /^config\.clusterConfig\.kubernetesVersion: is missing/],
    [{ clusterConfig: { version: '1.35.1', kubernetesVersion: '1.34.3' } }, 'INVALID_INPUT', /give one of them/],
    [kyma({ version: '1.0.0' }), 'INVALID_INPUT', /Kyma 1\.0\.0 is older than 1\.1\.0, which is active/],
    [kyma({ version: '7' }), 'KYMA_RELEASE_NOT_FOUND', /there are the channels regular, fast and the versions/],
    [kyma({ version: '1.2.0', components: named('istio') }), 'KYMA_COMPONENT_INVALID', /Compass Runtime Agent/],
    [kubernetes('1.33.6'), 'INVALID_INPUT', /config\.clusterConfig\.kubernetesVersion: .*1\.34\.2/],
    [{ clusterConfig: { numberOfNodes: 3 } }, 'NOT_SUPPORTED', /numberOfNodes: is only for .* upgradeShoot gives/],
    [kubernetes('1.36.0'), 'INVALID_INPUT', /config\.clusterConfig\.kubernetesVersion: .*/],
    [kubernetes('1.35.9'), 'INVALID_INPUT', /config\.clusterConfig\.kubernetesVersion: .*1\.35\.1/],
    [
      { ...kyma({ version: '1.0.0' }), ...kubernetes('1.33.6') },
      'INVALID_INPUT',
      /^2 problems: config\.kymaConfig\.version: .*; config\.clusterConfig\.kubernetesVersion: /,
    ],
  ];
  for (const [config, code, message] of cases) {
    const error = await refusal(id, config);
    assert.equal(error.extensions?.code, code, `${JSON.stringify(config)}: ${error.message}`);
    assert.match(error.message, message);
  }
  const withoutKyma = await refusal(bare, kyma({ version: '1.2.0' }));
  assert.equal(withoutKyma.extensions?.code, 'NOT_SUPPORTED');
  assert.match(withoutKyma.message, /has no Kyma to upgrade/);
  const foreign = await refusal(id, kyma({ version: '1.2.0' }), world.as({ tenant: 'tenant-b' }));
  assert.equal(foreign.extensions?.code, 'NOT_FOUND');
  assert.deepEqual(await world.rowCounts(), before);
});

test('a Runtime that is not complete, is busy or sleeps is not upgraded', async () => {
  control.setShootFate('*', { kind: 'failed', codes: ['ERR_INFRA_QUOTA_EXCEEDED'] });
  const broken = await world.provision(orderOf());
  const config = { kymaConfig: { version: '1.2.0' } };
  assert.equal((await refusal(broken.runtimeID, config)).extensions?.code, 'OPERATION_IN_PROGRESS');
  await world.failed(broken.id);
  const unfinished = await refusal(broken.runtimeID, config);
  assert.equal(unfinished.extensions?.code, 'RUNTIME_NOT_READY');
  assert.match(unfinished.message, new RegExp(`its provisioning ${broken.id} failed; retry that operation first`));
  control.liftShootFate();

  const id = await provisioned();
  const asleep = await api.ask<{ hibernateRuntime: { id: string } }>(
    'mutation ($id: String!) { hibernateRuntime(id: $id) { id } }',
    { id },
  );
  await world.succeeded(asleep.hibernateRuntime.id);
  const sleeping = await refusal(id, config);
  assert.equal(sleeping.extensions?.code, 'HIBERNATED');
  assert.match(sleeping.message, /its cluster is hibernated; wake it up with wakeUpRuntime/);
});
