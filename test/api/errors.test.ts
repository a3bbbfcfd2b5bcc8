import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from '../../src/domain/logger.ts';
import { apiUnderTest, clusterDriver, provisionMutation } from './api-under-test.ts';

interface Line {
  readonly level: string;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

function recordingLog(lines: Line[], inherited: object = {}): Logger {
  const at = (level: string) => (fields: object, message: string) =>
    lines.push({ level, fields: { ...inherited, ...fields }, message });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => recordingLog(lines, { ...inherited, ...fields }),
  };
}

test('an unexpected error is masked and logged once, under the id that the caller got', async (t) => {
  const lines: Line[] = [];
  const driver = clusterDriver({
    check: () => {
      throw new TypeError('cannot read password hunter2 of undefined');
    },
  });
  const { call } = await apiUnderTest(t, { driver, log: recordingLog(lines) });
  const { status, headers, data, errors } = await call(provisionMutation());
  assert.equal(status, 200);
  assert.deepEqual(data, { provisionRuntime: null });
  assert.equal(errors?.length, 1);
  assert.equal(errors?.[0].message, 'internal system error');
  assert.equal(JSON.stringify(errors).includes('hunter2'), false);
  const { correlation_id, ...extensions } = errors?.[0].extensions ?? {};
  assert.deepEqual(extensions, {
    error_code: 500,
    error_reason: 'err_provisioner_internal',
    error_component: 'provisioner',
    code: 'INTERNAL',
    actor: 'operator',
    retryable: true,
  });
  assert.equal(correlation_id, headers.get('x-request-id'));
  const logged = lines.filter((line) => line.level === 'error');
  assert.equal(logged.length, 1);
  assert.equal(logged[0]?.fields.correlationId, correlation_id);
  assert.ok(logged[0]?.fields.err instanceof TypeError);
});

test('two checks that break at once are one masked error, and the service lives on', async (t) => {
  const broken = () => {
    throw new Error('broken');
  };
  const { call } = await apiUnderTest(t, {
    driver: clusterDriver({ check: broken }),
    catalogue: {
      resolve: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return broken();
      },
    },
  });
  const { errors } = await call(provisionMutation());
  assert.deepEqual(
    errors?.map((error) => error.message),
    ['internal system error'],
  );
  assert.equal((await call('{ __typename }')).data.__typename, 'Query');
});

test('a database that is down is said to be down, and the request succeeds once it is back', async (t) => {
  const { call, testing } = await apiUnderTest(t);
  const { id } = (await call(provisionMutation())).data.provisionRuntime;
  const query = `{ runtimeOperationStatus(id: "${id}") { id } }`;
  await testing.goDown();
  const { errors } = await call(query);
  assert.equal(errors?.[0].extensions.code, 'DATABASE_UNAVAILABLE');
  assert.equal(errors?.[0].extensions.retryable, true);
  await testing.comeBack();
  assert.equal((await call(query)).data.runtimeOperationStatus.id, id);
});

const documents: { reason: string; query: string; variables?: object; code: string }[] = [
  { reason: 'a document that does not parse', query: '{ runtimeStatus(', code: 'GRAPHQL_PARSE_FAILED' },
  { reason: 'a field that does not exist', query: '{ nothing }', code: 'GRAPHQL_VALIDATION_FAILED' },
  {
    reason: 'a field of the input that does not exist is refused, not ignored',
    query: provisionMutation().replace('purpose:', 'nothing: { domain: "a" }, purpose:'),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    reason: 'labels that are no object',
    query: provisionMutation({ runtimeInput: '{ name: "a", labels: ["x"] }' }),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    reason: 'a variable of another type',
    query: 'query ($id: String!) { runtimeStatus(id: $id) { lastOperationStatus { id } } }',
    variables: { id: { a: 1 } },
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    reason: 'a variable that is missing',
    query: 'query ($id: String!) { runtimeStatus(id: $id) { lastOperationStatus { id } } }',
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  {
    reason: 'more Runtimes at once than one request may ask for',
    query: `{ ${Array.from({ length: 101 }, (_, index) => `a${index}: runtimeStatus(id: "x") { lastOperationStatus { id } }`).join(' ')} }`,
    code: 'LIMIT_EXCEEDED',
  },
  {
    reason: 'a document of too many tokens',
    query: `{ ${'__typename '.repeat(10_001)} }`,
    code: 'LIMIT_EXCEEDED',
  },
  {
    reason: 'a document that is too deep',
    query: `{ __schema { types { fields { type { ${'ofType { '.repeat(20)} name ${'} '.repeat(20)} } } } } }`,
    code: 'LIMIT_EXCEEDED',
  },
];

test('what is wrong with a document is answered with 422', async (t) => {
  const { call } = await apiUnderTest(t);
  for (const { reason, query, variables, code } of documents) {
    const { status, data, errors } = await call(query, { variables });
    assert.equal(status, 422, reason);
    assert.ok(!data, reason);
    assert.equal(errors?.[0].extensions.code, code, `${reason}: ${errors?.[0].message}`);
    assert.equal(JSON.stringify(errors).includes('.ts:'), false, reason);
  }
});

const requests: { reason: string; path?: string; init: RequestInit; status: number; code?: string }[] = [
  {
    reason: 'a form, which any web page can send',
    init: { method: 'POST', body: new URLSearchParams({ query: '{ __typename }' }) },
    status: 400,
  },
  {
    reason: 'a plain text, which any web page can send',
    init: { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"query":"{ __typename }"}' },
    status: 400,
  },
  { reason: 'a GET without any header of ours', path: '?query={__typename}', init: {}, status: 400 },
  {
    reason: 'a mutation in a GET',
    path: `?query=${encodeURIComponent('mutation { deprovisionRuntime(id: "a") }')}`,
    init: { headers: { tenant: 'tenant-a' } },
    status: 405,
  },
  {
    reason: 'a body that is no JSON',
    init: { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' },
    status: 400,
  },
  {
    reason: 'a body without a query',
    init: { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
    status: 400,
  },
  {
    reason: 'a body of a type that nobody reads',
    init: { method: 'POST', headers: { tenant: 'tenant-a', 'content-type': 'text/plain' }, body: '{}' },
    status: 415,
  },
  {
    reason: 'a body that is too large',
    init: {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ __typename } #${'x'.repeat(300_000)}` }),
    },
    status: 413,
    code: 'LIMIT_EXCEEDED',
  },
];

test('what is no GraphQL request is refused in the shape of a GraphQL answer', async (t) => {
  const { origin } = await apiUnderTest(t);
  for (const { reason, path = '', init, status, code = 'BAD_REQUEST' } of requests) {
    const response = await fetch(`${origin}/graphql${path}`, init);
    const text = await response.text();
    assert.equal(response.status, status, `${reason}: ${text}`);
    assert.equal(JSON.parse(text).errors[0].extensions.code, code, reason);
  }
});

test('a query may be asked by GET, as in the original', async (t) => {
  const { origin } = await apiUnderTest(t);
  const response = await fetch(`${origin}/graphql?query=${encodeURIComponent('{ __typename }')}`, {
    headers: { tenant: 'tenant-a' },
  });
  assert.deepEqual(await response.json(), { data: { __typename: 'Query' } });
});

test('a request id of the caller is taken over when it is harmless', async (t) => {
  const { origin } = await apiUnderTest(t);
  const idOf = async (given: string) => {
    const response = await fetch(`${origin}/healthz`, { headers: { 'x-request-id': given } });
    return response.headers.get('x-request-id');
  };
  assert.equal(await idOf('order-17'), 'order-17');
  assert.notEqual(await idOf('a b"c'), 'a b"c');
});
