import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatheredReads } from '../../src/db/gathered-reads.ts';

interface Statement {
  readonly keys: readonly number[];
  answer(): void;
  fail(error: Error): void;
}

/** Reads whose statements are answered by hand: with each key doubled, and nothing for a key below 0. */
function byHand(limits: { atOnce?: number; largest?: number } = {}) {
  const statements: Statement[] = [];
  const reads = new GatheredReads<number, number>({
    ...limits,
    read: (keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<(number | undefined)[]>();
      const answer = () => resolve(keys.map((key) => (key < 0 ? undefined : 2 * key)));
      statements.push({ keys, answer, fail: reject });
      return promise;
    },
  });
  const sent = async () => {
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    return statements.map(({ keys }) => keys);
  };
  return { reads, statements, sent };
}

test('reads of one moment go in one statement, and each gets what it asked for', async () => {
  const { reads, statements, sent } = byHand();
  const all = Promise.all([1, -1, 3, 1].map((key) => reads.read(key)));
  assert.deepEqual(await sent(), [[1, -1, 3, 1]]);
  statements[0]?.answer();
  assert.deepEqual(await all, [2, undefined, 6, 2]);
});

test('reads that come while as many statements run as may gather for the next one', async () => {
  const { reads, statements, sent } = byHand({ atOnce: 2 });
  const found: Promise<number | undefined>[] = [];
  for (const key of [1, 2, 3, 4]) {
    found.push(reads.read(key));
    await sent();
  }
  assert.deepEqual(await sent(), [[1], [2]]);
  statements[1]?.answer();
  assert.deepEqual(await sent(), [[1], [2], [3, 4]]);
  for (const { answer } of statements) answer();
  assert.deepEqual(await Promise.all(found), [2, 4, 6, 8]);
});

test('a statement carries no more than it may', async () => {
  const { reads, statements, sent } = byHand({ atOnce: 1, largest: 2 });
  const all = Promise.all([1, 2, 3].map((key) => reads.read(key)));
  assert.deepEqual(await sent(), [[1, 2]]);
  statements[0]?.answer();
  assert.deepEqual(await sent(), [[1, 2], [3]]);
  statements[1]?.answer();
  assert.deepEqual(await all, [2, 4, 6]);
});

test('a statement that fails fails for all in it, and for nobody else', async () => {
  const { reads, statements, sent } = byHand();
  const first = Promise.allSettled([reads.read(1), reads.read(2)]);
  await sent();
  const second = reads.read(3);
  await sent();
  const error = new Error('connection lost');
  statements[0]?.fail(error);
  statements[1]?.answer();
  assert.deepEqual(
    await first,
    [1, 2].map(() => ({ status: 'rejected', reason: error })),
  );
  assert.equal(await second, 6);
});
