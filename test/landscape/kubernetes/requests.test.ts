import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from './test-server.ts';

const gadgets = '/apis/test.example.com/v1/namespaces/default/gadgets';
let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

function gadget(name: string, spec: object = { color: 'red' }, metadata: object = {}) {
  return { apiVersion: 'test.example.com/v1', kind: 'Gadget', metadata: { name, ...metadata }, spec };
}

async function createGadget(name: string, spec?: object, metadata?: object) {
  const answer = await server.request(gadgets, { method: 'POST', body: gadget(name, spec, metadata) });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

test('classic discovery names groups, resources, short names and subresources', async () => {
  const groups = await server.request('/apis');
  assert.ok(groups.body.groups.some((group: { name: string }) => group.name === 'test.example.com'));
  const { body } = await server.request('/apis/test.example.com/v1');
  const names = body.resources.map((resource: { name: string }) => resource.name);
  assert.deepEqual(names, ['gadgets', 'gadgets/status', 'gadgets/paint']);
  assert.deepEqual(body.resources[0].shortNames, ['gd']);
  assert.equal((await server.request('/apis/nothing.example.com/v1')).status, 404);
});

test('aggregated discovery comes when it is asked for', async () => {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
  const { body, headers } = await server.request('/apis', { headers: { accept } });
  assert.match(headers.get('content-type') ?? '', /as=APIGroupDiscoveryList/);
  const group = body.items.find((item: { metadata: { name: string } }) => item.metadata.name === 'test.example.com');
  assert.equal(group.versions[0].resources[0].responseKind.kind, 'Gadget');
});

test('health needs no credentials, everything else does', async () => {
  const anonymous = { headers: { authorization: 'Bearer wrong' } };
  for (const path of ['/healthz', '/readyz', '/livez']) {
    const { status, body } = await server.request(path, anonymous);
    assert.deepEqual([status, body], [200, 'ok']);
  }
  const { status, body } = await server.request(gadgets, anonymous);
  assert.equal(status, 401);
  assert.equal(body.reason, 'Unauthorized');
});

test('a created object comes back with what the server adds, and can be read', async () => {
  const created = await createGadget('fresh');
  assert.equal(created.spec.size, 1, 'the schema default');
  assert.equal(created.metadata.namespace, 'default');
  const { status, body } = await server.request(`${gadgets}/fresh`);
  assert.equal(status, 200);
  assert.deepEqual(body, created);
});

interface Refusal {
  readonly reason: string;
  readonly path?: string;
  readonly body: object | string;
  readonly status: number;
  readonly says: string;
  readonly statusReason: string;
}

const refusedCreations: readonly Refusal[] = [
  {
    reason: 'an unknown field, in strict validation',
    path: `${gadgets}?fieldValidation=Strict`,
    body: gadget('x', { color: 'red', colour: 'x' }),
    status: 400,
    says: 'Gadget in version "v1" cannot be handled as a Gadget: strict decoding error: unknown field "spec.colour"',
    statusReason: 'BadRequest',
  },
  {
    reason: 'a missing required field',
    body: gadget('x', {}),
    status: 422,
    says: 'Gadget.test.example.com "x" is invalid: spec.color: Required value',
    statusReason: 'Invalid',
  },
  {
    reason: 'a value of the wrong type',
    body: gadget('x', { color: 'red', size: 'big' }),
    status: 422,
    says: 'Gadget.test.example.com "x" is invalid: spec.size: Invalid value: "big": spec.size in body must be of type integer: "string"',
    statusReason: 'Invalid',
  },
  {
    reason: 'what admission refuses',
    body: gadget('x', { color: 'invisible' }),
    status: 422,
    says: 'Gadget.test.example.com "x" is invalid: spec.color: Invalid value: "invisible": must be visible',
    statusReason: 'Invalid',
  },
  {
    reason: 'a missing namespace',
    path: gadgets.replace('default', 'nowhere'),
    body: gadget('x'),
    status: 404,
    says: 'namespaces "nowhere" not found',
    statusReason: 'NotFound',
  },
  {
    reason: 'another namespace in the body',
    body: gadget('x', { color: 'red' }, { namespace: 'kube-system' }),
    status: 400,
    says: 'the namespace of the provided object does not match the namespace sent on the request',
    statusReason: 'BadRequest',
  },
  {
    reason: 'a resourceVersion',
    body: gadget('x', { color: 'red' }, { resourceVersion: '5' }),
    status: 400,
    says: 'resourceVersion should not be set on objects to be created',
    statusReason: 'BadRequest',
  },
  {
    reason: 'the wrong apiVersion',
    body: { ...gadget('x'), apiVersion: 'test.example.com/v2' },
    status: 400,
    says: 'the API version in the data (test.example.com/v2) does not match the expected API version (test.example.com/v1)',
    statusReason: 'BadRequest',
  },
  {
    reason: 'broken JSON',
    body: '{"kind":',
    status: 400,
    says: "couldn't get version/kind; json parse error:",
    statusReason: 'BadRequest',
  },
];
for (const { reason, path = gadgets, body, status, says, statusReason } of refusedCreations) {
  test(`a creation is refused for ${reason}`, async () => {
    const answer = await server.request(path, { method: 'POST', body });
    assert.equal(answer.status, status);
    assert.equal(answer.body.kind, 'Status');
    assert.equal(answer.body.reason, statusReason);
    assert.ok(answer.body.message.startsWith(says), answer.body.message);
  });
}

const badMetadata: readonly { reason: string; metadata: object; field: string }[] = [
  { reason: 'a name in capitals', metadata: { name: 'Loud' }, field: 'metadata.name' },
  { reason: 'no name at all', metadata: { name: '' }, field: 'metadata.name' },
  { reason: 'a label value with a space', metadata: { name: 'x', labels: { a: 'b c' } }, field: 'metadata.labels' },
  {
    reason: 'a label value of 64 characters',
    metadata: { name: 'x', labels: { a: 'b'.repeat(64) } },
    field: 'metadata.labels',
  },
  {
    reason: 'a label key with two slashes',
    metadata: { name: 'x', labels: { 'a/b/c': '' } },
    field: 'metadata.labels',
  },
  {
    reason: 'annotations beyond 256 KiB',
    metadata: { name: 'x', annotations: { a: 'b'.repeat(262_144) } },
    field: 'metadata.annotations',
  },
];
for (const { reason, metadata, field } of badMetadata) {
  test(`metadata is refused for ${reason}`, async () => {
    const { status, body } = await server.request(gadgets, { method: 'POST', body: gadget('x', undefined, metadata) });
    assert.equal(status, 422);
    assert.equal(body.details.causes[0].field, field);
  });
}

test('an unknown field is dropped with a warning when validation is not strict', async () => {
  const answer = await server.request(gadgets, { method: 'POST', body: gadget('warned', { color: 'red', hue: 1 }) });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get('warning'), '299 - "unknown field \\"spec.hue\\""');
  assert.equal(answer.body.spec.hue, undefined);
});

test('creating twice is AlreadyExists', async () => {
  await createGadget('twice');
  const { status, body } = await server.request(gadgets, { method: 'POST', body: gadget('twice') });
  assert.equal(status, 409);
  assert.equal(body.reason, 'AlreadyExists');
  assert.equal(body.message, 'gadgets.test.example.com "twice" already exists');
  assert.deepEqual(body.details, { name: 'twice', group: 'test.example.com', kind: 'gadgets' });
});

test('generateName makes a new name each time', async () => {
  const body = { ...gadget(''), metadata: { generateName: 'made-' } };
  const names = new Set<string>();
  for (let count = 0; count < 3; count += 1) {
    names.add((await server.request(gadgets, { method: 'POST', body })).body.metadata.name);
  }
  assert.equal(names.size, 3);
  for (const name of names) assert.match(name, /^made-[a-z0-9]{5}$/);
});

test('a dry run goes through everything and leaves nothing', async () => {
  const path = `${gadgets}?dryRun=All`;
  const created = await server.request(path, { method: 'POST', body: gadget('dry') });
  assert.equal(created.status, 201);
  assert.ok(created.body.metadata.uid);
  assert.equal((await server.request(`${gadgets}/dry`)).status, 404);
  const refused = await server.request(path, { method: 'POST', body: gadget('dry', { color: 'invisible' }) });
  assert.equal(refused.status, 422);
  await createGadget('wet');
  const patch = { method: 'PATCH', body: { spec: { size: 9 } }, contentType: 'application/merge-patch+json' };
  assert.equal((await server.request(`${gadgets}/wet?dryRun=All`, patch)).body.spec.size, 9);
  assert.equal((await server.request(`${gadgets}/wet`)).body.spec.size, 1);
  assert.equal((await server.request(`${gadgets}/wet?dryRun=All`, { method: 'DELETE' })).status, 200);
  assert.equal((await server.request(`${gadgets}/wet`)).status, 200);
});

test('PUT replaces with the right resourceVersion only, and never the status', async () => {
  const created = await createGadget('put');
  const changed = { ...created, spec: { color: 'blue' }, status: { sneaked: true } };
  const replaced = await server.request(`${gadgets}/put`, { method: 'PUT', body: changed });
  assert.equal(replaced.status, 200);
  assert.equal(replaced.body.spec.color, 'blue');
  assert.equal(replaced.body.status, undefined);
  const stale = await server.request(`${gadgets}/put`, { method: 'PUT', body: changed });
  assert.equal(stale.status, 409);
  assert.equal(stale.body.reason, 'Conflict');
  const blind = await server.request(`${gadgets}/put`, { method: 'PUT', body: gadget('put') });
  assert.equal(blind.status, 422);
  assert.match(blind.body.message, /metadata.resourceVersion: Invalid value: 0: must be specified for an update/);
});

test('the status subresource changes the status and nothing else', async () => {
  await createGadget('told');
  const patch = { spec: { color: 'black' }, status: { phase: 'Ready' } };
  const options = { method: 'PATCH', body: patch, contentType: 'application/merge-patch+json' };
  const { body } = await server.request(`${gadgets}/told/status`, options);
  assert.equal(body.spec.color, 'red');
  assert.deepEqual(body.status, { phase: 'Ready' });
  assert.equal(body.metadata.generation, 1);
  const main = await server.request(`${gadgets}/told`, { ...options, body: { status: { phase: 'Lost' } } });
  assert.deepEqual(main.body.status, { phase: 'Ready' });
});

test('a JSON patch whose test fails changes nothing', async () => {
  await createGadget('guarded');
  const body = [
    { op: 'test', path: '/spec/color', value: 'blue' },
    { op: 'replace', path: '/spec/color', value: 'green' },
  ];
  const options = { method: 'PATCH', body, contentType: 'application/json-patch+json' };
  assert.equal((await server.request(`${gadgets}/guarded`, options)).status, 422);
  assert.equal((await server.request(`${gadgets}/guarded`)).body.spec.color, 'red');
});

test('a strategic merge patch is for Kubernetes own types only', async () => {
  await createGadget('plain');
  const options = { method: 'PATCH', body: {}, contentType: 'application/strategic-merge-patch+json' };
  assert.equal((await server.request(`${gadgets}/plain`, options)).status, 415);
});

test('deleting answers a Status, or the object while finalizers hold it', async () => {
  const { metadata } = await createGadget('gone');
  const { status, body } = await server.request(`${gadgets}/gone`, { method: 'DELETE' });
  assert.equal(status, 200);
  assert.equal(body.status, 'Success');
  assert.equal(body.details.uid, metadata.uid);
  await createGadget('held', undefined, { finalizers: ['example.com/hold'] });
  const held = await server.request(`${gadgets}/held`, { method: 'DELETE' });
  assert.ok(held.body.metadata.deletionTimestamp);
  const addOne = { metadata: { finalizers: ['example.com/hold', 'example.com/late'] } };
  const contentType = 'application/merge-patch+json';
  const late = await server.request(`${gadgets}/held`, { method: 'PATCH', body: addOne, contentType });
  assert.equal(late.status, 422);
  assert.match(late.body.message, /no new finalizers can be added if the object is being deleted/);
  await server.request(`${gadgets}/held`, { method: 'PATCH', body: { metadata: { finalizers: null } }, contentType });
  assert.equal((await server.request(`${gadgets}/held`)).status, 404);
});

test('deleting with the uid of another object is a conflict', async () => {
  await createGadget('kept');
  const body = { preconditions: { uid: 'someone-else' } };
  const { status } = await server.request(`${gadgets}/kept`, { method: 'DELETE', body });
  assert.equal(status, 409);
  assert.equal((await server.request(`${gadgets}/kept`)).status, 200);
});

test('deletecollection deletes what the selector finds', async () => {
  await createGadget('many-1', undefined, { labels: { batch: 'x' } });
  await createGadget('many-2', undefined, { labels: { batch: 'x' } });
  await createGadget('many-3', undefined, { labels: { batch: 'y' } });
  const { body } = await server.request(`${gadgets}?labelSelector=batch%3Dx`, { method: 'DELETE' });
  assert.equal(body.items.length, 2);
  const left = await server.request(`${gadgets}?labelSelector=batch`);
  assert.deepEqual(
    left.body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
    ['many-3'],
  );
});

test('a custom subresource answers what its type makes of it', async () => {
  await createGadget('painted');
  const body = { apiVersion: 'test.example.com/v1', kind: 'PaintRequest', spec: { color: 'green' } };
  const answer = await server.request(`${gadgets}/painted/paint`, { method: 'POST', body });
  assert.equal(answer.status, 201);
  assert.deepEqual(answer.body.spec, { from: 'red', to: 'green' });
  assert.equal((await server.request(`${gadgets}/painted/polish`, { method: 'POST', body })).status, 404);
});

const selectors: readonly { reason: string; query: string; names: readonly string[] }[] = [
  { reason: 'equality', query: 'labelSelector=tier%3Dweb', names: ['sel-a', 'sel-b'] },
  { reason: 'two requirements', query: 'labelSelector=tier%3Dweb,env!%3Dprod', names: ['sel-b'] },
  { reason: 'a set', query: 'labelSelector=tier in (db, web),env', names: ['sel-a', 'sel-b'] },
  {
    reason: 'not in a set, which also takes what has no such label',
    query: 'labelSelector=sel,tier notin (web)',
    names: ['sel-c', 'sel-d'],
  },
  { reason: 'absence', query: 'labelSelector=sel,!env', names: ['sel-c', 'sel-d'] },
  { reason: 'a name', query: 'fieldSelector=metadata.name%3Dsel-c', names: ['sel-c'] },
  { reason: 'a field of the type', query: 'labelSelector=sel&fieldSelector=spec.color%3Dblue', names: ['sel-d'] },
];
test('selectors', async (context) => {
  await createGadget('sel-a', undefined, { labels: { sel: '', tier: 'web', env: 'prod' } });
  await createGadget('sel-b', undefined, { labels: { sel: '', tier: 'web', env: 'dev' } });
  await createGadget('sel-c', undefined, { labels: { sel: '', tier: 'db' } });
  await createGadget('sel-d', { color: 'blue' }, { labels: { sel: '' } });
  for (const { reason, query, names } of selectors) {
    await context.test(`select by ${reason}`, async () => {
      const { body } = await server.request(`${gadgets}?${query}`);
      assert.deepEqual(
        body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
        names,
      );
    });
  }
  await context.test('a field that cannot be selected by is a 400', async () => {
    const { status, body } = await server.request(`${gadgets}?fieldSelector=spec.size%3D1`);
    assert.equal(status, 400);
    assert.match(body.message, /field label not supported: spec.size/);
  });
});

test('the pages of a list show one moment, and going on after a compaction is 410', async () => {
  const namespace = '/api/v1/namespaces/kube-public/configmaps';
  const create = (name: string) => server.request(namespace, { method: 'POST', body: { metadata: { name } } });
  for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name);
  const first = await server.request(`${namespace}?limit=2`);
  assert.equal(first.body.metadata.remainingItemCount, 3);
  await create('bb');
  const names: string[] = first.body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
  let token: string | undefined = first.body.metadata.continue;
  while (token !== undefined) {
    const { body } = await server.request(`${namespace}?limit=2&continue=${token}`);
    names.push(...body.items.map((item: { metadata: { name: string } }) => item.metadata.name));
    assert.equal(body.metadata.resourceVersion, first.body.metadata.resourceVersion);
    token = body.metadata.continue;
  }
  assert.deepEqual(names, ['a', 'b', 'c', 'd', 'e']);
  const unfinished = await server.request(`${namespace}?limit=2`);
  server.api.store.compact();
  const { status, body } = await server.request(`${namespace}?limit=2&continue=${unfinished.body.metadata.continue}`);
  assert.equal(status, 410);
  assert.equal(body.reason, 'Expired');
});

test('a table has the columns of the type between name and age', async () => {
  await createGadget('tabled', { color: 'red', size: 7 });
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
  const { body } = await server.request(`${gadgets}?fieldSelector=metadata.name%3Dtabled`, { headers: { accept } });
  assert.equal(body.kind, 'Table');
  const columns = body.columnDefinitions.map(({ name, priority }: { name: string; priority: number }) => [
    name,
    priority,
  ]);
  assert.deepEqual(columns, [
    ['Name', 0],
    ['Color', 0],
    ['Size', 1],
    ['Age', 0],
  ]);
  assert.deepEqual(body.rows[0].cells.slice(0, 3), ['tabled', 'red', 7]);
  assert.match(body.rows[0].cells[3], /^\d+s$/);
  assert.equal(body.rows[0].object.kind, 'PartialObjectMetadata');
});

test('a body beyond 3 MB is refused', async () => {
  const body = { metadata: { name: 'big' }, data: { a: 'x'.repeat(3 * 1024 * 1024) } };
  const { status } = await server.request('/api/v1/namespaces/default/configmaps', { method: 'POST', body });
  assert.equal(status, 413);
});

test('a Secret takes stringData in and only gives data out', async () => {
  const body = { metadata: { name: 's' }, stringData: { password: 'pa55' } };
  const answer = await server.request('/api/v1/namespaces/default/secrets', { method: 'POST', body });
  assert.deepEqual(answer.body.data, { password: Buffer.from('pa55').toString('base64') });
  assert.equal(answer.body.stringData, undefined);
  assert.equal(answer.body.type, 'Opaque');
});

test('a method that a collection does not know is 405, an unknown resource 404', async () => {
  assert.equal((await server.request(`${gadgets}/x`, { method: 'POST', body: gadget('x') })).status, 405);
  assert.equal((await server.request('/apis/test.example.com/v1/doohickeys')).status, 404);
});
