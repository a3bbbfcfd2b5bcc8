import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import { laterOf, parseSnapshot, shows } from '../../src/db/snapshot.ts';
import { statement } from '../../src/db/statement.ts';
import { migratedDatabase } from '../engine/support/engine-fixture.ts';

const visible = statement<{ shown: boolean }>(
  'test-visible',
  'SELECT pg_visible_in_snapshot($1::xid8, $2::pg_snapshot) AS shown',
);
const read = statement<{ text: string }>('test-read-snapshot', 'SELECT $1::pg_snapshot::text AS text');

/** Texts of snapshots as PostgreSQL may write them. */
const snapshotTexts = fastCheck
  .record({
    floor: fastCheck.integer({ min: 1, max: 50 }),
    gaps: fastCheck.array(fastCheck.boolean(), { maxLength: 20 }),
  })
  .map(({ floor, gaps }) => {
    const inProgress = gaps.flatMap((gap, index) => (gap || index === 0 ? [floor + index] : []));
    return `${floor}:${floor + gaps.length}:${inProgress.join(',')}`;
  });

test('what a snapshot shows is what PostgreSQL says that it shows', async () => {
  const { database } = await migratedDatabase();
  await fastCheck.assert(
    fastCheck.asyncProperty(snapshotTexts, fastCheck.integer({ min: 1, max: 80 }), async (text, transaction) => {
      const snapshot = parseSnapshot(text) ?? assert.fail(text);
      const [row] = await database.run(visible, [String(transaction), text]);
      assert.equal(shows(snapshot, BigInt(transaction)), row?.shown);
    }),
    { numRuns: 300 },
  );
});

test('only what PostgreSQL reads is read', async () => {
  const { database } = await migratedDatabase();
  const wrong = ['', '1', '1:2', '1:2:3', '3:2:', '1:9:4,3', '5:9:4', '0:1:', '1:5:5', '-1:5:', '1:5:2;', 'a:b:'];
  for (const text of wrong) {
    assert.equal(parseSnapshot(text), undefined, text);
    await assert.rejects(database.run(read, [text]), /pg_snapshot/, text);
  }
  for (const text of ['1:1:', '5:9:5,7,8', '123456789012:123456789019:123456789013']) {
    assert.equal(parseSnapshot(text)?.text, text);
    assert.deepEqual(await database.run(read, [text]), [{ text }]);
  }
});

test('of two snapshots the later one is the one that shows more', () => {
  const order = ['5:5:', '5:7:5,6', '5:7:5', '7:7:', '7:9:7,8'].map((text) => parseSnapshot(text) ?? assert.fail(text));
  for (const [index, later] of order.entries()) {
    for (const earlier of order.slice(0, index)) {
      assert.equal(laterOf(earlier, later), later);
      assert.equal(laterOf(later, earlier), later);
    }
  }
});
