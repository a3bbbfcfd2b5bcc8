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

test('a replica that is told to stop ends its stage, and hands the operation over without a lease to wait for', async (t) => {
  const deployment = await openDeployment({ landscape });
  const replicas = await Promise.all([deployment.startReplica(), deployment.startReplica()]);
  const fault = control.addFault(slowCreation);
  const name = 'handed-over';
  const { id, runtimeID } = await replicas[0].provision({ runtimeInput: { name } });
  await eventually('the creation to be on its way', () => hits(fault) === 1);
  const { runner, other } = await whoRuns(id, deployment, replicas);

  const toldAt = performance.now();
  assert.equal(await inTime(runner.process.stop()), 0);
  t.diagnostic(`stopped ${((performance.now() - toldAt) / 1000).toFixed(1)} s after SIGTERM, in a stage of 4 s`);
  await other.succeeded(id);
  t.diagnostic(`finished ${((performance.now() - toldAt) / 1000).toFixed(1)} s after SIGTERM`);
  for (const { process } of replicas) {
    assert.ok(!process.log.some(({ msg }) => /fell silent/.test(msg ?? '')), 'nobody fell silent');
  }
  assert.equal(control.madeShoots(), 1);
  assert.deepEqual(whatExists(control, { runtimeID, name }), provisioned);
});

test('a request that is open when its replica is told to stop is answered, and what it accepted is carried out', async () => {
  const deployment = await openDeployment({ landscape });
  const [stopping, other] = await Promise.all([deployment.startReplica(), deployment.startReplica()]);
  const slowRegistration = control.addFault({
    target: 'director',
    body: 'registerRuntime',
    count: 1,
    action: { kind: 'delay', milliseconds: 3_000 },
  });
  const name = 'open-request';
  const answer = stopping.provision({ runtimeInput: { name } });
  await eventually('the registration to be on its way', () => hits(slowRegistration) === 1);
  const stopped = stopping.process.stop();
  await stopping.process.waitForLog('that it stops', ({ msg }) => msg === 'stopping');
  await assert.rejects(fetch(`${stopping.process.origin}/healthz`), 'it takes no new connection');

  const { id, runtimeID } = await answer;
  assert.equal(await inTime(stopped), 0);
  await other.succeeded(id);
  assert.deepEqual(whatExists(control, { runtimeID, name }), provisioned);
});

test('a replica that is told to stop is not ready at once, but answers until its delay is over or it is told again', async () => {
  const deployment = await openDeployment({ landscape });
  const { process, api } = await deployment.startReplica({ APP_SHUTDOWN_DELAY: '10m' });
  const ask = () => fetch(`${process.origin}/readyz`);
  assert.equal((await ask()).headers.get('connection'), 'keep-alive');
  const stopped = process.stop();
  const refusal = await eventually('the replica to be not ready', async () => {
    const answer = await ask();
    return answer.status === 503 && answer;
  });
  assert.match(await refusal.text(), /the engine is stopp/);
  assert.equal(refusal.headers.get('connection'), 'close', 'clients are to connect to another replica');
  assert.deepEqual(await api.ask('{ __typename }'), { __typename: 'Query' });
  void process.stop();
  assert.equal(await inTime(stopped), 0);
});

/** As long as Kubernetes waits before it kills. */
async function inTime(stopped: Promise<number>): Promise<number> {
  let code: number | undefined;
  void stopped.then((exitCode) => {
    code = exitCode;
  });
  await eventually('the replica to end', () => code !== undefined, { within: 60_000 });
  return stopped;
}

function hits(fault: string): number {
  return control.faults().find(({ id }) => id === fault)?.hits ?? 0;
}
