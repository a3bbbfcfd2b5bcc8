import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import {
  findKymaArtifact,
  findKymaCatalogue,
  hasKymaArtifact,
  keepKymaArtifact,
  keepKymaCatalogue,
} from '../../src/db/queries/kyma-files.ts';
import { migratedDatabase } from '../engine/support/engine-fixture.ts';

const { database } = await migratedDatabase();

const keep = async (content: Buffer, mostBytes?: number) => {
  const sha256 = createHash('sha256').update(content).digest('hex');
  await keepKymaArtifact({ database, sha256, content, ...(mostBytes !== undefined && { mostBytes }) });
  return sha256;
};

test('an artifact comes back byte by byte, and is kept once', async () => {
  const content = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, index) => index % 256));
  const sha256 = await keep(content);
  await keep(content);
  assert.ok(content.equals((await findKymaArtifact({ database, sha256 })) ?? Buffer.alloc(0)));
  assert.equal(await hasKymaArtifact({ database, sha256 }), true);
  const other = 'a'.repeat(64);
  assert.equal(await findKymaArtifact({ database, sha256: other }), undefined);
  assert.equal(await hasKymaArtifact({ database, sha256: other }), false);
});

test('the artifacts that were not used for longest make room, never the one that is kept now', async () => {
  const content = (text: string) => Buffer.from(text.repeat(100));
  const all = await Promise.all(['a', 'b', 'c'].map((text) => keep(content(text))));
  await sql`UPDATE kyma_artifact SET used_at = now() - interval '2 days'`.execute(database.kysely);
  const [oldest, used, unused] = all;
  assert.ok(oldest && used && unused);
  await sql`UPDATE kyma_artifact SET used_at = now() - interval '3 days' WHERE sha256 = ${oldest}`.execute(
    database.kysely,
  );
  await findKymaArtifact({ database, sha256: used });
  const newest = await keep(content('d'), 250);
  const left = [];
  for (const sha256 of [...all, newest]) if (await hasKymaArtifact({ database, sha256 })) left.push(sha256);
  assert.deepEqual(left, [used, newest]);
  const large = await keep(content('e'), 50);
  assert.equal(await hasKymaArtifact({ database, sha256: large }), true);
  assert.equal(await hasKymaArtifact({ database, sha256: newest }), false);
});

test('the last contents of a catalogue are kept by their address', async () => {
  const url = 'https://kyma.example.com/catalogue.json';
  assert.equal(await findKymaCatalogue({ database, url }), undefined);
  await keepKymaCatalogue({ database, url, catalogue: { content: '{"a":1}', etag: undefined } });
  await keepKymaCatalogue({ database, url, catalogue: { content: '{"a":2}', etag: '"2"' } });
  assert.deepEqual(await findKymaCatalogue({ database, url }), { content: '{"a":2}', etag: '"2"' });
});
