import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { deprovisionMutation, operationQuery } from '../flows/documents.ts';
import { eventually } from '../harness/eventually.ts';
import type { GraphqlAnswer } from '../harness/graphql-client.ts';
import { testLandscape } from '../harness/landscape.ts';
import type { Accepted } from './support/caller.ts';
import { type Deployment, openDeployment, type Replica } from './support/deployment.ts';
import { type FailingServer, hangingServer, killedServer, stoppedServer } from './support/postgres-outages.ts';
import { nothing, provisioned, whatExists } from './support/what-exists.ts';

const landscape = await testLandscape();
const { control } = landscape;

describe('the database goes away in mid-operation', { concurrency: true }, () => {
  test('stopped for 20 s: callers are told, the process lives, and the operation goes on', async () => {
    const { deployment, replica, operation, comesBack } = await loseDatabase('stopped', await stoppedServer());
    control.liftShootFate('stopped');

    const refusals = await Promise.all([
      replica.send({ runtimeInput: { name: 'refused' } }),
      replica.api.send(deprovisionMutation, { id: operation.runtimeID }),
      replica.api.send(operationQuery, { id: operation.id }),
    ]);
    for (const refusal of refusals) assert.deepEqual(codesOf(refusal), ['DATABASE_UNAVAILABLE']);
    assert.equal((await fetch(`${replica.process.origin}/healthz`)).status, 200);
    await eventually('/readyz to name the database', async () => (await notReady(replica)).includes('database'));

    await comesBack;
    await endsAsEver(replica, operation, 'stopped');
    assert.equal(control.inventory().directorRuntimes.filter(({ name }) => name === 'refused').length, 0);
    assert.deepEqual(await deployment.counts(), { runtimes: 1, operations: 2, intents: 0 });
  });

  const noProc = !existsSync('/proc/self/stat') && 'there is no /proc to find the processes of PostgreSQL in';
  test('hanging for 20 s: what callers are told holds, and the operation goes on', { skip: noProc }, async () => {
    const { deployment, replica, operation, comesBack } = await loseDatabase('hanging', await hangingServer());
    control.liftShootFate('hanging');
    const answering = replica.send({ runtimeInput: { name: 'meanwhile' } });
    assert.equal((await fetch(`${replica.process.origin}/healthz`)).status, 200);
    assert.ok((await notReady(replica)).includes('database'));

    await comesBack;
    const answer = await answering;
    const accepted = answer.data?.provisionRuntime;
    if (accepted) await replica.succeeded(accepted.id);
    else assert.deepEqual(codesOf(answer), ['DATABASE_UNAVAILABLE']);
    await endsAsEver(replica, operation, 'hanging');
    const { runtimes, operations } = await deployment.counts();
    assert.deepEqual(
      { runtimes, operations },
      accepted ? { runtimes: 2, operations: 3 } : { runtimes: 1, operations: 2 },
    );
  });

  test('killed: it recovers, and the operation goes on', async () => {
    const { deployment, replica, operation, comesBack } = await loseDatabase('killed', await killedServer());
    control.liftShootFate('killed');
    await comesBack;
    await endsAsEver(replica, operation, 'killed');
    assert.deepEqual(await deployment.counts(), { runtimes: 1, operations: 2, intents: 0 });
  });
});

/** A replica and an operation that waits for its cluster, whose database has just gone away. */
async function loseDatabase(
  name: string,
  server: FailingServer,
): Promise<{ deployment: Deployment; replica: Replica; operation: Accepted; comesBack: Promise<void> }> {
  const deployment = await openDeployment({ landscape, settings: server.settings });
  const replica = await deployment.startReplica();
  control.setShootFate(name, { kind: 'stuck', at: 'workers' });
  const operation = await replica.provision({ runtimeInput: { name }, gardenerConfig: { name } });
  await replica.reaches(operation.id, 'WaitingForClusterCreation');
  const { cameBack } = await server.goAway();
  return { deployment, replica, operation, comesBack: cameBack };
}

/** It ends by itself, is there once, and leaves nothing when it goes. */
async function endsAsEver(replica: Replica, { id, runtimeID }: Accepted, name: string): Promise<void> {
  await replica.succeeded(id);
  assert.deepEqual(whatExists(control, { runtimeID, name }), provisioned);
  await replica.process.waitUntilReady();
  await replica.succeeded(await replica.deprovision(runtimeID));
  assert.deepEqual(whatExists(control, { runtimeID, name }), nothing);
}

/** The names of what is not ready. */
async function notReady({ process }: Replica): Promise<readonly string[]> {
  const response = await fetch(`${process.origin}/readyz`, { signal: AbortSignal.timeout(10_000) });
  const { checks } = (await response.json()) as { checks: readonly { name: string; ready: boolean }[] };
  assert.equal(response.status, checks.every(({ ready }) => ready) ? 200 : 503);
  return checks.flatMap(({ name, ready }) => (ready ? [] : [name]));
}

function codesOf({ errors }: GraphqlAnswer<unknown>): unknown[] {
  return errors.map(({ extensions }) => extensions?.code);
}
