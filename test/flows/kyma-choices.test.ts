import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;

async function stagesOf(operationId: string, type: string): Promise<string[]> {
  const events = await world.timeline(operationId);
  return events.flatMap((event) => (event.type === type ? [event.stage] : []));
}

test('without kymaConfig there is a cluster, registered, without Kyma and without an agent', async () => {
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: null }));
  await world.succeeded(id);
  assert.deepEqual(await stagesOf(id, 'StageSkipped'), [
    'CreatingBindingsForOperators',
    'StartingInstallation',
    'WaitingForInstallation',
    'ConnectRuntimeAgent',
    'WaitForAgentToConnect',
  ]);
  const { clusters, directorRuntimes } = control.inventory();
  assert.deepEqual(
    clusters.map(({ modules, agentRuntimeId }) => [modules, agentRuntimeId]),
    [[[], undefined]],
  );
  assert.deepEqual(
    directorRuntimes.map((entry) => [entry.id, entry.condition]),
    [[runtimeID, 'INITIAL']],
  );
  const { runtimeConfiguration, runtimeConnectionStatus } = await world.runtime(runtimeID);
  assert.equal(runtimeConfiguration.kymaConfig, null);
  assert.equal(runtimeConnectionStatus.status, 'Pending');
  assert.ok(runtimeConfiguration.kubeconfig);

  const deprovisionId = await world.deprovision(runtimeID);
  await world.succeeded(deprovisionId);
  assert.deepEqual(await stagesOf(deprovisionId, 'StageSkipped'), [
    'TriggerKymaUninstall',
    'WaitingForKymaUninstall',
    'ReleasingCloudResources',
  ]);
  assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
});

test('without components Kyma Lite is installed, and answered as what it came to', async () => {
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: { version: 'regular' } }));
  await world.succeeded(id);
  const { clusters } = control.inventory();
  assert.deepEqual(
    clusters.map(({ modules }) => [...modules].sort()),
    [['ApplicationConnector Ready', 'Istio Ready']],
  );
  const { runtimeConfiguration, runtimeConnectionStatus } = await world.runtime(runtimeID);
  const components = runtimeConfiguration.kymaConfig?.components as { component: string }[];
  assert.deepEqual(
    components.map(({ component }) => component),
    ['istio', 'application-connector'],
  );
  assert.equal(runtimeConnectionStatus.status, 'Connected');
  await world.succeeded(await world.deprovision(runtimeID));
});

test('what a module needs is installed with it', async () => {
  const components = [
    { component: 'application-connector', namespace: 'kyma-system' },
    { component: 'api-gateway', namespace: 'kyma-system' },
  ];
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: { version: '1.0.0', components } }));
  await world.succeeded(id);
  const { clusters } = control.inventory();
  assert.deepEqual(
    clusters.map(({ modules }) => [...modules].sort()),
    [['APIGateway Ready', 'ApplicationConnector Ready', 'Istio Ready']],
  );
  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(control.inventory().clusters, []);
});
