import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { getIntrospectionQuery } from 'graphql';
import { statusInFull } from '../../../bench/status-documents.ts';
import { apiUnderTest, clusterDriver, provisionMutation } from '../api-under-test.ts';
import { hostileDocuments } from './hostile-documents.ts';

test('hostile documents are refused, each by the limit or the rule that is there for it', {
  timeout: 60_000,
}, async (t) => {
  const { call } = await apiUnderTest(t);
  for (const { name, document, refusedBy } of hostileDocuments) {
    const { status, data, errors } = await call(document);
    assert.deepEqual([status, data], [422, null], name);
    const [{ message, extensions }] = errors ?? assert.fail(name);
    if (refusedBy instanceof RegExp) assert.match(message, refusedBy, name);
    else
      assert.deepEqual([extensions.code, extensions.limit], ['LIMIT_EXCEEDED', refusedBy.limit], `${name}: ${message}`);
    assert.ok(JSON.stringify(errors).length < 20_000, `${name}: the answer is short`);
  }
});

const refusals: readonly { limit: string; allowed: number; query: string; found: number | undefined; words: string }[] =
  [
    {
      limit: 'depth',
      allowed: 2,
      query: '{ runtimeStatus(id: "x") { lastOperationStatus { state } } }',
      found: 3,
      words: '3 levels of nesting',
    },
    {
      limit: 'depth',
      allowed: 2,
      query: '{ runtimes(filter: { labels: { a: [1] } }) { nodes { id } } }',
      found: 4,
      words: '4 levels of nesting',
    },
    {
      limit: 'rootFields',
      allowed: 1,
      query: '{ __typename a: __typename }',
      found: 2,
      words: '2 fields of Query or Mutation',
    },
    {
      limit: 'rootFields',
      allowed: 1,
      query: 'mutation { a: hibernateRuntime(id: "x") b: hibernateRuntime(id: "x") }',
      found: 2,
      words: '2 fields of Query or Mutation',
    },
    { limit: 'aliases', allowed: 1, query: '{ a: __typename b: __typename }', found: 2, words: '2 aliases' },
    {
      limit: 'selections',
      allowed: 2,
      query: '{ __typename ...F } fragment F on Query { __typename }',
      found: 3,
      words: '3 selected fields and fragments',
    },
    {
      limit: 'tokens',
      allowed: 4,
      query: '{ __typename __typename __typename }',
      found: undefined,
      words: 'more than 4 tokens',
    },
    {
      limit: 'cost',
      allowed: 100,
      query: '{ runtimes(first: 50) { nodes { id } } }',
      found: 101,
      words: '101 points of cost',
    },
    {
      limit: 'cost',
      allowed: 500,
      query: '{ planUpgradeShoot { changes { stage } } }',
      found: 502,
      words: '502 points of cost',
    },
  ];

describe('a limit names itself, what was found and what is allowed', () => {
  for (const { limit, allowed, query, found, words } of refusals) {
    test(`${limit}: ${query}`, async (t) => {
      const { call } = await apiUnderTest(t, { limits: { [limit]: allowed } });
      const { status, errors } = await call(query);
      assert.equal(status, 422);
      const [error] = errors ?? assert.fail('no error');
      assert.equal(error.message, `the request has ${words}, and at most ${allowed} are allowed`);
      assert.deepEqual(error.extensions, {
        ...{ error_code: 400, error_reason: 'err_provisioner_limit_exceeded', error_component: 'provisioner' },
        ...{ code: 'LIMIT_EXCEEDED', actor: 'caller', retryable: false, limit, allowed },
        ...(found !== undefined && { found }),
      });
    });
  }
});

test('variables count for the depth like what is written into the document', async (t) => {
  const { call } = await apiUnderTest(t);
  const query = 'query ($labels: Labels) { runtimes(filter: { labels: $labels }) { nodes { id } } }';
  const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
  const { errors } = await call(query, { variables: { labels: nested(19) } });
  assert.equal(errors, undefined);
  const refused = await call(query, { variables: { labels: nested(40_000) } });
  assert.equal(refused.status, 422);
  assert.equal(refused.errors?.[0].extensions.limit, 'depth');
});

test('a body that is too large is refused with its size and the limit', async (t) => {
  const { call } = await apiUnderTest(t, { limits: { bodyBytes: 1_000 } });
  const { status, errors } = await call(`{ __typename } #${'x'.repeat(1_000)}`);
  assert.equal(status, 413);
  assert.match(errors?.[0].message, /^the request has \d{4} bytes, and at most 1000 are allowed$/);
});

test('a page is no larger than the limit, which the message tells', async (t) => {
  const { call } = await apiUnderTest(t, { limits: { pageSize: 120 } });
  for (const list of ['runtimes', 'operations']) {
    assert.equal((await call(`{ ${list}(first: 120) { nodes { id } } }`)).errors, undefined);
    const { errors } = await call(`{ ${list}(first: 121) { nodes { id } } }`);
    assert.match(errors?.[0].message, /first: must be between 1 and 120, and is 121/);
  }
});

test('several requests in one body are refused', async (t) => {
  const { origin } = await apiUnderTest(t);
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ query: '{ __typename }' }, { query: '{ __typename }' }]),
  });
  assert.equal(response.status, 400);
  const { data, errors } = (await response.json()) as { data: unknown; errors: { message: string }[] };
  assert.equal(data, null);
  assert.match(errors[0]?.message ?? '', /batches of them are not taken/);
});

test('a request that hangs on what is upstream is answered in time, and says that it may have had an effect', async (t) => {
  const driver = clusterDriver({ issueKubeconfig: () => new Promise(() => undefined) });
  const { call } = await apiUnderTest(t, { driver, limits: { timeoutMillis: 1_500 } });
  const { runtimeID } = (await call(provisionMutation())).data.provisionRuntime;
  const query = `{ runtimeStatus(id: "${runtimeID}") { runtimeConfiguration { kubeconfig } } }`;
  const { status, data, errors } = await call(query);
  assert.deepEqual([status, data, errors?.length], [504, null, 1]);
  assert.equal(errors?.[0].message, 'the request was not answered within 1.5 s');
  assert.deepEqual([errors?.[0].extensions.code, errors?.[0].extensions.retryable], ['REQUEST_TIMEOUT', true]);
  assert.equal((await call('{ __typename }')).data.__typename, 'Query');
});

test('a client that sends its request slowly is not waited for longer than for an answer', async (t) => {
  const { origin } = await apiUnderTest(t, { limits: { timeoutMillis: 1_000 } });
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('utf8');
  t.after(() => socket.destroy());
  socket.write('POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{');
  const answer = await text(socket);
  assert.match(answer, /^HTTP\/1\.1 408 /);
});

test('what usual clients send is far from every limit', async (t) => {
  const half = { depth: 15, rootFields: 2, aliases: 2, selections: 500, tokens: 5_000, cost: 25_000 };
  const { call } = await apiUnderTest(t, { limits: half });
  assert.equal((await call(getIntrospectionQuery())).errors, undefined);
  assert.equal((await call(provisionMutation())).errors, undefined);
  const { status } = await call(statusInFull, { variables: { id: crypto.randomUUID() } });
  assert.equal(status, 200);
});

test('subscriptions have the same limits', async (t) => {
  const { origin } = await apiUnderTest(t);
  const response = await fetch(`${origin}/graphql/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', tenant: 'tenant-a' },
    body: JSON.stringify({ query: `subscription { runtimeUpdates { ${'cursor '.repeat(1_000)} } }` }),
  });
  const [, told] = /^data: (.+)$/m.exec(await response.text()) ?? [];
  const { errors } = JSON.parse(told ?? '{}') as { errors?: { extensions: { code: string; limit: string } }[] };
  assert.deepEqual(
    errors?.map(({ extensions: { code, limit } }) => [code, limit]),
    [['LIMIT_EXCEEDED', 'selections']],
  );
});

test('the schema may be kept to oneself', async (t) => {
  const { call } = await apiUnderTest(t, { settings: { introspection: false } });
  const { status, errors } = await call(getIntrospectionQuery());
  assert.equal(status, 422);
  assert.match(errors?.[0].message, /introspection has been disabled/);
  assert.equal((await call('{ __typename }')).data.__typename, 'Query');
});

test('the playground may be left out', async (t) => {
  const { origin, call } = await apiUnderTest(t, { settings: { playground: false } });
  assert.equal((await fetch(`${origin}/`)).status, 404);
  assert.equal((await call('{ __typename }')).data.__typename, 'Query');
});
