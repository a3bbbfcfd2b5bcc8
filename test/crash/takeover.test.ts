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

test('a replica that is killed in the middle of a stage is taken over, and the Shoot is created once', async (t) => {
  const deployment = await openDeployment({ landscape });
  const replicas = await Promise.all([deployment.startReplica(), deployment.startReplica()]);
  const [caller] = replicas;
  control.addFault(slowCreation);
  const name = 'taken-over';
  const { id, runtimeID } = await caller.provision({ runtimeInput: { name } });
  await eventually('the creation to be on its way', () => control.faults().some(({ hits }) => hits === 1));
  const { runner, other } = await whoRuns(id, deployment, replicas);

  const killedAt = performance.now();
  await runner.process.kill();
  const logged = await other.process.waitForLog('the takeover', ({ msg }) =>
    /from a replica that fell silent/.test(msg ?? ''),
  );
  t.diagnostic(`taken over ${((performance.now() - killedAt) / 1000).toFixed(1)} s after kill -9`);
  await other.succeeded(id);
  t.diagnostic(`finished ${((performance.now() - killedAt) / 1000).toFixed(1)} s after kill -9`);

  assert.equal(logged.operationId, id);
  assert.equal(control.madeShoots(), 1);
  assert.deepEqual(whatExists(control, { runtimeID, name }), provisioned);
  assert.deepEqual(await deployment.counts(), { runtimes: 1, operations: 1, intents: 0 });
});

test('an operation that waits belongs to nobody, so that a kill does not hold it up', async (t) => {
  const deployment = await openDeployment({ landscape });
  const replicas = await Promise.all([deployment.startReplica(), deployment.startReplica()]);
  const [first, second] = replicas;
  control.setShootFate('*', { kind: 'stuck', at: 'workers' });
  const name = 'waiting';
  const { id, runtimeID } = await first.provision({ runtimeInput: { name } });
  await eventually('the operation to wait for its cluster', async () => {
    const { stage } = await first.operation(id);
    return stage === 'WaitingForClusterCreation' && (await deployment.runnerOf(id)) === undefined;
  });
  const killedAt = performance.now();
  await first.process.kill();
  control.liftShootFate();
  await second.succeeded(id);
  t.diagnostic(`finished ${((performance.now() - killedAt) / 1000).toFixed(1)} s after kill -9`);
  assert.ok(!second.process.log.some(({ msg }) => /from a replica that fell silent/.test(msg ?? '')));
  assert.deepEqual(whatExists(control, { runtimeID, name }), provisioned);
});
