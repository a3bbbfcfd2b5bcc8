import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RequestBudget } from '../../src/kubernetes/request-budget.ts';

const settings = fc.record({ perSecond: fc.integer({ min: 1, max: 200 }), burst: fc.integer({ min: 1, max: 50 }) });
/** What callers do, and how many milliseconds pass before the next thing. */
const step = fc.record({
  asks: fc.integer({ min: 0, max: 30 }),
  pause: fc.option(fc.integer({ min: 1, max: 3_000 }), { freq: 8, nil: undefined }),
  passes: fc.integer({ min: 0, max: 700 }),
});

test('in no stretch of time go more requests than the budget has, none goes in a pause, and all of one party go in order', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  await fc.assert(
    fc.asyncProperty(settings, fc.array(step, { minLength: 1, maxLength: 12 }), async ({ perSecond, burst }, steps) => {
      const budget = new RequestBudget({ perSecond, burst, clock: Date });
      const went: { asked: number; at: number }[] = [];
      const pauses: { from: number; to: number }[] = [];
      let asked = 0;
      for (const { asks, pause, passes } of steps) {
        for (let ask = 0; ask < asks; ask += 1) {
          const number = asked++;
          void budget.take().then(() => went.push({ asked: number, at: Date.now() }));
        }
        await settle();
        if (pause !== undefined) {
          budget.pause(pause);
          pauses.push({ from: Date.now(), to: Date.now() + pause });
        }
        await advance(t.mock.timers, passes);
      }
      await advance(t.mock.timers, Math.ceil((asked / perSecond) * 1_000) + 4_000);

      assert.deepEqual(
        went.map((one) => one.asked),
        Array.from({ length: asked }, (_, index) => index),
      );
      for (const [first, { at: from }] of went.entries()) {
        for (const [last, { at: to }] of went.entries()) {
          if (last < first) continue;
          const most = burst + ((to - from) / 1_000) * perSecond;
          assert.ok(last - first + 1 <= most + 1e-6, `${last - first + 1} requests within ${to - from} ms`);
        }
      }
      for (const { from, to } of pauses) {
        assert.ok(!went.some(({ at }) => at > from && at < to), 'a request went in a pause');
      }
    }),
    { numRuns: 60 },
  );
});

test('who gives up makes room for the next, and hears the reason', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const budget = new RequestBudget({ perSecond: 1, burst: 1, clock: Date });
  await budget.take();
  const gone = new AbortController();
  const first = budget.take({ signal: gone.signal });
  const second = budget.take({ signal: AbortSignal.timeout(60_000) });
  gone.abort(new Error('not ours any more'));
  await assert.rejects(first, /not ours any more/);
  assert.equal(budget.waiting, 1);
  t.mock.timers.tick(1_000);
  await second;
  assert.equal(budget.waiting, 0);
  await assert.rejects(budget.take({ signal: gone.signal }), /not ours any more/);
});

test('a party with one request does not stand behind the thousand requests of another', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const budget = new RequestBudget({ perSecond: 10, burst: 1, clock: Date });
  const went: string[] = [];
  const ask = (party: string, name: string) => void budget.take({ party }).then(() => went.push(name));
  await budget.take();
  for (let number = 0; number < 1_000; number += 1) ask('many', `many ${number}`);
  await advance(t.mock.timers, 200);
  ask('few', 'few 0');
  ask('few', 'few 1');
  ask('one', 'one');
  assert.equal(budget.waiting, 1_001);
  await advance(t.mock.timers, 600);
  assert.deepEqual(went, ['many 0', 'many 1', 'many 2', 'few 0', 'one', 'many 3', 'few 1', 'many 4']);
});

test('a party that gives up keeps its turn for its next request, and leaves none when it has no other', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const budget = new RequestBudget({ perSecond: 10, burst: 1, clock: Date });
  const went: string[] = [];
  const ask = (party: string, signal?: AbortSignal) =>
    budget.take({ party, signal }).then(
      () => went.push(party),
      () => went.push(`${party} gave up`),
    );
  await budget.take();
  const gone = new AbortController();
  const asked = [ask('first', gone.signal), ask('second', gone.signal), ask('third'), ask('first')];
  gone.abort();
  await advance(t.mock.timers, 300);
  await Promise.all(asked);
  assert.deepEqual(went, ['first gave up', 'second gave up', 'first', 'third']);
  assert.equal(budget.waiting, 0);
});

async function advance(timers: { tick(milliseconds: number): void }, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 5) {
    timers.tick(Math.min(5, milliseconds - passed));
    await settle();
  }
}

/** Lets what has been resolved be heard. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
}
