import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { findInstallation } from '../../src/db/queries/installation.ts';
import { judgeOwned } from '../../src/db/queries/judge-owned.ts';
import { claimOrphanSearches, type OrphanScope, settleOrphanSearch } from '../../src/db/queries/orphan-searches.ts';
import { closeOrphans, listOrphan } from '../../src/db/queries/orphans.ts';
import type { OrphanSource } from '../../src/domain/orphan.ts';
import type { OwnedObject } from '../../src/domain/owned-objects.ts';
import { type StoredRuntime, storeRuntime } from '../api/stored-runtimes.ts';
import { migratedDatabase } from '../engine/support/engine-fixture.ts';

const { database } = await migratedDatabase();
const { kysely } = database;
const installation = await findInstallation({ database });

function seen(runtimeId: string, object: Partial<OwnedObject> = {}): OwnedObject {
  const marks = { installation, tenantMark: undefined, createdAt: undefined };
  return { uid: crypto.randomUUID(), name: 'demo', place: '', runtimeId, ...marks, ...object };
}

async function judged(object: OwnedObject, source: OrphanSource = 'gardener'): Promise<string | undefined> {
  const orphans = await judgeOwned({ database, source, installation, objects: [object], unregistered: ['ours'] });
  return orphans[0]?.reason;
}

async function withCluster(stored: StoredRuntime = {}): Promise<{ id: string; name: string }> {
  const id = await storeRuntime(database, stored);
  const { cluster_name: name } = await kysely
    .selectFrom('runtime')
    .select('cluster_name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, name };
}

describe('what is seen outside is an orphan', () => {
  test('when no Runtime has it, and this installation made it', async () => {
    const unknown = crypto.randomUUID();
    assert.equal(await judged(seen(unknown)), 'RuntimeUnknown');
    assert.equal(await judged(seen(unknown, { installation: undefined })), undefined);
    assert.equal(await judged(seen(unknown, { installation: crypto.randomUUID() })), undefined);
  });

  test('when its Runtime has another cluster', async () => {
    const { id, name } = await withCluster();
    assert.equal(await judged(seen(id, { name })), undefined);
    assert.equal(await judged(seen(id, { name: `${name}-2` })), 'NotTheCluster');
    assert.equal(await judged(seen(id, { name, place: 'elsewhere' })), 'NotTheCluster');
    assert.equal(await judged(seen(id, { name }), 'gke'), 'NotTheCluster');
    assert.equal(await judged(seen(id, { name: `${name}-2`, installation: undefined })), undefined);
  });

  test('when its Runtime is deprovisioned, unless something of ours is still to come', async () => {
    const { id, name } = await withCluster({ deleted: true });
    assert.equal(await judged(seen(id, { name })), 'RuntimeDeprovisioned');
    assert.equal(await judged(seen(id, { name, installation: undefined })), 'RuntimeDeprovisioned');
    assert.equal(await judged(seen(id, { installation: undefined })), undefined, 'another name, and no mark');
    await sql`UPDATE runtime SET creation_settles_at = now() + interval '1 minute' WHERE id = ${id}`.execute(kysely);
    assert.equal(await judged(seen(id, { name })), undefined, 'a creation that may still take effect');
    const busy = await withCluster({ deleted: true, operation: { kind: 'Deprovision', state: 'InProgress' } });
    assert.equal(await judged(seen(busy.id, { name: busy.name })), undefined, 'an operation in progress');
  });

  test('in the Director, when nothing stands for it and it was not to stay', async () => {
    const unknown = crypto.randomUUID();
    const intent = crypto.randomUUID();
    assert.equal(await judged(seen(unknown, { intent }), 'director'), 'RuntimeUnknown');
    await kysely.insertInto('registration_intent').values({ id: intent, tenant: 'tenant-a' }).execute();
    assert.equal(await judged(seen(unknown, { intent }), 'director'), undefined, 'an intent stands for it');
    const { id } = await withCluster({ deleted: true });
    await sql`UPDATE runtime SET registration = 'ours' WHERE id = ${id}`.execute(kysely);
    assert.equal(await judged(seen(id), 'director'), 'RuntimeDeprovisioned');
    await sql`UPDATE runtime SET registration = 'callers' WHERE id = ${id}`.execute(kysely);
    assert.equal(await judged(seen(id), 'director'), undefined, "the caller's own");
    assert.equal(await judged(seen((await withCluster()).id), 'director'), undefined, 'of a Runtime that exists');
  });
});

test('a scope is searched by one replica at a time, and again when it is due', async () => {
  const claim = async () =>
    (await claimOrphanSearches({ database, sources: ['gardener'], everyMilliseconds: 60_000, limit: 10 })).length;
  assert.deepEqual(await Promise.all([claim(), claim(), claim()]).then((claims) => claims.toSorted()), [0, 0, 1]);
  await sql`UPDATE orphan_search SET due_at = now()`.execute(kysely);
  assert.equal(await claim(), 1);
  await sql`UPDATE orphan_search SET due_at = now()`.execute(kysely);
  await settleOrphanSearch({ database, scope: { source: 'gardener', scope: '' }, restMilliseconds: 600_000 });
  assert.equal(await claim(), 0, 'it rests');
});

test('what was found after a search had begun is not taken for gone by it', async () => {
  const scope: OrphanScope = { source: 'gardener', scope: '' };
  const before = new Date(Date.now() - 60_000);
  const found = { object: seen(crypto.randomUUID()), reason: 'RuntimeUnknown', tenantMark: undefined } as const;
  const first = await listOrphan({ database, scope, found });
  assert.deepEqual([first.isNew, (await listOrphan({ database, scope, found })).isNew], [true, false]);
  assert.deepEqual(await closeOrphans({ database, scope, before, uids: [] }), []);
  const { now } = await kysely.selectNoFrom(sql<Date>`now() + interval '1 second'`.as('now')).executeTakeFirstOrThrow();
  assert.deepEqual(await closeOrphans({ database, scope, before: now, uids: [found.object.uid] }), []);
  const [closed] = await closeOrphans({ database, scope, before: now, uids: [] });
  assert.deepEqual([closed?.id, closed?.goneAt !== undefined], [first.orphan.id, true]);
  const again = await listOrphan({ database, scope, found });
  assert.deepEqual([again.orphan.id, again.orphan.goneAt, again.isNew], [first.orphan.id, undefined, false]);
});
