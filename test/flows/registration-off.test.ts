import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderOf } from './orders.ts';
import { openWorld } from './world.ts';

const world = await openWorld({ environment: { APP_RUNTIME_REGISTRATION_ENABLED: 'false', APP_DIRECTOR_URL: '' } });
const { control } = world;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test('with registration off a Runtime lives its whole life without the Director', async () => {
  const { id, runtimeID } = await world.provision(orderOf());
  assert.match(runtimeID, uuid);
  const operation = await world.succeeded(id);
  assert.equal(operation.compassRuntimeID, null);
  const skipped = (await world.timeline(id)).flatMap(({ type, stage }) => (type === 'StageSkipped' ? [stage] : []));
  assert.deepEqual(skipped, ['CreatingBindingsForOperators', 'ConnectRuntimeAgent', 'WaitForAgentToConnect']);
  const { clusters } = control.inventory();
  assert.deepEqual([...(clusters[0]?.modules ?? [])].sort(), ['ApplicationConnector Ready', 'Istio Ready']);
  assert.equal(clusters[0]?.agentRuntimeId, undefined);

  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
  assert.deepEqual([...control.requests('director'), ...control.requests('oauth')], []);
});

test('with registration off an id of the caller needs nobody who knows it, and counts once', async () => {
  const id = crypto.randomUUID();
  const accepted = await world.provision(orderOf(), id);
  assert.equal(accepted.runtimeID, id);
  await world.succeeded(accepted.id);
  const { errors } = await world.send(orderOf(), id);
  assert.equal(errors[0]?.extensions?.code, 'ALREADY_EXISTS');
  assert.equal(control.inventory().shoots.length, 1);
  await world.succeeded(await world.deprovision(id));
});

test('with registration off Kyma may come without the module that brings the agent', async () => {
  const components = [{ component: 'istio', namespace: 'kyma-system' }];
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: { version: 'fast', components } }));
  await world.succeeded(id);
  assert.deepEqual(control.inventory().clusters[0]?.modules, ['Istio Ready']);
  await world.succeeded(await world.deprovision(runtimeID));
});
