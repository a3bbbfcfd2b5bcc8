import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { acceptOperation } from '../../src/db/queries/accept-operation.ts';
import { acceptRetry } from '../../src/db/queries/accept-retry.ts';
import { expectedClusters, markLost, unmarkLost } from '../../src/db/queries/lost-clusters.ts';
import { Failure } from '../../src/domain/failures.ts';
import { newOperationId, type OperationId, type RuntimeId } from '../../src/domain/ids.ts';
import type { OperationKind } from '../../src/domain/operation.ts';
import { type StoredRuntime, storeOperation, storeRuntime } from '../api/stored-runtimes.ts';
import { migratedDatabase, tenant } from '../engine/support/engine-fixture.ts';

const { database } = await migratedDatabase();
const { kysely } = database;

/** A Runtime whose cluster was there. */
async function withCluster(stored: StoredRuntime = {}): Promise<RuntimeId> {
  const id = await storeRuntime(database, stored);
  await kysely.updateTable('runtime').set({ domain: 'demo.example.com' }).where('id', '=', id).execute();
  return id;
}

async function isExpected(id: RuntimeId, seen?: RuntimeId): Promise<boolean> {
  const found = await expectedClusters({ database, drivers: ['gardener'], ...(seen && { seen }) });
  return found.some(({ runtimeId }) => runtimeId === id);
}

const accept = (runtimeId: RuntimeId, kind: Exclude<OperationKind, 'Provision'>) =>
  acceptOperation({
    ...{ database, tenant, runtimeId, kind, operationId: newOperationId() },
    ...{ startMessage: 'started', firstStage: 'One' },
  });

const isRefused = (code: string) => (error: unknown) => {
  assert.ok(error instanceof Failure, String(error));
  assert.equal(error.code, code);
  return true;
};

describe('the absence of a cluster means a loss only when nothing of ours explains it', () => {
  test('one that was there, and on which nothing is in progress, is expected', async () => {
    assert.ok(await isExpected(await withCluster()));
  });

  const explained: readonly (readonly [string, () => Promise<RuntimeId>])[] = [
    ['an operation in progress', () => withCluster({ operation: { state: 'InProgress' } })],
    ['a deprovisioning that failed', () => withCluster({ operation: { kind: 'Deprovision', state: 'Failed' } })],
    ['a Runtime that is deprovisioned', () => withCluster({ deleted: true })],
    [
      'a creation that was cut off',
      async () => {
        const id = await withCluster({ operation: { state: 'Failed' } });
        await sql`UPDATE runtime SET creation_settles_at = now() + interval '1 minute' WHERE id = ${id}`.execute(
          kysely,
        );
        return id;
      },
    ],
  ];
  for (const [reason, store] of explained) {
    test(`${reason} explains it, even when the cluster was seen`, async () => {
      const id = await store();
      assert.deepEqual([await isExpected(id), await isExpected(id, id)], [false, false]);
      assert.equal(await markLost({ database, runtimeId: id }), undefined);
    });
  }

  test('a cluster that was never made is not expected, unless somebody has seen it', async () => {
    const id = await storeRuntime(database, { operation: { state: 'Failed' } });
    assert.deepEqual([await isExpected(id), await isExpected(id, id)], [false, true]);
  });
});

test('a Runtime is marked once, stays among those that are looked after, and is unmarked once', async () => {
  const runtimeId = await withCluster();
  const lostAt = await markLost({ database, runtimeId });
  assert.ok(lostAt instanceof Date);
  assert.equal(await markLost({ database, runtimeId }), undefined);
  const found = await expectedClusters({ database, drivers: ['gardener'] });
  assert.equal(found.find((one) => one.runtimeId === runtimeId)?.lost, true);
  assert.deepEqual(
    [await unmarkLost({ database, runtimeId }), await unmarkLost({ database, runtimeId })],
    [true, false],
  );
  await accept(runtimeId, 'Hibernate');
});

test('a lost Runtime is deprovisioned and nothing else', async () => {
  const runtimeId = await withCluster({ operation: { state: 'Failed' } });
  const { id } = await kysely
    .selectFrom('operation')
    .select('id')
    .where('runtime_id', '=', runtimeId)
    .executeTakeFirstOrThrow();
  const retry = () =>
    acceptRetry({
      ...{ database, tenant, retryOf: id as OperationId, operationId: newOperationId(), startMessage: 'again' },
    });
  await markLost({ database, runtimeId });
  await assert.rejects(accept(runtimeId, 'UpgradeShoot'), isRefused('CLUSTER_LOST'));
  await assert.rejects(accept(runtimeId, 'Hibernate'), /Deprovision the Runtime and provision a new one/);
  await assert.rejects(retry(), isRefused('CLUSTER_LOST'));
  await accept(runtimeId, 'Deprovision');
});

test('an operation that is accepted while a Runtime is being marked wins, or is refused; never both', async () => {
  for (let round = 0; round < 40; round += 1) {
    const runtimeId = await withCluster();
    const [marked, accepted] = await Promise.allSettled([
      markLost({ database, runtimeId }),
      accept(runtimeId, 'Hibernate'),
    ]);
    assert.ok(marked.status === 'fulfilled', String(marked.status === 'rejected' && marked.reason));
    if (accepted.status === 'rejected') isRefused('CLUSTER_LOST')(accepted.reason);
    assert.equal(marked.value !== undefined, accepted.status === 'rejected');
  }
});

test('a deprovisioning that failed on a lost Runtime is taken up again', async () => {
  const runtimeId = await withCluster();
  await markLost({ database, runtimeId });
  const failed = await storeOperation(database, runtimeId, { kind: 'Deprovision', state: 'Failed', stage: 'One' });
  await acceptRetry({
    ...{ database, tenant, retryOf: failed, operationId: newOperationId(), startMessage: 'again' },
  });
});
