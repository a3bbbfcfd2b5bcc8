import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Dispatcher } from 'undici';
import { directorConnector } from '../../src/director/director-tls.ts';
import { DirectorUnavailable } from '../../src/director/director-unavailable.ts';
import { directorConnections } from '../../src/director/http-exchange.ts';
import { OAuthTokens } from '../../src/director/oauth-tokens.ts';
import { silentLog } from '../harness/silent-log.ts';
import { type DirectorWorld, startDirectorWorld } from './director-world.ts';

let world: DirectorWorld;
let dispatcher: Dispatcher;
let now = 0;
let readings = 0;

before(async () => {
  world = await startDirectorWorld();
  dispatcher = directorConnections(directorConnector({}, silentLog));
});
beforeEach(() => {
  world.requests.clear();
  world.faults.clear();
  world.accessTokens.lifetimeSeconds = 3600;
  readings = 0;
});
after(async () => {
  await dispatcher.close();
  await world.stop();
});

function tokens(): OAuthTokens {
  const readCredentials = async () => {
    readings += 1;
    return world.credentials;
  };
  return new OAuthTokens({ readCredentials, dispatcher, clock: { now: () => now } });
}

const fetched = () => world.requests.counters()['oauth POST'] ?? 0;

test('a token is used until a minute before it expires', async () => {
  const some = tokens();
  const first = await some.token();
  now += 3_539_000;
  assert.equal(await some.token(), first);
  now += 2_000;
  assert.notEqual(await some.token(), first);
  assert.equal(fetched(), 2);
});

test('a token that lives for a second is used once', async () => {
  world.accessTokens.lifetimeSeconds = 1;
  const some = tokens();
  await some.token();
  await some.token();
  assert.equal(fetched(), 2);
});

test('however many callers need a token, one request fetches it', async () => {
  const some = tokens();
  const all = await Promise.all(Array.from({ length: 50 }, () => some.token()));
  assert.equal(new Set(all).size, 1);
  assert.equal(fetched(), 1);
});

test('a caller who gives up does not end the request for the others', async () => {
  world.faults.add({ target: 'oauth', count: 1, action: { kind: 'delay', milliseconds: 50 } });
  const some = tokens();
  const controller = new AbortController();
  const impatient = some.token(controller.signal);
  const patient = some.token();
  controller.abort(new Error('gave up'));
  await assert.rejects(impatient, /gave up/);
  assert.ok((await patient).reveal().length > 0);
  assert.equal(fetched(), 1);
});

test('only the newest token can be rejected', async () => {
  const some = tokens();
  const first = await some.token();
  some.reject(first);
  const second = await some.token();
  some.reject(first);
  assert.equal(await some.token(), second);
});

test('credentials are read again for each request, and a failed one is not remembered', async () => {
  world.faults.add({ target: 'oauth', count: 1, action: { kind: 'status', status: 503, body: 'down' } });
  const some = tokens();
  await assert.rejects(some.token(), /HTTP 503/);
  await some.token();
  assert.equal(readings, 2);
});

test('credentials that cannot be read are trouble that may heal', async () => {
  const some = new OAuthTokens({ readCredentials: () => Promise.reject(new Error('no Secret')), dispatcher });
  await assert.rejects(some.token(), (error) => {
    assert.ok(error instanceof DirectorUnavailable);
    assert.equal(error.fate, 'not-done');
    assert.match(error.message, /no Secret/);
    return true;
  });
});

test('an answer that holds no token is not repeated in the error', async () => {
  const body = { access_token: 'do-not-show', expires_in: 'soon' };
  world.faults.add({ target: 'oauth', count: 1, action: { kind: 'status', status: 200, body } });
  await assert.rejects(tokens().token(), (error) => {
    assert.ok(error instanceof Error);
    assert.doesNotMatch(error.message, /do-not-show/);
    return true;
  });
});
