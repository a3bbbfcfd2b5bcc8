import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Answer, type Body, startTestServer, type TestServer } from './test-server.ts';

const gadgets = '/apis/test.example.com/v1/namespaces/default/gadgets';
let server: TestServer;
let path = '';
let count = 0;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(() => {
  count += 1;
  path = `${gadgets}/g${count}`;
});

function apply(
  manager: string,
  content: object,
  { force = false, to = path }: { force?: boolean; to?: string } = {},
): Promise<Answer> {
  const body = { apiVersion: 'test.example.com/v1', kind: 'Gadget', ...content };
  const query = `fieldManager=${manager}${force ? '&force=true' : ''}`;
  return server.request(`${to}?${query}`, { method: 'PATCH', body, contentType: 'application/apply-patch+yaml' });
}

async function applied(
  manager: string,
  content: object,
  options: { force?: boolean; to?: string } = {},
): Promise<Body> {
  const { status, body } = await apply(manager, content, options);
  assert.ok(status === 200 || status === 201, JSON.stringify(body));
  return body;
}

function owners(body: Body): Record<string, Body> {
  const entries: Body[] = body.metadata.managedFields ?? [];
  return Object.fromEntries(entries.map((entry) => [`${entry.manager} ${entry.operation}`, entry.fieldsV1]));
}

test('applying creates what is missing and says who owns what', async () => {
  const parts = [{ name: 'lid', weight: 1 }];
  const { status, body } = await apply('alice', { spec: { color: 'red', parts, tags: ['a'], zones: ['z'] } });
  assert.equal(status, 201);
  assert.deepEqual(owners(body), {
    'alice Apply': {
      'f:spec': {
        'f:color': {},
        'f:parts': { 'k:{"name":"lid"}': { '.': {}, 'f:name': {}, 'f:weight': {} } },
        'f:tags': { 'v:"a"': {} },
        'f:zones': {},
      },
    },
  });
});

test('applying the same again changes nothing at all', async () => {
  const first = await applied('alice', { spec: { color: 'red', parts: [{ name: 'lid' }] } });
  const second = await apply('alice', { spec: { color: 'red', parts: [{ name: 'lid' }] } });
  assert.equal(second.status, 200);
  assert.deepEqual(second.body, first);
});

test('a field of another manager is a conflict that names manager and field', async () => {
  await applied('alice', { spec: { color: 'red' } });
  const { status, body } = await apply('bob', { spec: { color: 'blue' } });
  assert.equal(status, 409);
  assert.equal(body.reason, 'Conflict');
  assert.equal(body.message, 'Apply failed with 1 conflict: conflict with "alice": .spec.color');
  assert.deepEqual(body.details.causes, [
    { reason: 'FieldManagerConflict', message: 'conflict with "alice"', field: '.spec.color' },
  ]);
  assert.equal((await server.request(path)).body.spec.color, 'red');
});

test('several conflicts are listed by manager', async () => {
  await applied('alice', { spec: { color: 'red', parts: [{ name: 'lid', weight: 1 }] } });
  const { body } = await apply('bob', { spec: { color: 'blue', parts: [{ name: 'lid', weight: 2 }] } });
  const lines = [
    'Apply failed with 2 conflicts: conflicts with "alice":',
    '- .spec.color',
    '- .spec.parts[name="lid"].weight',
  ];
  assert.equal(body.message, lines.join('\n'));
});

test('force takes the field over, and its old owner can no longer remove it', async () => {
  await applied('alice', { spec: { color: 'red', size: 5 } });
  const taken = await applied('bob', { spec: { color: 'blue' } }, { force: true });
  assert.equal(taken.spec.color, 'blue');
  assert.deepEqual(owners(taken)['alice Apply'], { 'f:spec': { 'f:size': {} } });
  const later = await applied('alice', { spec: { size: 6 } });
  assert.deepEqual(later.spec, { color: 'blue', size: 6 });
});

test('the same value is shared, and stays until the last owner lets it go', async () => {
  await applied('alice', { spec: { color: 'red', options: { a: '1' } } });
  await applied('bob', { spec: { color: 'red', options: { a: '1' } } });
  const aliceLeft = await applied('alice', { spec: { color: 'red' } });
  assert.deepEqual(aliceLeft.spec.options, { a: '1' });
  const bothLeft = await applied('bob', { spec: { color: 'red' } });
  assert.equal(bothLeft.spec.options, undefined);
});

test('what a manager no longer applies is removed, what others own stays', async () => {
  await applied('alice', {
    spec: { color: 'red', options: { a: '1', b: '2' }, parts: [{ name: 'lid' }, { name: 'box' }] },
  });
  await applied('bob', { spec: { options: { c: '3' }, parts: [{ name: 'box', weight: 4 }] } });
  const body = await applied('alice', { spec: { color: 'red' } });
  assert.deepEqual(body.spec.options, { c: '3' });
  assert.deepEqual(body.spec.parts, [{ name: 'box', weight: 4 }]);
});

test('two managers fill one associative list and one set', async () => {
  await applied('alice', { spec: { color: 'red', parts: [{ name: 'lid', weight: 1 }], tags: ['x'] } });
  const body = await applied('bob', { spec: { parts: [{ name: 'box', weight: 2 }], tags: ['y'] } });
  assert.deepEqual(
    body.spec.parts.map((part: { name: string }) => part.name),
    ['lid', 'box'],
  );
  assert.deepEqual(body.spec.tags, ['x', 'y']);
});

test('a list that is not associative has one owner as a whole', async () => {
  await applied('alice', { spec: { color: 'red', zones: ['a'] } });
  const { status } = await apply('bob', { spec: { zones: ['a', 'b'] } });
  assert.equal(status, 409);
});

test('an ordinary update owns what it changes and conflicts with a later apply', async () => {
  await applied('alice', { spec: { color: 'red' } });
  const options = { method: 'PATCH', body: { spec: { color: 'green' } }, contentType: 'application/merge-patch+json' };
  const { body } = await server.request(`${path}?fieldManager=editor`, options);
  assert.deepEqual(owners(body), { 'editor Update': { 'f:spec': { 'f:color': {} } } });
  const { body: refused } = await apply('alice', { spec: { color: 'red' } });
  assert.match(
    refused.message,
    /^Apply failed with 1 conflict: conflict with "editor" using test.example.com\/v1 at \S+Z: .spec.color$/,
  );
});

test('the status subresource has owners of its own', async () => {
  await applied('alice', { spec: { color: 'red' }, status: { ignored: true } });
  const body = await applied('reporter', { status: { phase: 'Ready' } }, { to: `${path}/status` });
  assert.deepEqual(body.status, { phase: 'Ready' });
  const entry = body.metadata.managedFields.find(({ manager }: { manager: string }) => manager === 'reporter');
  assert.equal(entry.subresource, 'status');
  assert.deepEqual(entry.fieldsV1, { 'f:status': { 'f:phase': {} } });
});

test('a field that the schema does not know is refused', async () => {
  const { status, body } = await apply('alice', { spec: { color: 'red', hue: 1 } });
  assert.equal(status, 500);
  assert.match(
    body.message,
    /^failed to create typed patch object \(default\/g\d+; .*\): .spec.hue: field not declared in schema$/,
  );
});

test('a field manager must be named, and managedFields must not be', async () => {
  const body = { apiVersion: 'test.example.com/v1', kind: 'Gadget', spec: { color: 'red' } };
  const options = { method: 'PATCH', body, contentType: 'application/apply-patch+yaml' };
  const nameless = await server.request(path, options);
  assert.equal(nameless.status, 422);
  assert.match(nameless.body.message, /fieldManager: Required value: is required for apply patch/);
  assert.equal((await apply('alice', { metadata: { managedFields: [] }, spec: { color: 'red' } })).status, 400);
});

test('a resourceVersion in an applied object must be the current one', async () => {
  const { metadata } = await applied('alice', { spec: { color: 'red' } });
  await applied('alice', { spec: { color: 'blue' } });
  const stale = await apply('alice', {
    metadata: { resourceVersion: metadata.resourceVersion },
    spec: { color: 'red' },
  });
  assert.equal(stale.status, 409);
  assert.match(stale.body.message, /the object has been modified/);
});

test('YAML is understood, and a dry run leaves nothing', async () => {
  const body = 'apiVersion: test.example.com/v1\nkind: Gadget\nspec:\n  color: red\n';
  const options = { method: 'PATCH', body, contentType: 'application/apply-patch+yaml' };
  const answer = await server.request(`${path}?fieldManager=alice&dryRun=All`, options);
  assert.equal(answer.body.spec.color, 'red');
  assert.equal((await server.request(path)).status, 404);
});

test('containers of a Deployment merge by name, their env too', async () => {
  const deployment = `/apis/apps/v1/namespaces/default/deployments/d${count}`;
  const pod = (containers: object[]) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: { selector: { matchLabels: { a: 'b' } }, template: { spec: { containers } } },
  });
  await applied('alice', pod([{ name: 'web', image: 'web:1', env: [{ name: 'A', value: '1' }] }]), { to: deployment });
  const sidecar = [
    { name: 'web', env: [{ name: 'B', value: '2' }] },
    { name: 'proxy', image: 'proxy:1' },
  ];
  const body = await applied('mesh', pod(sidecar), { to: deployment });
  const { containers } = body.spec.template.spec;
  assert.deepEqual(containers[0], {
    name: 'web',
    image: 'web:1',
    env: [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ],
  });
  assert.equal(containers[1].name, 'proxy');
});
