import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, apiUnderTest, provisionMutation } from './api-under-test.ts';
import { storeOperation, storeRuntime } from './stored-runtimes.ts';

const query = `query ($filter: OperationFilter, $first: Int = 50, $after: String) {
  operations(filter: $filter, first: $first, after: $after) {
    nodes { id operation state stage runtimeID compassRuntimeID startedAt } pageInfo { endCursor hasNextPage } } }`;

function ids({ data, errors }: Answer): readonly string[] {
  assert.equal(errors, undefined);
  return data.operations.nodes.map(({ id }: { id: string }) => id);
}

async function oneOperation(call: (query: string) => Promise<Answer>, filter: string) {
  const { data, errors } = await call(`{ operations(filter: ${filter}) { nodes { id } } }`);
  assert.equal(errors, undefined);
  assert.equal(data.operations.nodes.length, 1);
  return data.operations.nodes[0].id;
}

test('each filter finds what it says, and only that', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));
  const first = await storeRuntime(database, { createdAt: day(1), labels: { team: 'a', of: ['x', 'y'] } });
  const second = await storeRuntime(database, {
    ...{ createdAt: day(2), labels: { team: 'b' } },
    config: { provider: 'azure', region: 'westeurope', kubernetesVersion: '1.34.2' },
    kyma: { config: { version: 'fast', components: [] }, installer: 'modules', plan: { version: 1 } },
    operation: { state: 'Failed', stage: 'Finished' },
  });
  const gone = await storeRuntime(database, { createdAt: day(3), deleted: true });
  const upgrade = await storeOperation(database, first, { kind: 'Upgrade', startedAt: day(4) });
  const running = await storeOperation(database, first, {
    ...{ kind: 'Deprovision', state: 'InProgress', stage: 'CleanupCluster', startedAt: day(5) },
  });
  const deprovisioned = await storeOperation(database, gone, { kind: 'Deprovision', startedAt: day(6) });
  const provisions = await call(query, { variables: { filter: { operation: 'Provision' } } });
  const [ofGone, ofSecond, ofFirst] = ids(provisions);
  const all = [deprovisioned, running, upgrade, ofGone, ofSecond, ofFirst];

  const table: { why: string; filter: object | null; found: readonly (string | undefined)[] }[] = [
    { why: 'no filter: newest first, also of Runtimes that are gone', filter: null, found: all },
    { why: 'an empty filter asks for nothing', filter: {}, found: all },
    { why: 'null is not given', filter: { runtimeID: null, state: null, startedAfter: null }, found: all },
    { why: 'the history of a Runtime', filter: { runtimeID: first }, found: [running, upgrade, ofFirst] },
    { why: 'an id in capitals', filter: { runtimeID: second.toUpperCase() }, found: [ofSecond] },
    { why: 'two Runtimes', filter: { runtimeID: [second, gone] }, found: [deprovisioned, ofGone, ofSecond] },
    { why: 'a Runtime and a type', filter: { runtimeID: first, operation: 'Upgrade' }, found: [upgrade] },
    { why: 'a Runtime that is not', filter: { runtimeID: crypto.randomUUID() }, found: [] },
    { why: 'no Runtime', filter: { runtimeID: [] }, found: [] },
    { why: 'type', filter: { operation: 'Deprovision' }, found: [deprovisioned, running] },
    { why: 'either of two types', filter: { operation: ['Upgrade', 'Hibernate'] }, found: [upgrade] },
    { why: 'state', filter: { state: 'Failed' }, found: [ofSecond] },
    { why: 'nothing is ever pending', filter: { state: 'Pending' }, found: [] },
    { why: 'stage', filter: { stage: 'CleanupCluster' }, found: [running] },
    { why: 'provider', filter: { provider: 'azure' }, found: [ofSecond] },
    { why: 'region', filter: { region: 'westeurope' }, found: [ofSecond] },
    { why: 'a label of the Runtime', filter: { labels: { team: 'a' } }, found: [running, upgrade, ofFirst] },
    { why: 'all of the labels', filter: { labels: { team: 'a', of: ['y'] } }, found: [running, upgrade, ofFirst] },
    { why: 'a label with another value', filter: { labels: { team: 'c' } }, found: [] },
    { why: 'no label', filter: { labels: {} }, found: all },
    { why: 'version of Kyma', filter: { kymaVersion: 'fast' }, found: [ofSecond] },
    { why: 'version of Kubernetes', filter: { kubernetesVersion: ['1.33.1', '1.34.2'] }, found: [ofSecond] },
    { why: 'both, of which one does not hold', filter: { kymaVersion: 'fast', labels: { team: 'a' } }, found: [] },
    { why: 'from a moment on', filter: { startedAfter: day(5) }, found: [deprovisioned, running] },
    { why: 'before a moment', filter: { startedBefore: day(2) }, found: [ofFirst] },
    { why: 'between', filter: { startedAfter: day(4), startedBefore: day(5) }, found: [upgrade] },
    { why: 'between, of a Runtime', filter: { runtimeID: first, startedBefore: day(4) }, found: [ofFirst] },
    { why: 'all of them hold together', filter: { provider: 'azure', operation: 'Upgrade' }, found: [] },
  ];
  for (const { why, filter, found } of table) {
    assert.deepEqual(ids(await call(query, { variables: { filter } })), found, why);
    const { data } = await call(query, { variables: { filter, first: 1 } });
    assert.deepEqual(data.operations.pageInfo.hasNextPage, found.length > 1, why);
  }
});

test('an operation is listed as its status tells it', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const ours = await storeRuntime(database, { registration: 'ours' });
  await storeRuntime(database, { registration: 'none' });
  const fields = `id operation state message runtimeID compassRuntimeID errors { message } lastError { code } stage
    progress startedAt stageStartedAt finishedAt`;
  const { data } = await call(`{ operations { nodes { ${fields} } } }`);
  assert.equal(data.operations.nodes.length, 2);
  for (const node of data.operations.nodes) {
    const status = await call(`{ runtimeOperationStatus(id: "${node.id}") { ${fields} } }`);
    assert.deepEqual(node, status.data.runtimeOperationStatus);
    assert.equal(node.compassRuntimeID, node.runtimeID === ours ? ours : null);
  }
});

test('pages show every operation once while others are accepted', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const runtimeId = await storeRuntime(database, { createdAt: '2026-01-01T00:00:00Z' });
  const stored = [await oneOperation(call, `{ runtimeID: "${runtimeId}" }`)];
  // Several of the same moment, so that the id decides.
  for (let index = 0; index < 12; index++) {
    const startedAt = `2026-01-02T00:00:00.00000${index % 3}Z`;
    stored.push(await storeOperation(database, runtimeId, { kind: 'Upgrade', startedAt }));
  }
  for (const filter of [null, { runtimeID: runtimeId }, { provider: 'gcp' }]) {
    const before = (await call(query, { variables: { first: 200 } })).data.operations.nodes.length;
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const { data, errors } = await call(query, { variables: { first: 5, after, filter } });
      assert.equal(errors, undefined);
      seen.push(...data.operations.nodes.map(({ id }: { id: string }) => id));
      if (!data.operations.pageInfo.hasNextPage) break;
      after = data.operations.pageInfo.endCursor;
      await Promise.all([call(provisionMutation()), call(provisionMutation())]);
    }
    assert.equal(new Set(seen).size, seen.length, 'none twice');
    assert.deepEqual(
      stored.filter((id) => !seen.includes(id)),
      [],
      'none lost',
    );
    const filtered = filter && 'runtimeID' in filter;
    assert.equal(seen.length, filtered ? stored.length : before, 'none of those that came later');
  }
});

test("a tenant sees its own operations only, also when it knows another's Runtime", async (t) => {
  const { call, database } = await apiUnderTest(t);
  const runtimeId = await storeRuntime(database, { createdAt: '2026-01-02T00:00:00Z' });
  await storeOperation(database, runtimeId, { kind: 'Upgrade', startedAt: '2026-01-03T00:00:00Z' });
  await storeRuntime(database, { tenant: 'tenant-b', createdAt: '2026-01-01T00:00:00Z' });
  const asA = await call(query, { variables: { first: 1 } });
  const { endCursor } = asA.data.operations.pageInfo;
  const asB = { tenant: 'tenant-b' };
  const own = ids(await call(query, asB));
  assert.equal(own.length, 1);
  assert.deepEqual(ids(await call(query, { ...asB, variables: { after: endCursor } })), own);
  assert.deepEqual(ids(await call(query, { ...asB, variables: { filter: { runtimeID: runtimeId } } })), []);
});

test('a request that cannot be answered is refused with the path of every mistake', async (t) => {
  const { call } = await apiUnderTest(t);
  const variables = {
    filter: { runtimeID: ['x', crypto.randomUUID()], stage: ['a\0'] },
    first: 1_000,
    after: Buffer.from(`runtimes 1 ${crypto.randomUUID()}`).toString('base64url'),
  };
  const { data, errors } = await call(query, { variables });
  assert.equal(data, null);
  assert.equal(errors?.[0].extensions.code, 'INVALID_INPUT');
  assert.deepEqual(
    errors?.[0].extensions.problems.map(({ path }: { path: string }) => path),
    ['filter.stage.0', 'filter.runtimeID.0', 'first', 'after'],
  );
});
