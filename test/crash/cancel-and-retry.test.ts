import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrashPlace } from '../../src/domain/crash-point.ts';
import {
  type ControlledOperation,
  cancelMutation,
  controlledQuery,
  retryMutation,
} from '../flows/control-documents.ts';
import { eventually } from '../harness/eventually.ts';
import { testLandscape } from '../harness/landscape.ts';
import { type Deployment, openDeployment, type Replica } from './support/deployment.ts';
import { slowCreation } from './support/slow-creation.ts';
import { nothing, provisioned, whatExists } from './support/what-exists.ts';

const landscape = await testLandscape();
const { control } = landscape;
const stage = 'Provision/CreatingCluster';
const name = 'dies-and-dies-again';
/** Around what a retry does once before all else, and around its first stage. */
const placesOfRetry = ['before-run', 'before-note', 'after-note', 'before-commit', 'after-commit'] as const;

async function isKilled({ process }: Pick<Replica, 'process'>, place: CrashPlace): Promise<void> {
  let code: number | undefined;
  void process.exited.then((exitCode) => {
    code = exitCode;
  });
  await eventually(`the process to reach ${place}`, () => code !== undefined);
  assert.equal(code, -1, process.written);
}

async function nextDies(deployment: Deployment, place: CrashPlace): Promise<void> {
  await deployment.giveUpSilent();
  await isKilled({ process: deployment.startProcess({ APP_CRASH_POINT: place }) }, place);
}

/** The newest operation of the Runtime. */
async function newest({ stored }: Deployment): Promise<string> {
  const row = await stored.kysely.selectFrom('operation').select('id').orderBy('sequence', 'desc').executeTakeFirst();
  assert.ok(row);
  return row.id;
}

test('processes that die around the commits of a cancellation and of a retry change neither, and make one cluster', async () => {
  const deployment = await openDeployment({ landscape });
  const doomed = await deployment.startReplica({ APP_CRASH_POINT: `before-commit:${stage}` });
  control.addFault(slowCreation);
  const { id, runtimeID } = await doomed.provision({ runtimeInput: { name } });
  await eventually('the creation to be on its way', () => control.faults().some(({ hits }) => hits === 1));
  // Its answer is lost with the process.
  void doomed.api.ask(cancelMutation, { id }).catch(() => undefined);
  await isKilled(doomed, `before-commit:${stage}`);
  assert.deepEqual(await deployment.course(id), ['Accepted CreatingCluster', 'CancelRequested CreatingCluster']);
  await nextDies(deployment, `after-commit:${stage}`);
  control.clearFaults();

  const cancelled = [...(await deployment.course(id)).slice(0, 2), 'Cancelled CreatingCluster'];
  const retrying = await deployment.startReplica({ APP_CRASH_POINT: `before-run:${stage}` });
  const { runtimeOperationStatus } = await retrying.api.ask<{ runtimeOperationStatus: ControlledOperation }>(
    controlledQuery,
    { id },
  );
  const { state, cancellation } = runtimeOperationStatus;
  assert.deepEqual([state, cancellation?.outcome], ['Failed', 'Residue']);
  void retrying.api.ask(retryMutation, { id }).catch(() => undefined);
  await isKilled(retrying, `before-run:${stage}`);
  for (const place of placesOfRetry.slice(1)) await nextDies(deployment, `${place}:${stage}`);

  await deployment.giveUpSilent();
  const replica = await deployment.startReplica();
  const retry = await newest(deployment);
  assert.notEqual(retry, id);
  await replica.succeeded(retry);
  assert.deepEqual(await deployment.course(id), cancelled, 'what was cancelled stays so');
  for (const operation of [id, retry]) {
    const sequences = await deployment.sequences(operation);
    assert.deepEqual(
      sequences,
      sequences.map((_, index) => index + 1),
    );
  }
  assert.equal(control.madeShoots(), 1);
  assert.deepEqual(whatExists(control, { runtimeID, name }), provisioned);
  await replica.succeeded(await replica.deprovision(runtimeID));
  assert.deepEqual(whatExists(control, { runtimeID, name }), nothing);
  assert.deepEqual(await deployment.counts(), { runtimes: 1, operations: 3, intents: 0 });
  await replica.process.stop();
});
