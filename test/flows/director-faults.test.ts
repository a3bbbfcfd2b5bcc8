import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { FaultAction } from '../../landscape/control/faults.ts';
import { eventually } from '../harness/eventually.ts';
import { orderOf } from './orders.ts';
import { clusterClient, openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;
const nothing = { shoots: [], clusters: [], directorRuntimes: [] };
const connection = {
  apiVersion: 'compass.kyma-project.io/v1alpha1',
  plural: 'compassconnections',
  namespaced: false,
  name: 'compass-connection',
} as const;
const noRows = { runtime: 0, operation: 0, operation_event: 0, registration_intent: 0 };

afterEach(() => {
  control.clearFaults();
  control.liftShootFate();
});

describe('a Director that fails while a Runtime is registered', () => {
  const unavailable: { name: string; add: () => void; left: number }[] = [
    { name: 'is out of reach', add: () => addFault({ kind: 'drop' }), left: 0 },
    { name: 'is overloaded', add: () => addFault({ kind: 'status', status: 503 }), left: 0 },
    {
      name: 'registers it and then says nothing more',
      left: 1,
      add: () => {
        control.addFault({ target: 'director', body: 'registerRuntime', count: 1, action: { kind: 'loseReply' } });
        addFault({ kind: 'drop' });
      },
    },
  ];

  for (const { name, add, left } of unavailable) {
    test(`because it ${name}: the caller is told to try again, and after the sweep nothing is left`, async () => {
      add();
      const { data, errors } = await world.send(orderOf());
      assert.deepEqual(data, { provisionRuntime: null });
      const { code, error_code, actor, retryable } = errors[0]?.extensions ?? {};
      assert.deepEqual([code, error_code, actor, retryable], ['DIRECTOR_UNAVAILABLE', 502, 'operator', true]);
      assert.match(errors[0]?.message ?? '', /nothing was started, try again later$/);
      control.clearFaults();
      assert.deepEqual(await world.rowCounts(), { ...noRows, registration_intent: 1 });
      assert.equal(control.inventory().directorRuntimes.length, left);

      await world.sweep();
      assert.deepEqual(await world.rowCounts(), noRows);
      assert.deepEqual(control.inventory(), nothing);
    });
  }

  test('and whose token endpoint is down: the same, with nothing registered', async () => {
    control.revokeAccessTokens();
    control.addFault({ target: 'oauth', action: { kind: 'status', status: 503 } });
    const { errors } = await world.send(orderOf());
    assert.equal(errors[0]?.extensions?.code, 'DIRECTOR_UNAVAILABLE');
    assert.match(errors[0]?.message ?? '', /there is no access token for the Director/);
    control.clearFaults();
    await world.sweep();
    assert.deepEqual(control.inventory(), nothing);
  });
});

test("when the reply to the registration is lost, the Director's entry is found and taken", async () => {
  control.addFault({ target: 'director', body: 'registerRuntime', count: 1, action: { kind: 'loseReply' } });
  const { id, runtimeID } = await world.provision(orderOf());
  await world.succeeded(id);
  assert.deepEqual(
    control.inventory().directorRuntimes.map((entry) => entry.id),
    [runtimeID],
  );
  assert.equal((await world.rowCounts()).registration_intent, 0);
  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(control.inventory(), nothing);
});

test('a Director that is down later is waited for, and the operation says so meanwhile', async () => {
  control.setShootFate('*', { kind: 'noSeed' });
  const { id, runtimeID } = await world.provision(orderOf());
  await world.reaches(id, 'the wait for a domain', ({ stage }) => stage === 'WaitingForClusterDomain');
  addFault({ kind: 'drop' });
  control.liftShootFate();
  const troubled = await world.reaches(id, 'trouble', ({ lastError }) => lastError !== null);
  assert.deepEqual([troubled.state, troubled.stage], ['InProgress', 'WaitingForClusterDomain']);
  assert.match(troubled.lastError?.errMessage ?? '', /the Director cannot be reached/);
  control.clearFaults();
  const { lastError, errors } = await world.succeeded(id);
  assert.deepEqual([lastError, errors], [null, []]);
  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(control.inventory(), nothing);
});

test('credentials that are refused for a while hold an operation up, and it says who must act', async () => {
  control.setShootFate('*', { kind: 'noSeed' });
  const { id, runtimeID } = await world.provision(orderOf());
  await world.reaches(id, 'the wait for a domain', ({ stage }) => stage === 'WaitingForClusterDomain');
  control.revokeAccessTokens();
  control.addFault({ target: 'oauth', action: { kind: 'status', status: 401, body: { error: 'invalid_client' } } });
  control.liftShootFate();
  const { state, stage, lastError } = await world.reaches(id, 'trouble', (seen) => seen.lastError !== null);
  assert.deepEqual([state, stage], ['InProgress', 'WaitingForClusterDomain']);
  assert.deepEqual(
    [lastError?.code, lastError?.actor, lastError?.component],
    ['DIRECTOR_UNAUTHORIZED', 'operator', 'mps oauth2'],
  );
  control.clearFaults();
  await world.succeeded(id);
  await world.succeeded(await world.deprovision(runtimeID));
});

test('every other reply of the Director may be lost once, without harm', async () => {
  const calls = ['setRuntimeLabel', 'updateRuntime', 'requestOneTimeTokenForRuntime', 'unregisterRuntime'];
  for (const body of calls) control.addFault({ target: 'director', body, count: 1, action: { kind: 'loseReply' } });
  const { id, runtimeID } = await world.provision(orderOf());
  await world.succeeded(id);
  assert.deepEqual(
    control.inventory().directorRuntimes.map(({ condition }) => condition),
    ['CONNECTED'],
  );
  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(
    control.faults().map(({ hits }) => hits),
    [1, 1, 1, 1],
  );
  assert.deepEqual(control.inventory(), nothing);
});

test('an agent whose token was burned gets another one and connects', async () => {
  const result = { token: 'burned', connectorURL: world.landscape.addresses.connector };
  control.addFault({
    ...{ target: 'director', body: 'requestOneTimeToken', count: 1 },
    action: { kind: 'status', status: 200, body: { data: { result } } },
  });
  const { id, runtimeID } = await world.provision(orderOf());
  await world.succeeded(id);
  const waits = (await world.timeline(id)).filter(({ type, stage }) => type === 'Waiting' && /Agent/.test(stage));
  assert.ok(
    waits.some(({ message }) => /token is invalid, used or expired/.test(message)),
    JSON.stringify(waits),
  );
  assert.equal((await world.runtime(runtimeID)).runtimeConnectionStatus.status, 'Connected');
  await world.succeeded(await world.deprovision(runtimeID));
});

test('a connection that is lost before the Director knows of it is replaced', async () => {
  control.addFault({ target: 'director', body: '"CONNECTED"', action: { kind: 'status', status: 503 } });
  const { id, runtimeID } = await world.provision(orderOf());
  await world.reaches(id, 'the report', ({ stage, lastError }) => stage === 'WaitForAgentToConnect' && !!lastError);
  const cluster = clusterClient((await world.runtime(runtimeID)).runtimeConnectionConfig.kubeconfig);
  control.revokeSystemAuths(runtimeID);
  await cluster.patch(connection, { spec: { resyncNow: true } });
  await eventually('the end of the trust', async () => {
    const { status } = (await cluster.get(connection)) as { status?: { connectionState?: string } };
    return status?.connectionState === 'ConnectionMaintenanceFailed';
  });
  control.clearFaults();
  await world.succeeded(id);
  assert.equal((await world.runtime(runtimeID)).runtimeConnectionStatus.status, 'Connected');
  await world.succeeded(await world.deprovision(runtimeID));
});

function addFault(action: FaultAction): void {
  control.addFault({ target: 'director', action });
}
