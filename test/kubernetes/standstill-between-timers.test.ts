import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dispatcher } from 'undici';
import { refuseAfterStandstill, tick } from '../../src/kubernetes/refuse-after-standstill.ts';
import { eventually } from '../harness/eventually.ts';

function standStill(millis: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis);
}

test('a process that stood still between its timers and the time being noted sends nothing before they have run again', async () => {
  let due = false;
  // Three timers of the same duration, the middle one being that which notes the time; held up, they run in one turn.
  setTimeout(() => {
    due = true;
  }, tick);
  const outcomes: string[] = [];
  const dispatch = refuseAfterStandstill((_, handler) => {
    // What undici does when it writes the head of a request.
    handler.onRequestStart?.({ abort: (reason: Error) => outcomes.push(reason.name) } as never, undefined);
    return true;
  });
  const send = () => {
    const handler: Dispatcher.DispatchHandler = { onRequestStart: () => void outcomes.push('sent') };
    dispatch({ method: 'POST', path: '/', origin: 'https://nowhere' }, handler);
  };
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  setTimeout(() => setImmediate(() => resolve(send())), tick);
  setTimeout(() => standStill(100), tick - 50);
  // In each turn ahead of what the timers of that turn have put off to its end.
  const beforeTheEnd = () => (due ? standStill(3_000) : void setImmediate(beforeTheEnd));
  beforeTheEnd();

  send();
  assert.deepEqual(outcomes, ['sent']);
  await sent;
  assert.deepEqual(outcomes, ['sent', 'StoodStill']);
  await eventually('it to go on', () => {
    send();
    return outcomes.at(-1) === 'sent';
  });
});
