import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { claimOperations } from '../../src/db/queries/claim-operations.ts';
import { type CommitGuard, commitOperation, commitUnchangedLook } from '../../src/db/queries/commit-operation.ts';
import { beat, joinReplicas, takeOver } from '../../src/db/queries/replicas.ts';
import { storeNotes } from '../../src/db/queries/store-notes.ts';
import { wakeOperations } from '../../src/db/queries/wake-operations.ts';
import { statement } from '../../src/db/statement.ts';
import { done } from '../../src/domain/outcome.ts';
import { history, migratedDatabase, provision } from '../engine/support/engine-fixture.ts';
import { provisionFlow } from '../engine/support/flows.ts';
import { eventually } from '../harness/eventually.ts';

const flow = provisionFlow([{ stage: 'One', run: async () => done() }]);
const leaseMillis = 60_000;

async function join(database: Database): Promise<string> {
  const replicaId = crypto.randomUUID();
  await joinReplicas({ database, replicaId, host: 'test', process: 1 });
  return replicaId;
}

async function claim(database: Database, replicaId: string, limit = 10) {
  const { claimed } = await claimOperations({
    ...{ database, replicaId, leaseMillis, limit, kinds: ['Provision'], stages: ['Provision/One'], except: [] },
    strangeAfterMillis: 0,
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

test('a replica whose sign of life is being committed while it is given up keeps what it runs', async () => {
  const { database } = await migratedDatabase();
  const late = await join(database);
  await provision(database, flow);
  const guard = guardOf(late, await claim(database, late));
  await sql`UPDATE replica SET seen = now() - interval '1 hour'`.execute(database.kysely);
  const signOfLife = statement('sign-of-life', 'UPDATE replica SET seen = now()');
  const taking = await database.transaction(async (transaction) => {
    await transaction.run(signOfLife, []);
    const taken = takeOver({ database, leaseMillis });
    await eventually('the takeover to wait for the sign of life', async () => {
      const { rows } = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database.kysely);
      return rows.length > 0;
    });
    return { taken };
  });
  assert.deepEqual(await taking.taken, []);
  assert.equal((await beat({ database, replicaId: late, leaseMillis })).alive, true);
  const committed = await commitUnchangedLook({ database, guard, looks: 1, hold: { kind: 'keep' } });
  assert.equal(committed.landed, true);
});
