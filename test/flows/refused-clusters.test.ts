import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { FaultRule } from '../../landscape/control/faults.ts';
import { orderOf } from './orders.ts';
import { openWorld, projectNamespace, shoots } from './world.ts';

const world = await openWorld();
const { control, garden } = world;
const nothing = { shoots: [], clusters: [], directorRuntimes: [] };
/** What the check before the acceptance cannot foresee: it asks with a dry run. */
const creation: FaultRule = {
  target: 'garden',
  method: 'POST',
  path: '/shoots\\?(?!.*dryRun)',
  action: { kind: 'drop' },
};

afterEach(() => {
  control.clearFaults();
});

test('a Shoot that Gardener refuses after all fails the operation in the words of Gardener', async () => {
  const message =
    'shoots.core.gardener.cloud "demo" is forbidden: exceeded quota: shoots, requested: 1, used: 9, limited: 9';
  control.addFault({ ...creation, action: { kind: 'status', status: 403, body: { message } } });
  const { id, runtimeID } = await world.provision(orderOf());
  const operation = await world.failed(id);
  assert.equal(operation.message, message);
  assert.deepEqual([operation.stage, operation.lastError?.code], ['CreatingCluster', 'CLUSTER_REJECTED']);
  assert.deepEqual(
    control.inventory().directorRuntimes.map(({ condition }) => condition),
    ['FAILED'],
  );
  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(control.inventory(), nothing);
});

test('a Garden that is down when a Runtime is ordered is waited for', async () => {
  control.addFault({ target: 'garden', action: { kind: 'drop' } });
  const { id, runtimeID } = await world.provision(orderOf());
  const troubled = await world.reaches(id, 'trouble', ({ lastError }) => lastError !== null);
  assert.deepEqual([troubled.state, troubled.stage], ['InProgress', 'CreatingCluster']);
  control.clearFaults();
  await world.succeeded(id);
  await world.succeeded(await world.deprovision(runtimeID));
  assert.deepEqual(control.inventory(), nothing);
});

test("somebody else's Shoot that comes first fails the operation, and is left alone by deprovisioning", async () => {
  const pattern = await world.provision(orderOf());
  await world.succeeded(pattern.id);
  const shoot = await world.shootOf(pattern.runtimeID);
  assert.ok(shoot?.apiVersion && shoot.kind);
  await world.succeeded(await world.deprovision(pattern.runtimeID));

  control.addFault(creation);
  const { id, runtimeID } = await world.provision(orderOf({ gardenerConfig: { name: 'contested' } }));
  await world.reaches(id, 'trouble', ({ lastError }) => lastError !== null);
  const { seedName: _, ...spec } = shoot.spec;
  const metadata = { name: 'contested', namespace: projectNamespace };
  // An apply is no POST.
  await garden.apply({ apiVersion: shoot.apiVersion, kind: shoot.kind, metadata, spec }, { kind: shoots });
  control.clearFaults();
  const operation = await world.failed(id);
  assert.deepEqual([operation.stage, operation.lastError?.code], ['CreatingCluster', 'CLUSTER_NAME_TAKEN']);
  assert.match(operation.message, /by a cluster that this Runtime does not own/);

  await world.succeeded(await world.deprovision(runtimeID));
  const left = control.inventory();
  assert.deepEqual(
    left.shoots.map(({ name, deleting, annotations }) => [name, deleting, annotations]),
    [['contested', false, {}]],
  );
  assert.deepEqual(left.directorRuntimes, []);
});
