import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { testLandscape } from '../harness/landscape.ts';
import { openDeployment } from './support/deployment.ts';
import { slowCreation } from './support/slow-creation.ts';
import { provisioned, whatExists } from './support/what-exists.ts';
import { whoRuns } from './support/who-runs.ts';

const landscape = await testLandscape();
const { control } = landscape;

test('a replica that was frozen for longer than its lease changes nothing when it wakes, and goes on as a new one', async (t) => {
  const deployment = await openDeployment({ landscape });
  const replicas = await Promise.all([deployment.startReplica(), deployment.startReplica()]);
  control.addFault(slowCreation);
  const name = 'frozen';
  const { id, runtimeID } = await replicas[0].provision({ runtimeInput: { name } });
  await eventually('the creation to be on its way', () => control.faults().some(({ hits }) => hits === 1));
  const { runner: frozen, other } = await whoRuns(id, deployment, replicas);

  const frozenAt = performance.now();
  frozen.process.freeze();
  await other.succeeded(id);
  t.diagnostic(`finished by the other ${((performance.now() - frozenAt) / 1000).toFixed(1)} s after SIGSTOP`);
  const course = await deployment.course(id);
  frozen.process.thaw();

  await frozen.process.waitForLog('that it was silent', ({ msg }) => /was silent for too long/.test(msg ?? ''));
  await frozen.process.waitForLog(
    'what it lost',
    ({ msg, operationId }) => msg === 'operation lost to another replica' && operationId === id,
  );
  await frozen.process.waitUntilReady();
  assert.deepEqual(await deployment.course(id), course);
  assert.equal(control.madeShoots(), 1);
  assert.deepEqual(whatExists(control, { runtimeID, name }), provisioned);

  assert.equal(await other.process.stop(), 0);
  await frozen.succeeded(await frozen.deprovision(runtimeID));
  assert.deepEqual(await deployment.counts(), { runtimes: 1, operations: 2, intents: 0 });
});
