import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type Answer, apiUnderTest, provisionMutation } from './api-under-test.ts';
import { type StoredRuntime, storeOperation, storeRuntime } from './stored-runtimes.ts';

const query = `query ($filter: RuntimeFilter, $first: Int = 50, $after: String) {
  runtimes(filter: $filter, first: $first, after: $after) {
    nodes { id name } pageInfo { endCursor hasNextPage } } }`;
type Call = Awaited<ReturnType<typeof apiUnderTest>>['call'];

function names({ data, errors }: Answer): readonly string[] {
  assert.equal(errors, undefined);
  return data.runtimes.nodes.map(({ name }: { name: string }) => name);
}

/** Follows the pages to their end; `between` happens after each but the last. */
async function allPages(call: Call, first: number, between: () => Promise<void> = async () => {}) {
  const seen: { id: string; name: string }[] = [];
  for (let after: string | undefined; ; ) {
    const { data, errors } = await call(query, { variables: { first, after } });
    assert.equal(errors, undefined);
    const { nodes, pageInfo } = data.runtimes;
    seen.push(...nodes);
    if (!pageInfo.hasNextPage) return seen;
    assert.equal(nodes.length, first);
    after = pageInfo.endCursor;
    await between();
  }
}

const kyma = (version: string): StoredRuntime['kyma'] => ({
  ...{ installer: 'modules', plan: { version: 1 } },
  config: {
    ...{ version, components: [{ component: 'istio', namespace: 'kyma-system' }] },
    configuration: [
      { key: 'global.password', value: 'hunter2', secret: true },
      { key: 'global.domain', value: 'example.com' },
    ],
  },
});

test('each filter finds what it says, and only that', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const stored: readonly StoredRuntime[] = [
    { name: 'plain', createdAt: '2026-01-01T00:00:00Z' },
    { name: 'installing', createdAt: '2026-01-02T00:00:00Z', operation: { state: 'InProgress' } },
    { name: 'broken', createdAt: '2026-01-03T00:00:00Z', operation: { kind: 'Upgrade', state: 'Failed' } },
    { name: 'azure', createdAt: '2026-01-04T00:00:00Z', config: { provider: 'azure', region: 'westeurope' } },
    {
      name: 'versioned',
      createdAt: '2026-01-05T00:00:00Z',
      config: { kubernetesVersion: '1.34.2' },
      kyma: kyma('fast'),
    },
    { name: 'labelled', createdAt: '2026-01-06T00:00:00Z', labels: { team: 'a', tags: ['x', 'y'], size: 3 } },
    {
      ...{ name: 'gone', createdAt: '2026-01-07T00:00:00Z', deleted: true },
      operation: { kind: 'Deprovision' },
    },
  ];
  for (const runtime of stored) await storeRuntime(database, runtime);
  const alive = ['labelled', 'versioned', 'azure', 'broken', 'installing', 'plain'];

  const table: { why: string; filter: object | null; found: readonly string[] }[] = [
    { why: 'no filter: newest first, without those that are gone', filter: null, found: alive },
    { why: 'an empty filter asks for nothing', filter: {}, found: alive },
    { why: 'null is not given', filter: { state: null, name: null, labels: null, createdAfter: null }, found: alive },
    { why: 'those that are gone, when asked for', filter: { includeDeleted: true }, found: ['gone', ...alive] },
    { why: 'state of the last operation', filter: { state: 'Failed' }, found: ['broken'] },
    { why: 'either of two states', filter: { state: ['Failed', 'InProgress'] }, found: ['broken', 'installing'] },
    { why: 'nothing is ever pending', filter: { state: 'Pending' }, found: [] },
    { why: 'none of no states', filter: { state: [] }, found: [] },
    { why: 'type of the last operation', filter: { operation: 'Upgrade' }, found: ['broken'] },
    { why: 'a type that only one that is gone has', filter: { operation: 'Deprovision' }, found: [] },
    { why: 'the same with those', filter: { operation: 'Deprovision', includeDeleted: true }, found: ['gone'] },
    { why: 'provider', filter: { provider: 'azure' }, found: ['azure'] },
    { why: 'region', filter: { region: ['westeurope', 'nowhere'] }, found: ['azure'] },
    { why: 'Kyma version', filter: { kymaVersion: 'fast' }, found: ['versioned'] },
    { why: 'Kubernetes version', filter: { kubernetesVersion: '1.34.2' }, found: ['versioned'] },
    { why: 'name', filter: { name: 'plain' }, found: ['plain'] },
    { why: 'a name is not a pattern', filter: { name: 'pl%' }, found: [] },
    { why: 'a name is not SQL', filter: { name: "' OR '1'='1" }, found: [] },
    { why: 'label', filter: { labels: { team: 'a' } }, found: ['labelled'] },
    { why: 'another value of the label', filter: { labels: { team: 'b' } }, found: [] },
    { why: 'a number is not its text', filter: { labels: { size: '3' } }, found: [] },
    { why: 'two labels, one a number', filter: { labels: { team: 'a', size: 3 } }, found: ['labelled'] },
    { why: 'two labels, of which one has another value', filter: { labels: { team: 'a', size: 4 } }, found: [] },
    { why: 'a list that contains', filter: { labels: { tags: ['y'] } }, found: ['labelled'] },
    { why: 'a list that does not', filter: { labels: { tags: ['z'] } }, found: [] },
    { why: 'no label is asked for', filter: { labels: {} }, found: alive },
    { why: 'from a moment on', filter: { createdAfter: '2026-01-05T00:00:00Z' }, found: ['labelled', 'versioned'] },
    { why: 'before a moment', filter: { createdBefore: '2026-01-02T00:00:00Z' }, found: ['plain'] },
    {
      why: 'between, in another time zone',
      filter: { createdAfter: '2026-01-03T01:00:00+01:00', createdBefore: '2026-01-04T00:00:00Z' },
      found: ['broken'],
    },
    { why: 'all of them hold together', filter: { provider: 'gcp', region: 'westeurope' }, found: [] },
    {
      why: 'and find what has all',
      filter: { provider: 'gcp', state: 'Failed', operation: 'Upgrade' },
      found: ['broken'],
    },
  ];
  for (const { why, filter, found } of table) {
    assert.deepEqual(names(await call(query, { variables: { filter } })), found, why);
    const { data } = await call(query, { variables: { filter, first: 1 } });
    assert.deepEqual(data.runtimes.pageInfo.hasNextPage, found.length > 1, why);
  }
});

test('a filter goes by the operation that was accepted last, as it is now', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const provisioned = (await call(provisionMutation())).data.provisionRuntime;
  const inState = async (state: string) => names(await call(query, { variables: { filter: { state } } })).length;
  assert.equal(await inState('InProgress'), 1);
  await database.kysely.updateTable('operation').set({ state: 'Succeeded', ended_at: new Date() }).execute();
  assert.equal(await inState('InProgress'), 0);
  assert.equal(await inState('Succeeded'), 1);
  assert.equal((await call(`mutation { deprovisionRuntime(id: "${provisioned.runtimeID}") }`)).errors, undefined);
  assert.equal(await inState('Succeeded'), 0);
  assert.deepEqual(
    names(await call(query, { variables: { filter: { operation: 'Deprovision', state: 'InProgress' } } })),
    ['demo'],
  );
});

test('a Runtime is listed with its configuration, and with nothing confidential', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const id = await storeRuntime(database, {
    ...{ name: 'demo', description: 'first', labels: { team: 'a' }, registration: 'ours', kyma: kyma('fast') },
    ...{ config: { kubernetesVersion: '1.34.2' }, createdAt: '2026-01-01T00:00:00.123Z' },
  });
  const failed = await storeOperation(database, id, { kind: 'Upgrade', state: 'Failed' });
  // Sealed with a key that nobody has any more: a list opens nothing, so it does not matter to it.
  await sql`UPDATE runtime SET kyma_config = jsonb_set(kyma_config, '{configuration,0,encrypted}', '"v1.lost"')`.execute(
    database.kysely,
  );
  const { data, errors } = await call(`{ runtimes { nodes {
    id name description labels provider region kubernetesVersion kymaVersion createdAt deletedAt
    lastOperationStatus { id operation state runtimeID compassRuntimeID }
    clusterConfig { name machineType providerSpecificConfig { ... on GCPProviderConfig { zones } } }
    kymaConfig { version components { component } configuration { key value secret } }
  } } }`);
  assert.equal(errors, undefined);
  const [{ clusterConfig, ...node }] = data.runtimes.nodes;
  assert.deepEqual(node, {
    ...{ id, name: 'demo', description: 'first', labels: { team: 'a' }, provider: 'gcp', region: 'europe-west3' },
    ...{ kubernetesVersion: '1.34.2', kymaVersion: 'fast', createdAt: '2026-01-01T00:00:00.123Z', deletedAt: null },
    lastOperationStatus: { id: failed, operation: 'Upgrade', state: 'Failed', runtimeID: id, compassRuntimeID: id },
    kymaConfig: {
      ...{ version: 'fast', components: [{ component: 'istio' }] },
      configuration: [
        { key: 'global.password', value: null, secret: true },
        { key: 'global.domain', value: 'example.com', secret: false },
      ],
    },
  });
  assert.equal(clusterConfig.machineType, 'n2-standard-4');
  assert.deepEqual(clusterConfig.providerSpecificConfig, { zones: ['europe-west3-a'] });
});

test('pages show every Runtime once and in order, also those of the same microsecond', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const times = ['2026-01-01T00:00:00.000001Z', '2026-01-01T00:00:00.000002Z', '2026-01-01T00:00:00.000002Z'];
  const stored: string[] = [];
  for (let index = 0; index < 9; index++) {
    stored.push(await storeRuntime(database, { createdAt: times[index % 3] ?? '', name: `${index}` }));
  }
  for (const first of [1, 2, 4, 8, 9, 10]) {
    const seen = await allPages(call, first);
    assert.deepEqual(seen.map(({ id }) => id).toSorted(), stored.toSorted(), `pages of ${first}`);
    assert.deepEqual(
      seen.slice(-3).map(({ name }) => Number(name) % 3),
      [0, 0, 0],
      `the earliest microsecond is last, in pages of ${first}`,
    );
  }
  const exact = await call(query, { variables: { first: 9 } });
  assert.equal(exact.data.runtimes.pageInfo.hasNextPage, false, 'a page that is full but the last one');
});

test('what is added while one pages shows nothing twice and leaves nothing out', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const stored: string[] = [];
  for (let index = 0; index < 25; index++) stored.push(await storeRuntime(database));
  const seen = await allPages(call, 4, async () => {
    await Promise.all(Array.from({ length: 5 }, () => call(provisionMutation())));
  });
  assert.deepEqual(seen.map(({ id }) => id).toSorted(), stored.toSorted());
});

test('a cursor goes on although the Runtime that it was made for is gone', async (t) => {
  const { call, database } = await apiUnderTest(t);
  for (const [day, name] of [
    [1, 'oldest'],
    [2, 'middle'],
    [3, 'newest'],
  ] as const) {
    await storeRuntime(database, { name, createdAt: new Date(Date.UTC(2026, 0, day)) });
  }
  const { data } = await call(query, { variables: { first: 1 } });
  const { endCursor } = data.runtimes.pageInfo;
  await sql`UPDATE runtime SET deleted_at = now() WHERE id = ${data.runtimes.nodes[0].id}`.execute(database.kysely);
  const rest = await call(query, { variables: { after: endCursor } });
  assert.deepEqual(names(rest), ['middle', 'oldest']);
});

test('a tenant sees its own Runtimes only, whatever cursor or filter it gives', async (t) => {
  const { call, database } = await apiUnderTest(t);
  for (const name of ['a1', 'a2']) await storeRuntime(database, { name, createdAt: '2026-01-02T00:00:00Z' });
  for (const name of ['b1', 'b2']) {
    await storeRuntime(database, { name, tenant: 'tenant-b', createdAt: '2026-01-01T00:00:00Z' });
  }
  const asA = await call(query, { variables: { first: 1 } });
  assert.match(names(asA)[0] ?? '', /^a/);
  const { endCursor } = asA.data.runtimes.pageInfo;
  const asB = await call(query, { tenant: 'tenant-b', variables: { after: endCursor } });
  assert.deepEqual(names(asB).toSorted(), ['b1', 'b2']);
  for (const filter of [{ name: 'a1' }, { includeDeleted: true, name: ['a1', 'a2'] }]) {
    assert.deepEqual(names(await call(query, { tenant: 'tenant-b', variables: { filter } })), []);
  }
  assert.deepEqual(names(await call(query, { tenant: 'tenant-c' })), []);
});

test('a page request that cannot be answered is refused with the path of every mistake', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const id = await storeRuntime(database);
  const foreign = Buffer.from(`operations 1 ${id}`).toString('base64url');
  const tooLate = Buffer.from(`runtimes 99999999999999999 ${id}`).toString('base64url');
  const padded = `${Buffer.from(`runtimes 1 ${id}`).toString('base64url')}==`;
  const table: { why: string; variables: object; paths: readonly string[] }[] = [
    { why: 'no node', variables: { first: 0 }, paths: ['first'] },
    { why: 'fewer than none', variables: { first: -1 }, paths: ['first'] },
    { why: 'too many', variables: { first: 201 }, paths: ['first'] },
    { why: 'not a cursor', variables: { after: 'next' }, paths: ['after'] },
    { why: 'an empty cursor', variables: { after: '' }, paths: ['after'] },
    { why: 'an id', variables: { after: id }, paths: ['after'] },
    { why: 'a cursor of another list', variables: { after: foreign }, paths: ['after'] },
    { why: 'a moment that does not exist', variables: { after: tooLate }, paths: ['after'] },
    { why: 'not as it was answered', variables: { after: padded }, paths: ['after'] },
    { why: 'both', variables: { first: 201, after: 'next' }, paths: ['first', 'after'] },
    { why: 'text that is not stored', variables: { filter: { name: 'a\0b' } }, paths: ['filter.name.0'] },
    { why: 'half a character', variables: { filter: { labels: { team: '\ud800' } } }, paths: ['filter.labels.team'] },
  ];
  for (const { why, variables, paths } of table) {
    const { data, errors } = await call(query, { variables });
    assert.equal(data, null, why);
    assert.equal(errors?.[0].extensions.code, 'INVALID_INPUT', why);
    assert.deepEqual(
      errors?.[0].extensions.problems.map(({ path }: { path: string }) => path),
      paths,
      why,
    );
  }
  assert.equal((await call(query, { variables: { first: 200 } })).errors, undefined);
});

test('a moment must be written as RFC 3339 writes it', async (t) => {
  const { call } = await apiUnderTest(t);
  for (const createdAfter of ['yesterday', '2026-01-01', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00', 1767225600]) {
    const { errors, status } = await call(query, { variables: { filter: { createdAfter } } });
    assert.equal(status, 422);
    assert.match(errors?.[0].message, /Timestamp must be a moment as RFC 3339 writes it/, String(createdAfter));
  }
  for (const createdAfter of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z']) {
    const { errors } = await call(query, { variables: { filter: { createdAfter, createdBefore: createdAfter } } });
    assert.equal(errors, undefined, createdAfter);
  }
  const literal = await call('{ runtimes(filter: { createdAfter: "2026-01-01T00:00:00Z" }) { nodes { id } } }');
  assert.equal(literal.errors, undefined);
});
