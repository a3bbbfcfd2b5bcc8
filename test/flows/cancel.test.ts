import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import {
  type ControlledOperation,
  cancelAndDeprovisionMutation,
  cancelMutation,
  controlledQuery,
  type PlannedChange,
  planProvisionQuery,
  retryMutation,
} from './control-documents.ts';
import { deprovisionMutation } from './documents.ts';
import { holdStage, isHeld, waysToHold } from './hold-stage.ts';
import { provisionSubject } from './lives.ts';
import { orderOf } from './orders.ts';
import { holdsOf } from './stage-holds.ts';
import { whatExists } from './what-exists.ts';
import { openWorld, shoots } from './world.ts';

const world = await openWorld();
const { control } = world;
const nothing = { shoots: [], clusters: [], directorRuntimes: [] };

afterEach(letGo);

function letGo(): void {
  control.clearFaults();
  control.liftShootFate();
}

async function cancel(id: string): Promise<ControlledOperation> {
  const { cancelOperation } = await world.api.ask<{ cancelOperation: ControlledOperation }>(cancelMutation, { id });
  return cancelOperation;
}

async function retry(id: string): Promise<ControlledOperation> {
  return (await world.api.ask<{ retryOperation: ControlledOperation }>(retryMutation, { id })).retryOperation;
}

describe('Provision, cancelled in any stage, says what is left, and deprovisioning leaves nothing', () => {
  for (const hold of holdsOf('gardener', 'Provision')) {
    const { stage } = hold;
    test(stage, async () => {
      // As long as Gardener lets a name be, together with that of the project.
      const name = stage.toLowerCase().slice(-15);
      // Of whatever id the Runtime gets.
      holdStage(control, hold, { life: 'gardener', name, runtimeId: '' }, waysToHold(hold)[0] ?? assert.fail());
      const { id, subject } = await provisionSubject(world, 'gardener', name);
      const { runtimeId } = subject;
      await world.reaches(id, stage, (seen) => isHeld(seen, stage));
      const cancelled = await cancel(id);
      assert.deepEqual(
        [cancelled.state, cancelled.stage, cancelled.lastError],
        ['Failed', stage, { code: 'OPERATION_CANCELLED', actor: 'caller' }],
      );
      const maybe = `cluster ${name} (gardener): not there yet, but its creation was cut off and may still take effect`;
      const exists = await whatExists(world, subject);
      const expected = stage === 'CreatingCluster' ? [maybe, ...exists] : exists;
      assert.deepEqual(cancelled.cancellation, { outcome: 'Residue', residue: expected });
      assert.deepEqual(
        control.inventory().directorRuntimes.map(({ condition }) => condition),
        ['FAILED'],
      );
      assert.deepEqual(
        (await world.timeline(id)).slice(-2).map(({ type }) => type),
        ['CancelRequested', 'Cancelled'],
      );
      const { runtimeOperationStatus } = await world.api.ask<{ runtimeOperationStatus: ControlledOperation }>(
        controlledQuery,
        { id },
      );
      assert.deepEqual(runtimeOperationStatus, cancelled);

      letGo();
      if (stage === 'CreatingCluster') {
        // Nothing that can be seen tells when it cannot appear any more; a retry finds out at once.
        await world.succeeded((await retry(id)).id);
      }
      await world.succeeded(await world.deprovision(runtimeId));
      assert.deepEqual(control.inventory(), nothing);
    });
  }
});

test('a creation that takes effect after it was cut off is removed by the deprovisioning', async () => {
  const order = orderOf({ kymaConfig: null, gardenerConfig: { name: 'late' } });
  const planned = await world.api.ask<{ planProvision: { changes: PlannedChange[] } }>(planProvisionQuery, {
    config: order,
  });
  const manifest = planned.planProvision.changes.find(({ subject }) => subject === 'Shoot late')?.manifest;
  const path = '/shoots\\?(?!.*dryRun)';
  control.addFault({ target: 'garden', method: 'POST', path, action: { kind: 'delay', milliseconds: 60_000 } });
  const { id, runtimeID } = await world.provision(order);
  await world.reaches(id, 'the request', () => control.faults().some(({ hits }) => hits === 1));
  const { cancellation } = await cancel(id);
  assert.match(cancellation?.residue[0] ?? '', /its creation was cut off and may still take effect$/);
  letGo();
  const deprovisioning = await world.deprovision(runtimeID);
  await world.reaches(deprovisioning, 'the wait for it', ({ message }) => message.startsWith('Making sure'));
  // The request that was cut off, carried out at last.
  const { annotations } = manifest.metadata;
  const owned = Object.fromEntries(Object.keys(annotations).map((key) => [key, runtimeID]));
  await world.garden.create(shoots, { ...manifest, metadata: { ...manifest.metadata, annotations: owned } });
  await world.succeeded(deprovisioning);
  assert.deepEqual(control.inventory(), nothing);
});

test('an operation that has ended is answered as it ended', async () => {
  const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: null }));
  await world.succeeded(id);
  const { state, lastError, cancellation } = await cancel(id);
  assert.deepEqual([state, lastError, cancellation], ['Succeeded', null, { outcome: 'TooLate', residue: [] }]);
  await world.succeeded(await world.deprovision(runtimeID));
});

describe('deprovisionRuntime while another operation is in progress', () => {
  test('is refused, naming it; with cancelRunning it ends that one first', async () => {
    control.setShootFate('*', { kind: 'stuck', during: 'Create' });
    const { id, runtimeID } = await world.provision(orderOf());
    await world.reaches(id, 'the creation', ({ stage }) => stage === 'WaitingForClusterCreation');
    const refused = await world.api.send(deprovisionMutation, { id: runtimeID });
    assert.match(refused.errors[0]?.message ?? '', new RegExp(`while previous one is in progress: Provision ${id}$`));

    const { deprovisionRuntime } = await world.api.ask<{ deprovisionRuntime: string }>(cancelAndDeprovisionMutation, {
      id: runtimeID,
    });
    assert.equal((await world.operation(id)).lastError?.code, 'OPERATION_CANCELLED');
    await world.succeeded(deprovisionRuntime);
    assert.deepEqual(control.inventory(), nothing);
  });

  test('a deprovisioning in progress is what was wanted', async () => {
    const { id, runtimeID } = await world.provision(orderOf({ kymaConfig: null }));
    await world.succeeded(id);
    control.setShootFate('*', { kind: 'stuck', during: 'Delete' });
    const deprovisioning = await world.deprovision(runtimeID);
    const { deprovisionRuntime } = await world.api.ask<{ deprovisionRuntime: string }>(cancelAndDeprovisionMutation, {
      id: runtimeID,
    });
    assert.equal(deprovisionRuntime, deprovisioning);
    letGo();
    await world.succeeded(deprovisioning);
  });
});

test('another tenant can neither cancel nor retry', async () => {
  control.setShootFate('*', { kind: 'stuck', during: 'Create' });
  const { id, runtimeID } = await world.provision(orderOf());
  const stranger = world.as({ tenant: 'tenant-b' });
  for (const [document, variables] of [
    [cancelMutation, { id }],
    [retryMutation, { id }],
    [cancelAndDeprovisionMutation, { id: runtimeID }],
  ] as const) {
    const { errors } = await stranger.send(document, variables);
    assert.deepEqual(
      errors.map(({ extensions }) => extensions?.code),
      ['NOT_FOUND'],
    );
  }
  assert.equal((await world.operation(id)).state, 'InProgress');
  await cancel(id);
  const { errors } = await stranger.send(retryMutation, { id });
  assert.equal(errors[0]?.extensions?.code, 'NOT_FOUND');
  letGo();
  await world.succeeded(await world.deprovision(runtimeID));
});
