import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationId, RuntimeId, Tenant } from '../../src/domain/ids.ts';
import { eventually } from '../harness/eventually.ts';
import { apiUnderTest, clusterDriver, provisionMutation, registrarOf } from './api-under-test.ts';

type Api = Awaited<ReturnType<typeof apiUnderTest>>;

interface Sent {
  readonly key?: string;
  readonly tenant?: string;
  readonly subAccount?: string;
  readonly variables?: object;
}

async function send(
  { origin }: Pick<Api, 'origin'>,
  query: string,
  { key = 'k-1', tenant = 'tenant-a', subAccount, variables }: Sent = {},
) {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      tenant,
      ...(subAccount && { 'sub-account': subAccount }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  const { data, errors } = JSON.parse(text);
  return { status: response.status, text, data, errors, replayed: response.headers.get('idempotent-replayed') };
}

async function runtimeCount({ database }: Pick<Api, 'database'>): Promise<number> {
  return (await database.kysely.selectFrom('runtime').select('id').execute()).length;
}

test('the same request with the same key is answered with the same bytes, and carried out once', async (t) => {
  const api = await apiUnderTest(t);
  const first = await send(api, provisionMutation());
  assert.equal(first.errors, undefined);
  assert.equal(first.replayed, null);
  await api.database.kysely.updateTable('operation').set({ message: 'much has happened since' }).execute();
  const again = await send(api, provisionMutation());
  assert.equal(again.text, first.text);
  assert.equal(again.status, 200);
  assert.equal(again.replayed, 'true');
  assert.equal(await runtimeCount(api), 1);
});

test('another replica answers it as well', async (t) => {
  const api = await apiUnderTest(t);
  const other = await apiUnderTest(t, { testing: api.testing });
  const first = await send(api, provisionMutation());
  assert.equal((await send(other, provisionMutation())).text, first.text);
});

test('requests that differ in anything that matters are refused under a used key', async (t) => {
  const api = await apiUnderTest(t);
  const mutation = 'mutation ($id: String!) { deprovisionRuntime(id: $id) }';
  const { runtimeID } = (await api.call(provisionMutation())).data.provisionRuntime;
  await api.database.kysely.updateTable('operation').set({ state: 'Succeeded', ended_at: new Date() }).execute();
  const variables = { id: runtimeID };
  const first = await send(api, mutation, { variables });
  assert.equal(first.errors, undefined);
  const others: [string, string, Sent][] = [
    ['other variables', mutation, { variables: { id: crypto.randomUUID() } }],
    ['another document', `${mutation} `, { variables }],
    ['another sub-account', mutation, { variables, subAccount: 'other' }],
  ];
  for (const [what, query, sent] of others) {
    const { data, errors, status } = await send(api, query, sent);
    assert.equal(status, 200, what);
    assert.equal(data, null, what);
    assert.equal(errors.length, 1, what);
    const { code, error_code, retryable, actor } = errors[0].extensions;
    assert.deepEqual([code, error_code, retryable, actor], ['IDEMPOTENCY_KEY_REUSED', 400, false, 'caller'], what);
    assert.match(errors[0].message, /"k-1"/, what);
  }
  assert.equal((await send(api, mutation, { variables })).text, first.text);
});

test('the order in which variables are written does not matter', async (t) => {
  const api = await apiUnderTest(t);
  const mutation = provisionMutation({ runtimeInput: '{ name: "demo", labels: $labels }' }).replace(
    'mutation {',
    'mutation ($labels: Labels) {',
  );
  const first = await send(api, mutation, { variables: { labels: { a: 1, b: { c: 2, d: 3 } } } });
  assert.equal(first.errors, undefined);
  const again = await send(api, mutation, { variables: { labels: { b: { d: 3, c: 2 }, a: 1 } } });
  assert.equal(again.text, first.text);
});

test('the same key of another tenant is another key', async (t) => {
  const api = await apiUnderTest(t);
  const first = await send(api, provisionMutation());
  const other = await send(api, provisionMutation(), { tenant: 'tenant-b' });
  assert.equal(other.errors, undefined);
  assert.notEqual(other.data.provisionRuntime.id, first.data.provisionRuntime.id);
  assert.equal(await runtimeCount(api), 2);
});

test('a refused request leaves its key free, also for another request', async (t) => {
  const api = await apiUnderTest(t);
  const refused = await send(api, provisionMutation({ runtimeInput: '{ name: "" }' }));
  assert.equal(refused.errors?.[0]?.extensions.code, 'INVALID_INPUT');
  const unreadable = await send(api, 'mutation { noSuchMutation }');
  assert.equal(unreadable.status, 422);
  const right = await send(api, provisionMutation());
  assert.equal(right.errors, undefined);
});

test('an answer with a transient failure is not kept', async (t) => {
  let broken = true;
  const driver = clusterDriver({
    check: () => {
      if (broken) throw new Error('the garden is away');
      return [];
    },
  });
  const api = await apiUnderTest(t, { driver });
  assert.equal((await send(api, provisionMutation())).errors?.[0]?.extensions.code, 'INTERNAL');
  broken = false;
  assert.equal((await send(api, provisionMutation())).errors, undefined);
});

test('many at once, on two replicas, are one: all get the same answer', async (t) => {
  const entries = new Map<RuntimeId, Tenant>();
  const reached = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  let registrations = 0;
  const registrarOnce = (database: () => Api['database']) => {
    const registrar = registrarOf(entries, database);
    return {
      ...registrar,
      register: async (request: Parameters<typeof registrar.register>[0]) => {
        registrations += 1;
        reached.resolve();
        await letGo.promise;
        return registrar.register(request);
      },
    };
  };
  const api: Api = await apiUnderTest(t, { registrar: registrarOnce(() => api.database) });
  const other: Api = await apiUnderTest(t, { testing: api.testing, registrar: registrarOnce(() => other.database) });
  const answers = [api, other, api, other, api, other].map((each) => send(each, provisionMutation()));
  await reached.promise;
  letGo.resolve();
  const texts = new Set((await Promise.all(answers)).map(({ text }) => text));
  assert.equal(texts.size, 1, [...texts].join('\n'));
  assert.equal([...texts][0]?.includes('errors'), false);
  assert.equal(registrations, 1);
  assert.equal(entries.size, 1);
  assert.equal(await runtimeCount(api), 1);
});

test('of two that are carried out at the same time, one counts and the other leaves nothing behind', async (t) => {
  const entries = new Map<RuntimeId, Tenant>();
  const letGo = Promise.withResolvers<void>();
  let registrations = 0;
  const api: Api = await apiUnderTest(t, {
    registrar: {
      ...registrarOf(entries, () => api.database),
      register: async (request) => {
        const registration = await registrarOf(entries, () => api.database).register(request);
        registrations += 1;
        if (registrations === 2) letGo.resolve();
        await letGo.promise;
        return registration;
      },
    },
  });
  const first = send(api, provisionMutation());
  await eventually('the first to be registered', () => registrations === 1);
  // As if its process could not hold on to the claim, such as while it hung.
  await api.database.kysely
    .updateTable('idempotency_key')
    .set({ claimed_until: new Date(0) })
    .execute();
  const second = send(api, provisionMutation());
  const ids = (await Promise.all([first, second])).map(({ data }) => data.provisionRuntime.id as OperationId);
  assert.equal(registrations, 2);
  assert.equal(ids[0], ids[1]);
  assert.equal(await runtimeCount(api), 1);
  assert.equal(entries.size, 1, 'the registration of the one that does not count is withdrawn');
});

test('each part of a request is accepted once, also when another part was refused', async (t) => {
  const api = await apiUnderTest(t);
  const body = provisionMutation().slice('mutation {'.length, -1);
  const missing = crypto.randomUUID();
  const mutation = `mutation { one: ${body} two: deprovisionRuntime(id: "${missing}") }`;
  const first = await send(api, mutation);
  assert.equal(first.errors?.[0]?.extensions.code, 'NOT_FOUND');
  assert.equal(first.data, null);
  assert.equal(await runtimeCount(api), 1);
  const again = await send(api, mutation);
  assert.equal(again.errors?.[0]?.extensions.code, 'NOT_FOUND');
  assert.equal(await runtimeCount(api), 1);
  assert.equal((await send(api, provisionMutation())).errors?.[0]?.extensions.code, 'IDEMPOTENCY_KEY_REUSED');
});

test('a key is refused that no header should hold; a query takes no notice of it', async (t) => {
  const api = await apiUnderTest(t);
  for (const key of ['', 'a b', 'x'.repeat(256)]) {
    const { errors } = await send(api, provisionMutation(), { key });
    assert.equal(errors?.[0]?.extensions.code, 'INVALID_INPUT', JSON.stringify(key));
    assert.match(errors[0].message, /^Idempotency-Key: /);
  }
  assert.equal((await send(api, '{ __typename }', { key: 'a b' })).data.__typename, 'Query');
  assert.equal(await runtimeCount(api), 0);
});

test('what is stored of an answer cannot be read', async (t) => {
  const api = await apiUnderTest(t);
  const { data } = await send(api, provisionMutation());
  const rows = await api.database.kysely.selectFrom('idempotency_key').selectAll().execute();
  assert.equal(rows.length, 1);
  assert.match(rows[0]?.answer ?? '', /^v1\./);
  assert.equal(JSON.stringify(rows).includes(data.provisionRuntime.id), false);
});
