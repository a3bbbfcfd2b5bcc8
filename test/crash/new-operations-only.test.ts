import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../harness/eventually.ts';
import { testLandscape } from '../harness/landscape.ts';
import { openDeployment } from './support/deployment.ts';

const landscape = await testLandscape();
const { control } = landscape;

test('with APP_ENQUEUE_IN_PROGRESS_OPERATIONS=false a replica goes on with nothing from before its start', async () => {
  const deployment = await openDeployment({ landscape });
  const earlier = await deployment.startReplica();
  control.setShootFate('*', { kind: 'stuck', at: 'workers' });
  const left = await earlier.provision({ runtimeInput: { name: 'left' } });
  await earlier.reaches(left.id, 'WaitingForClusterCreation');
  assert.equal(await earlier.process.stop(), 0);

  const restrained = await deployment.startReplica({ APP_ENQUEUE_IN_PROGRESS_OPERATIONS: 'false' });
  const stoodAt = await attempts(left.id);
  control.liftShootFate();
  await eventually('the earlier operation to be due', () => isDue(left.id));
  const taken = await restrained.provision({ runtimeInput: { name: 'taken' } });
  await restrained.succeeded(taken.id);
  assert.equal((await restrained.operation(left.id)).state, 'InProgress');
  assert.equal(await attempts(left.id), stoodAt);

  const unrestrained = await deployment.startReplica();
  await unrestrained.succeeded(left.id);

  async function attempts(id: string): Promise<number | undefined> {
    const { rows } = await sql<{ attempt: number }>`SELECT attempt FROM operation WHERE id = ${id}`.execute(
      deployment.stored.kysely,
    );
    return rows[0]?.attempt;
  }

  async function isDue(id: string): Promise<boolean> {
    const { rows } = await sql`SELECT FROM operation WHERE id = ${id} AND next_look <= now()`.execute(
      deployment.stored.kysely,
    );
    return rows.length === 1;
  }
});
