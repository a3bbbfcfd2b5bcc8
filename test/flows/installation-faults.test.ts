import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;
const nothing = { shoots: [], clusters: [], directorRuntimes: [] };

afterEach(() => control.clearFaults());

test('artifacts that cannot be had are waited for, and the operation says so meanwhile', async () => {
  control.addFault({ target: 'artifacts', action: { kind: 'status', status: 503 } });
  const { id, runtimeID } = await world.provision(orderOf());
  const troubled = await world.reaches(id, 'trouble', ({ lastError }) => lastError !== null);
  assert.deepEqual([troubled.state, troubled.stage], ['InProgress', 'StartingInstallation']);
  assert.match(troubled.lastError?.errMessage ?? '', /cannot download https:.*\/artifacts\/.*: HTTP 503/);
  control.clearFaults();
  assert.equal((await world.succeeded(id)).lastError, null);
  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(control.inventory(), nothing);
});

test('a cluster that loses replies and fails in between gets each module once', async () => {
  const trouble = [
    { method: 'PATCH', action: { kind: 'loseReply' } },
    { method: 'PATCH', action: { kind: 'status', status: 500 } },
    { method: 'GET', action: { kind: 'drop' } },
    { method: 'DELETE', action: { kind: 'loseReply' } },
  ] as const;
  for (const each of trouble) control.addFault({ target: 'cluster', count: 1, ...each });
  const { id, runtimeID } = await world.provision(orderOf());
  await world.succeeded(id);
  const { clusters } = control.inventory();
  assert.deepEqual(
    clusters.map(({ modules }) => [...modules].sort()),
    [['ApplicationConnector Ready', 'Istio Ready']],
  );
  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(
    control.faults().map(({ hits }) => hits),
    [1, 1, 1, 1],
  );
  assert.deepEqual(control.inventory(), nothing);
});

test('an artifact with another digest than the catalogue promises is not installed, and hinders no deprovisioning', async () => {
  assert.ok(control.corruptArtifact('/artifacts/serverless/1.6.0/serverless-operator.yaml'));
  const components = ['application-connector', 'serverless'].map((component) => ({
    component,
    namespace: 'kyma-system',
  }));
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: { version: 'fast', components } }));
  const { message, lastError } = await world.failed(id);
  assert.match(
    message,
    /serverless-operator\.yaml cannot be used: its SHA-256 is [0-9a-f]{64}, but the catalogue says/,
  );
  assert.deepEqual([lastError?.code, lastError?.actor], ['KYMA_ARTIFACT_INVALID', 'operator']);
  assert.deepEqual(
    control.inventory().clusters.map(({ modules }) => modules),
    [[]],
    'nothing was installed',
  );
  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(control.inventory(), nothing);
});
