import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { claimOperations } from '../../src/db/queries/claim-operations.ts';
import { type CommitGuard, commitOperation, commitUnchangedLook } from '../../src/db/queries/commit-operation.ts';
import { beat, joinReplicas, leaveReplicas, takeOver } from '../../src/db/queries/replicas.ts';
import { storeNotes } from '../../src/db/queries/store-notes.ts';
import { wakeOperations } from '../../src/db/queries/wake-operations.ts';
import { done } from '../../src/domain/outcome.ts';
import { history, migratedDatabase, provision } from '../engine/support/engine-fixture.ts';
import { provisionFlow } from '../engine/support/flows.ts';

const flow = provisionFlow([{ stage: 'One', run: async () => done() }]);
const leaseMillis = 60_000;

async function join(database: Database): Promise<string> {
  const replicaId = crypto.randomUUID();
  await joinReplicas({ database, replicaId, host: 'test', process: 1 });
  return replicaId;
}

async function claim(database: Database, replicaId: string, limit = 10) {
  const { claimed } = await claimOperations({
    ...{ database, replicaId, leaseMillis, limit, kinds: ['Provision'], except: [] },
  });
  return claimed;
}

function guardOf(replicaId: string, [claimed]: Awaited<ReturnType<typeof claim>>): CommitGuard {
  assert.ok(claimed !== undefined, 'nothing was claimed');
  const { operation, revision, wakeSeq } = claimed;
  return { operationId: operation.id, replicaId, attempt: operation.attempt, revision, wakeSeq };
}

const waitingOn = (wakeKey: string) => ({
  ...({ state: 'InProgress', stage: 'One', entersStage: false, message: 'waiting', progress: undefined } as const),
  ...{ lastError: undefined, looks: 1, failures: 0, wakeKey, runtime: undefined },
  events: [{ type: 'Waiting', stage: 'One', message: 'waiting' } as const],
});

test('whichever comes first, a wake or the commit of a look that began before it, the operation is due', async () => {
  const { database } = await migratedDatabase();
  const replicaId = await join(database);
  await provision(database, flow);
  let guard = guardOf(replicaId, await claim(database, replicaId));
  const declared = await commitOperation({ database, guard, change: waitingOn('shoot:a'), hold: { kind: 'keep' } });
  assert.ok(declared.landed);
  guard = { ...guard, revision: declared.revision, wakeSeq: declared.wakeSeq };
  const first = { wake: 0, commit: 0 };
  for (let round = 0; round < 300; round += 1) {
    const hold = { kind: 'release', dueInMillis: 3_600_000 } as const;
    const commit = () => commitUnchangedLook({ database, guard, looks: 1, hold });
    const wake = () => wakeOperations({ database, keys: ['shoot:a'] });
    const [committed] = await (round % 2 === 0
      ? Promise.all([commit(), wake()])
      : Promise.all([wake(), commit()]).then(([woken, landed]) => [landed, woken] as const));
    assert.ok(committed.landed);
    first[committed.dueInMillis === 0 ? 'wake' : 'commit'] += 1;
    guard = guardOf(replicaId, await claim(database, replicaId));
  }
  assert.ok(first.wake > 0 && first.commit > 0, `both orders must occur: ${JSON.stringify(first)}`);
});

test('due operations are claimed once, however many claim at the same time', async () => {
  const { database } = await migratedDatabase();
  const accepted = await Promise.all(Array.from({ length: 60 }, () => provision(database, flow)));
  const replicas = await Promise.all(Array.from({ length: 6 }, () => join(database)));
  const claimed: string[] = [];
  while (claimed.length < accepted.length) {
    const batches = await Promise.all(replicas.map((replicaId) => claim(database, replicaId, 3)));
    claimed.push(...batches.flat().map(({ operation }) => operation.id));
  }
  assert.deepEqual(claimed.toSorted(), accepted.map(({ id }) => id).toSorted());
});

test('an owner that was given up commits nothing, notes nothing and claims nothing', async () => {
  const { database } = await migratedDatabase();
  const silent = await join(database);
  await provision(database, flow);
  const guard = guardOf(silent, await claim(database, silent));
  await database.kysely
    .updateTable('replica')
    .set('seen' as never, new Date(0) as never)
    .execute();
  const other = await join(database);
  assert.deepEqual(await takeOver({ database, leaseMillis }), [
    { operationId: guard.operationId, previousOwner: silent },
  ]);

  const attempts = async () => {
    const hold = { kind: 'keep' } as const;
    const change = { ...waitingOn('shoot:a'), runtime: { domain: 'stale.example.com', deleted: true } as const };
    assert.deepEqual(await commitOperation({ database, guard, change, hold }), { landed: false });
    assert.deepEqual(await commitUnchangedLook({ database, guard, looks: 1, hold }), { landed: false });
    const { operationId, replicaId, attempt } = guard;
    assert.equal(await storeNotes({ database, operationId, replicaId, attempt, notes: { stale: true } }), undefined);
    assert.deepEqual(await claim(database, silent), []);
  };
  await attempts();
  const [taken] = await claim(database, other);
  assert.equal(taken?.operation.attempt, 2);
  await attempts();
  assert.equal((await beat({ database, replicaId: silent, leaseMillis })).alive, false);
  assert.deepEqual(
    (await history(database, guard.operationId)).map(({ type }) => type),
    ['Accepted'],
  );
  const runtime = await database.kysely
    .selectFrom('runtime')
    .select(['domain', 'deleted_at'])
    .executeTakeFirstOrThrow();
  assert.deepEqual(runtime, { domain: null, deleted_at: null });
});

test('a commit that is sent twice lands once', async () => {
  const { database } = await migratedDatabase();
  const replicaId = await join(database);
  await provision(database, flow);
  const guard = guardOf(replicaId, await claim(database, replicaId));
  const commit = () => commitOperation({ database, guard, change: waitingOn('shoot:a'), hold: { kind: 'keep' } });
  const first = await commit();
  const second = await commit();
  assert.ok(first.landed && second.landed);
  assert.equal(first.revision, second.revision);
  assert.deepEqual(
    (await history(database, guard.operationId)).map(({ type }) => type),
    ['Accepted', 'Waiting'],
  );
});

test('a replica that beats at the moment it would be given up keeps what it runs', async () => {
  const { database } = await migratedDatabase();
  for (let round = 0; round < 20; round += 1) {
    const replicaId = await join(database);
    const { id } = await provision(database, flow);
    const guard = guardOf(replicaId, await claim(database, replicaId));
    const [, taken] = await Promise.all([
      beat({ database, replicaId, leaseMillis: 3 }),
      takeOver({ database, leaseMillis: 3 }),
    ]);
    const hold = { kind: 'keep' } as const;
    const { landed } = await commitUnchangedLook({ database, guard, looks: 1, hold });
    const lost = taken.some(({ operationId }) => operationId === id);
    assert.equal(landed, !lost);
    if (lost) assert.equal((await beat({ database, replicaId, leaseMillis })).alive, false);
    await leaveReplicas({ database, replicaId });
    await database.kysely
      .updateTable('operation')
      .set({ state: 'Failed', owner: null, ended_at: new Date() })
      .execute();
  }
});
