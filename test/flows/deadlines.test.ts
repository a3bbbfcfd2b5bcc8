import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { FaultRule } from '../../landscape/control/faults.ts';
import type { ShootFate } from '../../landscape/garden/shoot-fates.ts';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

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

const late: { name: string; fate?: ShootFate; fault?: FaultRule; stage: string; limit: string; last: RegExp }[] = [
  {
    name: 'no seed that ever fits',
    fate: { kind: 'noSeed' },
    stage: 'WaitingForClusterDomain',
    limit: '2s',
    last: /last: No Seed is assigned yet: Failed to schedule Shoot/,
  },
  {
    name: 'a cluster that is never ready',
    fate: { kind: 'stuck', at: 'etcd' },
    stage: 'WaitingForClusterCreation',
    limit: '2.2s',
    last: /last: Create Processing, 31 %: Waiting until main and event etcd report readiness/,
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

for (const { name, fate, fault, stage, limit, last } of late) {
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
      ['err_provisioner_timeout', 'provisioner', 'TIMEOUT', 'operator', true],
    );
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
    ['TriggerKymaUninstall', 'WaitingForKymaUninstall'],
  );
  assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
});

/** A token that the Connector does not know. */
function wrongToken(): FaultRule['action'] {
  const result = { token: 'unknown', connectorURL: world.landscape.addresses.connector };
  return { kind: 'status', status: 200, body: { data: { result } } };
}
