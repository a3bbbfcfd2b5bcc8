import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../src/domain/failures.ts';
import { done, fail, type Outcome, wait } from '../../src/domain/outcome.ts';
import {
  cancel,
  ended,
  history,
  migratedDatabase,
  newRuntime,
  provision,
  startEngine,
} from './support/engine-fixture.ts';
import { provisionFlow } from './support/flows.ts';

/** What a stage does at each of its looks; after the last it is done. */
const looks = fc.array(fc.constantFrom('wait', 'throw'), { maxLength: 2 });
const stages = fc.array(fc.record({ looks, ends: fc.constantFrom('done', 'done', 'done', 'fail') }), {
  minLength: 1,
  maxLength: 3,
});
/** At which look of all, and whether before it, while it looks (heeding its signal or not), or right after it. */
const moment = fc.record({
  look: fc.nat({ max: 8 }),
  when: fc.constantFrom('as it begins', 'deaf', 'heeding', 'after'),
});

test('whenever it is cancelled, an operation ends once, in one of the honest ways', async () => {
  const { database } = await migratedDatabase();
  const plans = new Map<string, (signal: AbortSignal) => Promise<Outcome>>();
  const stepOf = (stage: string) => ({
    stage,
    run: async ({ runtime, signal }: { runtime: { name: string }; signal: AbortSignal }) => {
      const plan = plans.get(`${runtime.name}/${stage}`);
      return plan === undefined ? done() : plan(signal);
    },
  });
  const left = ['cluster a: exists'];
  const flow = provisionFlow(['One', 'Two', 'Three'].map(stepOf), { onCancelled: async () => ({ residue: left }) });
  await startEngine({ database, flows: [flow], timing: { retry: { from: 1, upTo: 2 } } });

  let runs = 0;
  await fc.assert(
    fc.asyncProperty(stages, moment, async (planned, { look, when }) => {
      runs += 1;
      const name = `run-${runs}`;
      const accepted = Promise.withResolvers<Awaited<ReturnType<typeof provision>>>();
      let seen = 0;
      /** Looks that have begun after the request was stored and told. */
      let asked = false;
      let begunAfter = 0;
      const request = async () => {
        const answer = await cancel(database, await accepted.promise);
        asked = true;
        return answer;
      };
      planned.forEach(({ looks, ends }, index) => {
        const rest = [...looks];
        plans.set(`${name}/${['One', 'Two', 'Three'][index]}`, async (signal) => {
          if (asked) begunAfter += 1;
          const isMoment = seen === look;
          seen += 1;
          if (isMoment && when === 'as it begins') void request();
          if (isMoment && (when === 'deaf' || when === 'heeding')) await request();
          if (isMoment && when === 'heeding') signal.throwIfAborted();
          if (isMoment && when === 'after') setImmediate(() => void request());
          const next = rest.shift();
          if (next === 'throw') throw new Error('not yet');
          if (next === 'wait') return wait({ message: `waiting ${rest.length}`, lookAgain: { from: 1, upTo: 1 } });
          return ends === 'done' ? done() : fail(new Failure('CLUSTER_LOST', 'it is gone'));
        });
      });
      const operation = await provision(database, flow, newRuntime({ name }));
      accepted.resolve(operation);
      const asEnded = await ended(database, operation);
      const events = await history(database, operation.id);
      const types = events.map(({ type }) => type);

      assert.deepEqual(
        events.map(({ sequence }) => sequence),
        events.map((_, index) => index + 1),
      );
      const endings = types.filter((type) => ['Succeeded', 'Failed', 'Cancelled'].includes(type));
      assert.equal(endings.length, 1);
      const requested = types.includes('CancelRequested');
      const last = types.at(-1);
      const expected = {
        Cancelled: { state: 'Failed', cancellation: { outcome: 'Residue', residue: left } },
        Succeeded: { state: 'Succeeded', cancellation: requested ? { outcome: 'TooLate' } : undefined },
        Failed: { state: 'Failed', cancellation: requested ? { outcome: 'TooLate' } : undefined },
      }[last as 'Cancelled' | 'Succeeded' | 'Failed'];
      assert.deepEqual({ state: asEnded.state, cancellation: asEnded.cancellation }, expected);
      assert.equal(asEnded.lastError?.code === 'OPERATION_CANCELLED', last === 'Cancelled');
      if (last === 'Cancelled') assert.ok(requested);
      // The engine hears of it a moment after it was stored: one look may have begun by then.
      assert.ok(begunAfter <= 1, `${begunAfter} looks began after the request`);
      // From the request on a stage may still end, and another be entered, but nothing is waited for any more.
      const afterwards = requested ? types.slice(types.indexOf('CancelRequested') + 1) : [];
      const stagesDone = afterwards.filter((type) => type === 'StageDone').length;
      assert.ok(stagesDone <= 2, afterwards.join());
    }),
    { numRuns: 60 },
  );
});
