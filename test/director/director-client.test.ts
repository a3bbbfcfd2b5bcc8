import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { after, afterEach, before, test } from 'node:test';
import { createCertificateAuthority } from '../../landscape/tls/certificate-authority.ts';
import { directorClient } from '../../src/director/director-client.ts';
import { DirectorUnavailable, type Fate } from '../../src/director/director-unavailable.ts';
import { Failure, type FailureCode } from '../../src/domain/failures.ts';
import { newRuntimeId, type RuntimeId, type Tenant } from '../../src/domain/ids.ts';
import type { Logger } from '../../src/domain/logger.ts';
import { Secret } from '../../src/domain/secret.ts';
import { eventually } from '../harness/eventually.ts';
import { silentLog } from '../harness/silent-log.ts';
import { type DirectorWorld, startDirectorWorld, tenantA, tenantB } from './director-world.ts';

const call = { tenant: tenantA };
const clock = { now: () => Date.now() + clockOffset };
let clockOffset = 0;
let world: DirectorWorld;

before(async () => {
  world = await startDirectorWorld({ clock });
});
after(() => world.stop());
afterEach(() => {
  world.faults.clear();
  world.requests.clear();
  // Lets an hour pass, so that no test inherits a hold or a token from the one before.
  clockOffset += 3_600_000;
});

function register(labels: Record<string, unknown> = {}): Promise<RuntimeId> {
  return world.client.register({ name: 'one', description: 'first', labels }, call);
}

function directorAnswers(errorCode: number, details: { count?: number; status?: number; message?: string } = {}): void {
  const { count, status = 200, message = `error ${errorCode}` } = details;
  const errors = [{ message, extensions: { error_code: errorCode, error: `Name${errorCode}` } }];
  const action = { kind: 'status' as const, status, body: { errors, data: null } };
  world.faults.add({ target: 'director', ...(count !== undefined && { count }), action });
}

function failsWith(code: FailureCode, pattern = /./) {
  return (error: unknown) => {
    assert.ok(error instanceof Failure, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, pattern);
    return true;
  };
}

function heals(fate: Fate, pattern = /./) {
  return (error: unknown) => {
    assert.ok(error instanceof DirectorUnavailable, String(error));
    assert.equal(error.fate, fate);
    assert.match(error.message, pattern);
    return true;
  };
}

test('a Runtime is registered, read, labelled, found and unregistered', async () => {
  const id = await register({ team: 'a' });
  assert.deepEqual(await world.client.runtime(id, call), {
    id,
    name: 'one',
    description: 'first',
    labels: { team: 'a', isNormalized: 'true', runtimeType: 'kyma' },
  });
  await world.client.setLabel(id, 'gardenerClusterName', 'c-1', call);
  const found = await world.client.findByLabel('gardenerClusterName', 'c-1', call);
  assert.deepEqual(
    found.map((runtime) => runtime.id),
    [id],
  );
  assert.deepEqual(await world.client.findByLabel('gardenerClusterName', 'c-2', call), []);
  await world.client.unregister(id, call);
  assert.equal(await world.client.runtime(id, call), undefined);
  await world.client.unregister(id, call);
});

test('a status condition keeps name, description and labels, and does not send back what the Director refuses', async () => {
  const id = await register({ team: 'a' });
  const stored = world.director.runtimes.require(tenantA, id);
  Object.assign(stored.labels, { scenarios: ['DEFAULT'], my_defaultEventing: 'true' });
  await world.client.setCondition(id, 'CONNECTED', call);
  assert.equal(stored.condition, 'CONNECTED');
  assert.equal(stored.name, 'one');
  assert.equal(stored.description, 'first');
  const { team, runtimeType, my_defaultEventing } = stored.labels;
  assert.deepEqual(
    { team, runtimeType, my_defaultEventing },
    { team: 'a', runtimeType: 'kyma', my_defaultEventing: 'true' },
  );
});

test('a one-time token is issued, and does not print', async () => {
  const id = await register();
  const { token, connectorURL } = await world.client.requestOneTimeToken(id, call);
  assert.equal(connectorURL, 'https://connector.local/graphql');
  assert.ok(token.reveal().length > 10);
  assert.equal(`${token}`, '[secret]');
});

test('all pages of a search are read', async () => {
  for (let index = 0; index < 205; index++)
    world.director.runtimes.register(tenantA, { name: `r${index}`, labels: { many: 'x' } });
  assert.equal((await world.client.findByLabel('many', 'x', call)).length, 205);
});

test('text from a caller reaches the Director as it is, and is never taken for GraphQL', async () => {
  const description = 'say "hi"\n}) { id } x: unregisterRuntime(id: "1") { id } # \\';
  const id = await world.client.register({ name: 'one', description, labels: { note: description } }, call);
  const stored = await world.client.runtime(id, call);
  assert.equal(stored?.description, description);
  assert.equal(stored?.labels.note, description);
  const name = 'a"\n) { id }';
  await assert.rejects(
    world.client.register({ name, description, labels: {} }, call),
    failsWith('DIRECTOR_REJECTED', /name/),
  );
  assert.deepEqual(await world.client.findByLabel('note', '" or true', call), []);
});

test('a Runtime is known to its tenant only', async () => {
  const id = await register();
  assert.equal(await world.client.runtime(id, { tenant: tenantB }), undefined);
});

test('what the Director refuses is final, and what may heal is not', async () => {
  const cases: { code: number; failure?: FailureCode; status?: number; reason: string }[] = [
    { code: 20, failure: 'DIRECTOR_RUNTIME_NOT_FOUND', reason: 'not found' },
    { code: 21, failure: 'DIRECTOR_CONFLICT', reason: 'not unique' },
    { code: 22, failure: 'DIRECTOR_REJECTED', reason: 'invalid data' },
    { code: 24, failure: 'DIRECTOR_TENANT_INVALID', status: 400, reason: 'tenant required' },
    { code: 25, failure: 'DIRECTOR_TENANT_INVALID', status: 400, reason: 'tenant not found' },
    { code: 27, failure: 'DIRECTOR_REJECTED', reason: 'invalid operation' },
    { code: 23, failure: 'DIRECTOR_UNAUTHORIZED', reason: 'insufficient scopes, with a new token too' },
    { code: 10, reason: 'internal error' },
    { code: 10, status: 400, reason: 'an internal error with another status' },
    { code: 11, reason: 'unknown error' },
    { code: 31, failure: 'DIRECTOR_CONFLICT', reason: 'not a unique name' },
    { code: 29, failure: 'DIRECTOR_REJECTED', reason: 'empty data' },
    { code: 30, failure: 'DIRECTOR_REJECTED', reason: 'inconsistent data' },
    { code: 33, failure: 'DIRECTOR_REJECTED', reason: 'invalid status condition' },
    { code: 28, reason: 'operation timed out' },
    { code: 35, reason: 'concurrent update' },
    { code: 38, reason: 'operation in progress' },
    { code: 32, reason: 'concurrent operation' },
    { code: 409, reason: 'conflict' },
    { code: 999, reason: 'a code that we do not know' },
  ];
  for (const { code, failure, status, reason } of cases) {
    directorAnswers(code, { status, message: `the words of ${code}` });
    const expected = failure ? failsWith(failure, /the words of/) : heals('answered', /the words of/);
    await assert.rejects(register(), expected, reason);
    world.faults.clear();
  }
});

test("a refusal carries the Director's own name for it", async () => {
  await assert.rejects(world.client.register({ name: 'a/b', description: undefined, labels: {} }, call), (error) => {
    assert.ok(error instanceof Failure);
    assert.equal(error.reason, 'InvalidData');
    return true;
  });
  const unknown = { tenant: 'nobody' as Tenant };
  await assert.rejects(
    world.client.runtime(newRuntimeId(), unknown),
    failsWith('DIRECTOR_TENANT_INVALID', /Tenant not found/),
  );
});

test('an answer that is not what the Director would say may heal', async () => {
  const cases: { status: number; body: unknown; fate: Fate; reason: string }[] = [
    { status: 200, body: '<html>maintenance</html>', fate: 'unknown', reason: 'not JSON' },
    { status: 200, body: { hello: 1 }, fate: 'unknown', reason: 'not GraphQL' },
    { status: 200, body: { data: { result: { id: 5 } } }, fate: 'answered', reason: 'not the expected fields' },
    { status: 503, body: 'upstream connect error', fate: 'unknown', reason: 'the gateway has no Director' },
    { status: 504, body: '', fate: 'unknown', reason: 'the gateway gave up' },
  ];
  for (const { status, body, fate, reason } of cases) {
    world.faults.add({ target: 'director', action: { kind: 'status', status, body } });
    await assert.rejects(register(), heals(fate), reason);
    world.faults.clear();
  }
});

test('a refused token is replaced once, and the call goes through', async () => {
  await register();
  world.accessTokens.revokeAll();
  world.requests.clear();
  await register();
  assert.deepEqual(world.requests.counters(), { 'director POST': 2, 'oauth POST': 1 });
  directorAnswers(26, { count: 1 });
  await register();
});

test('a token that is refused again and again ends the call', async () => {
  world.faults.add({ target: 'director', action: { kind: 'status', status: 401, body: 'no' } });
  await assert.rejects(register(), failsWith('DIRECTOR_UNAUTHORIZED', /HTTP 401/));
  assert.equal(world.requests.counters()['director POST'], 2);
});

test('a Director that asks for rest gets it', async () => {
  const headers = { 'retry-after': '7' };
  world.faults.add({ target: 'director', count: 1, action: { kind: 'status', status: 429, headers } });
  await assert.rejects(register(), (error) => {
    assert.ok(error instanceof DirectorUnavailable);
    assert.deepEqual([error.fate, error.retryAfterMilliseconds], ['not-done', 7_000]);
    return true;
  });
  clockOffset += 6_000;
  await assert.rejects(register(), heals('not-done', /asked for 1 s of rest/));
  assert.equal(world.requests.counters()['director POST'], 1);
  clockOffset += 2_000;
  await register();
});

test('a connection that breaks may have had its effect, one that never came to be has not', async () => {
  world.faults.add({ target: 'director', count: 1, action: { kind: 'drop' } });
  await assert.rejects(register(), heals('unknown', /cannot be reached/));
  const elsewhere = directorClient({
    url: 'https://127.0.0.1:1/director/graphql',
    readCredentials: async () => world.credentials,
    log: silentLog,
  });
  await assert.rejects(elsewhere.runtime(newRuntimeId(), call), heals('not-done', /ECONNREFUSED/));
  await elsewhere.close();
});

test('an aborted call ends at once with its reason', async () => {
  world.faults.add({ target: 'director', action: { kind: 'delay', milliseconds: 500 } });
  const stop = new Error('stopped');
  const controller = new AbortController();
  const reading = world.client.runtime(newRuntimeId(), { tenant: tenantA, signal: controller.signal });
  const ended = assert.rejects(reading, (error) => error === stop);
  await eventually('the call has arrived', () => world.faults.list()[0]?.hits === 1);
  controller.abort(stop);
  await ended;
});

test('an answer is waited for as long as the caller has patience, and what becomes of the call is then unknown', async () => {
  world.faults.add({ target: 'director', count: 1, action: { kind: 'delay', milliseconds: 500 } });
  const reading = world.client.runtime(newRuntimeId(), { ...call, patience: 50 });
  await assert.rejects(reading, heals('unknown', /no answer within 0.05 s/));
  world.faults.add({ target: 'director', count: 1, action: { kind: 'delay', milliseconds: 500 } });
  assert.equal(await world.client.runtime(newRuntimeId(), call), undefined);
});

test('a certificate that nobody vouches for is refused, unless verification is off', async () => {
  const strangers = await startServerOfStrangers();
  const options = { url: strangers, readCredentials: async () => world.credentials, log: silentLog };
  const strict = directorClient(options);
  await assert.rejects(strict.runtime(newRuntimeId(), call), heals('not-done', /SELF_SIGNED|UNABLE_TO_VERIFY/));
  const lax = directorClient({ ...options, tls: { skipCertificateVerification: true } });
  await assert.rejects(lax.runtime(newRuntimeId(), call), heals('unknown', /HTTP 404|not a GraphQL/));
  await Promise.all([strict.close(), lax.close()]);
});

test('neither credentials nor tokens are logged', async () => {
  const lines: string[] = [];
  const write = (fields: object, message: string) => void lines.push(`${JSON.stringify(fields)} ${message}`);
  const log: Logger = { debug: write, info: write, warn: write, error: write, child: () => log };
  const client = directorClient({ url: world.url, readCredentials: async () => world.credentials, log });
  const id = await client.register({ name: 'one', description: undefined, labels: {} }, call);
  const { token } = await client.requestOneTimeToken(id, call);
  await client.close();
  assert.ok(lines.length > 0);
  for (const secret of [token.reveal(), world.credentials.clientSecret.reveal(), 'Bearer', 'Basic']) {
    assert.ok(!lines.join('\n').includes(secret), 'a secret was logged');
  }
});

test('credentials that are refused are told apart from an endpoint that is down', async () => {
  const wrong = { ...world.credentials, clientSecret: new Secret('wrong') };
  const refused = directorClient({ url: world.url, readCredentials: async () => wrong, log: silentLog });
  await assert.rejects(refused.runtime(newRuntimeId(), call), failsWith('DIRECTOR_UNAUTHORIZED', /invalid_client/));
  await refused.close();
  world.faults.add({ target: 'oauth', action: { kind: 'drop' } });
  const down = directorClient({ url: world.url, readCredentials: async () => world.credentials, log: silentLog });
  await assert.rejects(down.runtime(newRuntimeId(), call), heals('not-done', /no access token/));
  await down.close();
});

async function startServerOfStrangers(): Promise<string> {
  const { key, certificate } = await (await createCertificateAuthority({ name: 'strangers' })).issueServerCertificate();
  const server = createServer({ key, cert: certificate }, (_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return `https://127.0.0.1:${address.port}/director/graphql`;
}
