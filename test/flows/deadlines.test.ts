import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { FaultRule } from '../../landscape/control/faults.ts';
import type { ShootFate } from '../../landscape/garden/shoot-fates.ts';
import { orderOf } from './orders.ts';
import { clusterClient, openWorld } from './world.ts';

const world = await openWorld({
  environment: {
    APP_PROVISIONING_TIMEOUT_CLUSTER_DOMAINS: '2s',
    APP_PROVISIONING_TIMEOUT_CLUSTER_CREATION: '2200ms',
    APP_PROVISIONING_TIMEOUT_INSTALLATION_TRIGGERING: '2300ms',
    APP_PROVISIONING_TIMEOUT_AGENT_CONNECTION: '2400ms',
    APP_DEPROVISIONING_TIMEOUT_CLUSTER_CLEANUP: '2s',
  },
});
const { control } = world;

afterEach(() => {
  control.clearFaults();
  control.liftShootFate();
});

const late: {
  name: string;
  fate?: ShootFate;
  fault?: FaultRule;
  stage: string;
  limit: string;
  last: RegExp;
  /** A timeout and nothing else when not given. */
  cause?: readonly unknown[];
}[] = [
  {
    name: 'no seed that ever fits',
    fate: { kind: 'noSeed' },
    stage: 'WaitingForClusterDomain',
    limit: '2s',
    last: /last: No Seed is assigned yet: Failed to schedule Shoot/,
    cause: ['err_gardener_no_seed', 'gardener', 'CLUSTER_NO_SEED', 'operator', true],
  },
  {
    name: 'a cluster that is never ready',
    fate: { kind: 'stuck', at: 'etcd' },
    stage: 'WaitingForClusterCreation',
    limit: '2.2s',
    last: /last: Create Processing, 31 %: Waiting until main and event etcd report readiness/,
  },
  {
    name: 'a cluster for which the cloud has no capacity',
    fate: { kind: 'error', codes: ['ERR_INFRA_RESOURCES_DEPLETED'], times: 1_000 },
    stage: 'WaitingForClusterCreation',
    limit: '2.2s',
    last: /last: Create Error, .*ZONE_RESOURCE_POOL_EXHAUSTED/,
    cause: ['ERR_INFRA_RESOURCES_DEPLETED', 'provisioner', 'TIMEOUT', 'operator', true],
  },
  {
    name: 'artifacts that never come',
    fault: { target: 'artifacts', action: { kind: 'status', status: 503 } },
    stage: 'StartingInstallation',
    limit: '2.3s',
    last: /last: .*HTTP 503/,
  },
  {
    name: 'an agent whose token is never taken',
    fault: { target: 'director', body: 'requestOneTimeToken', action: wrongToken() },
    stage: 'WaitForAgentToConnect',
    limit: '2.4s',
    last: /last: Runtime Agent is not connected: Failed to connect to Compass Connector: /,
  },
];

for (const { name, fate, fault, stage, limit, last, cause } of late) {
  test(`${name}: the stage's time limit ends the operation, with the last that was heard; it can be deprovisioned`, async () => {
    if (fate) control.setShootFate('*', fate);
    if (fault) control.addFault(fault);
    const { id, runtimeID } = await world.provision(orderOf());
    const operation = await world.failed(id);
    assert.ok(
      operation.message.startsWith(
        `error: timeout while processing operation: stage ${stage} did not finish within ${limit}; last: `,
      ),
      operation.message,
    );
    assert.match(operation.message, last);
    assert.equal(operation.stage, stage);
    const { reason, component, code, actor, retryable } = operation.lastError ?? {};
    assert.deepEqual(
      [reason, component, code, actor, retryable],
      cause ?? ['err_provisioner_timeout', 'provisioner', 'TIMEOUT', 'operator', true],
    );
    assert.match(operation.lastError?.nextStep ?? '', /retryOperation\.$/);
    assert.deepEqual(
      control.inventory().directorRuntimes.map(({ condition }) => condition),
      ['FAILED'],
    );
    control.clearFaults();
    control.liftShootFate();
    await world.succeeded(await world.deprovision(runtimeID));
    assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
  });
}

test('a cluster that no longer answers does not keep its Runtime: after the time for cleaning up it is deleted', async () => {
  const { id, runtimeID } = await world.provision(orderOf());
  await world.succeeded(id);
  control.addFault({ target: 'cluster', action: { kind: 'drop' } });
  const deprovisionId = await world.deprovision(runtimeID);
  await world.succeeded(deprovisionId);
  const timedOut = (await world.timeline(deprovisionId)).filter(({ type }) => type === 'StageTimedOut');
  assert.deepEqual(
    timedOut.map(({ stage }) => stage),
    ['CleanupCluster', 'TriggerKymaUninstall', 'WaitingForKymaUninstall'],
  );
  assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
});

test('a Kyma 1 that cannot be uninstalled is tried to, again and again, until its cluster is deleted all the same', async () => {
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: { version: '1.24.11' } }));
  await world.succeeded(id);
  const cluster = clusterClient((await world.runtime(runtimeID)).runtimeConfiguration.kubeconfig);
  const metadata = {
    ...{ name: 'istio-installer-config', namespace: 'kyma-installer' },
    labels: { installer: 'overrides', component: 'istio' },
  };
  const failing = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'landscape.failures': '1000000' } };
  await cluster.create({ apiVersion: 'v1', plural: 'configmaps', namespaced: true }, failing);
  const deprovisionId = await world.deprovision(runtimeID);
  await world.succeeded(deprovisionId);
  const events = await world.timeline(deprovisionId);
  assert.deepEqual(
    events.flatMap(({ type, stage }) => (type === 'StageTimedOut' ? [stage] : [])),
    ['WaitingForKymaUninstall'],
  );
  assert.ok(events.some(({ message }) => /Uninstalling Kyma.* istio: Helm uninstall error: timed out/.test(message)));
  assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
});

/** A token that the Connector does not know. */
function wrongToken(): FaultRule['action'] {
  const result = { token: 'unknown', connectorURL: world.landscape.addresses.connector };
  return { kind: 'status', status: 200, body: { data: { result } } };
}
