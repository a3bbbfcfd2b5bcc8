import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ConnectionObservation } from '../../src/agent/runtime-agent.ts';
import { ConnectionObservations, type LookTimes } from '../../src/api/connection-observations.ts';
import { Failure } from '../../src/domain/failures.ts';
import { newRuntimeId, parseTenant, type RuntimeId } from '../../src/domain/ids.ts';
import { configs } from '../clusters/gardener/orders.ts';
import { eventually } from '../harness/eventually.ts';
import { silentLog } from '../harness/silent-log.ts';

const connected: ConnectionObservation = { state: 'connected', message: 'Synchronized' };
const disconnected: ConnectionObservation = { state: 'disconnected', message: 'lost', error: 'token expired' };
const pending: ConnectionObservation = { state: 'pending', message: 'not there' };
const never = () => new Promise<ConnectionObservation>(() => undefined);

const one = runtimeOf(newRuntimeId());

function runtimeOf(id: RuntimeId) {
  const cluster = { driver: 'gardener' as const, name: 'c-1', config: configs.gcp, domain: undefined, seed: undefined };
  const kyma = { installer: 'modules', version: 'fast' } as const;
  return { id, tenant: parseTenant('tenant-a'), subAccount: undefined, cluster, kyma };
}

/** A cluster that answers with what `answers` holds, in turn, and time that stands until it is moved. */
function world(answers: (() => Promise<ConnectionObservation>)[], times: Partial<LookTimes> = {}) {
  let now = Date.parse('2026-11-20T12:00:00Z');
  let looks = 0;
  const observations = new ConnectionObservations({
    observe: () => {
      looks += 1;
      const answer = answers.shift();
      assert.ok(answer, 'this look was not expected');
      return answer();
    },
    clock: { now: () => now },
    times: { patience: 30_000, ...times },
    log: silentLog,
  });
  const look = async (version = 'v', runtime = one) => {
    const { last, trouble } = await observations.look(runtime, version);
    return { state: last?.observation.state, at: last?.at.toISOString().slice(11, 19), trouble };
  };
  return {
    look,
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
    get looks() {
      return looks;
    },
  };
}

const answering = (seen: ConnectionObservation) => async () => seen;
const failing = (error: Error) => async () => {
  throw error;
};

test('many callers at once cause one look, and each Runtime has its own', async () => {
  const { look } = world([answering(connected), answering(disconnected)]);
  const other = runtimeOf(newRuntimeId());
  const seen = await Promise.all([look(), look(), look('v', other), look(), look('v', other)]);
  assert.deepEqual(
    seen.map(({ state }) => state),
    ['connected', 'connected', 'disconnected', 'connected', 'disconnected'],
  );
});

describe('an observation counts for a while', () => {
  for (const { seen, seconds } of [
    { seen: connected, seconds: 15 },
    { seen: disconnected, seconds: 2 },
    { seen: pending, seconds: 2 },
  ]) {
    test(`${seen.state}: ${seconds} s, then the cluster is asked again`, async () => {
      const it = world([answering(seen), answering(connected)]);
      await it.look();
      it.pass(seconds - 0.001);
      assert.deepEqual(await it.look(), { state: seen.state, at: '12:00:00', trouble: undefined });
      it.pass(0.001);
      assert.deepEqual(await it.look(), {
        state: 'connected',
        at: `12:00:${String(seconds).padStart(2, '0')}`,
        trouble: undefined,
      });
    });
  }
});

test('what was seen before something happened does not count', async () => {
  const it = world([answering(pending), answering(connected)]);
  await it.look('connecting');
  assert.equal((await it.look('finished')).state, 'connected');
});

test('a cluster that does not answer leaves what was last known, and is left in peace for a while', async () => {
  const it = world([
    answering(connected),
    failing(new Error('connect ECONNREFUSED 10.0.0.1')),
    answering(disconnected),
  ]);
  await it.look();
  it.pass(15);
  const troubled = { state: 'connected', at: '12:00:00', trouble: 'the cluster does not answer' };
  assert.deepEqual(await it.look(), troubled);
  it.pass(4.999);
  assert.deepEqual(await it.look(), troubled);
  it.pass(0.001);
  assert.deepEqual(await it.look(), { state: 'disconnected', at: '12:00:20', trouble: undefined });
});

test('the words of a failure that is meant for callers are passed on', async () => {
  const { look } = world([failing(new Failure('KUBECONFIG_REFUSED', 'the cluster sleeps'))]);
  assert.deepEqual(await look(), { state: undefined, at: undefined, trouble: 'the cluster sleeps' });
});

test('a slow look holds nobody up for longer than the bound, and is answered when it is there', async () => {
  const slow = Promise.withResolvers<ConnectionObservation>();
  const it = world([() => slow.promise], { patience: 50 });
  const waiting = { state: undefined, at: undefined, trouble: 'the cluster has not answered within 0.05 s' };
  assert.deepEqual(await it.look(), waiting);
  assert.deepEqual(await Promise.race([it.look(), it.look()]), waiting, 'later callers do not begin to wait anew');
  assert.equal(it.looks, 1);
  slow.resolve(connected);
  const answered = await eventually('the look to be over', async () => {
    const seen = await it.look();
    return seen.trouble === undefined && seen;
  });
  assert.deepEqual(answered, { state: 'connected', at: '12:00:00', trouble: undefined });
  assert.equal(it.looks, 1);
});

test('a look that never ends is given up, and the next one may succeed', async () => {
  const it = world([never, answering(connected)], { look: 20 });
  assert.deepEqual(await it.look(), { state: undefined, at: undefined, trouble: 'the cluster does not answer' });
  it.pass(5);
  assert.equal((await it.look()).state, 'connected');
});
