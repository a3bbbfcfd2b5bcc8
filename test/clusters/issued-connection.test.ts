import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import type { IssuedKubeconfig } from '../../src/clusters/cluster-driver.ts';
import { issuedConnection } from '../../src/clusters/issued-connection.ts';
import { Secret } from '../../src/domain/secret.ts';
import { silentLog } from '../harness/silent-log.ts';

const hour = 3_600_000;

function world() {
  const state = { now: 0, issued: 0, failure: undefined as Error | undefined };
  const issue = async (): Promise<IssuedKubeconfig> => {
    if (state.failure) throw state.failure;
    state.issued += 1;
    const text = stringify({
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      clusters: [{ name: 'a', cluster: { server: 'https://api.example' } }],
      users: [{ name: 'a', user: { token: `token-${state.issued}` } }],
    });
    return { kubeconfig: new Secret(text), expiresAt: new Date(state.now + hour) };
  };
  return { state, source: issuedConnection({ issue, clock: { now: () => state.now }, log: silentLog }) };
}

test('all who wait share one kubeconfig', async () => {
  const { state, source } = world();
  const [one, two] = await Promise.all([source.current(), source.current()]);
  assert.equal(one, two);
  assert.equal(await source.current(), one);
  assert.equal(state.issued, 1);
});

test('it is renewed at 60 % of its lifetime, not before', async () => {
  const { state, source } = world();
  const first = await source.current();
  state.now = hour * 0.59;
  assert.equal(await source.current(), first);
  state.now = hour * 0.6;
  assert.notEqual(await source.current(), first);
  assert.equal(state.issued, 2);
});

test('while it cannot be renewed the old one is used, until it expires', async () => {
  const { state, source } = world();
  const first = await source.current();
  state.failure = new Error('down');
  state.now = hour * 0.9;
  assert.equal(await source.current(), first);
  state.now = hour;
  await assert.rejects(source.current(), /down/);
  state.failure = undefined;
  assert.notEqual(await source.current(), first);
});

test('a refused one is replaced, but a cluster that refuses them all is not given one per request', async () => {
  const { state, source } = world();
  const first = await source.current();
  state.now = 60_000;
  const second = await source.current({ rejected: first });
  assert.notEqual(second, first);
  state.now += 1_000;
  assert.equal(await source.current({ rejected: second }), second);
  assert.equal(await source.current({ rejected: first }), second, 'somebody else has renewed it already');
  assert.equal(state.issued, 2);
});
