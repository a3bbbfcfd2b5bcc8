import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../../harness/eventually.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function definition(plural: string, more: object = {}) {
  const group = 'made.example.com';
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { level: { type: 'integer', default: 3 } } },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: `Kind${plural}`, shortNames: [] },
      versions: [
        { name: 'v1alpha1', served: true, storage: false, schema },
        { name: 'v1', served: true, storage: true, schema, subresources: { status: {} } },
      ],
      ...more,
    },
  };
}

async function define(plural: string): Promise<string> {
  const created = await server.request(definitions, { method: 'POST', body: definition(plural) });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const name = `${plural}.made.example.com`;
  await eventually('the definition to be established', async () => {
    const { body } = await server.request(`${definitions}/${name}`);
    const conditions: { type: string; status: string }[] = body.status?.conditions ?? [];
    return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  });
  return `/apis/made.example.com/v1/namespaces/default/${plural}`;
}

test('a new CustomResourceDefinition serves its kinds only after a while', async () => {
  server.api.establishDelayMilliseconds = 60_000;
  await server.request(definitions, { method: 'POST', body: definition('lates') });
  const early = await server.request('/apis/made.example.com/v1/namespaces/default/lates');
  server.api.establishDelayMilliseconds = 5;
  assert.equal(early.status, 404);
  assert.equal(early.body.message, 'the server could not find the requested resource');
});

test('its versions show the same objects, stored in the storage version', async () => {
  const path = await define('widgets');
  const old = path.replace('/v1/', '/v1alpha1/');
  const body = { apiVersion: 'made.example.com/v1alpha1', kind: 'Kindwidgets', metadata: { name: 'w' }, spec: {} };
  const created = await server.request(old, { method: 'POST', body });
  assert.equal(created.status, 201);
  assert.equal(created.body.apiVersion, 'made.example.com/v1alpha1');
  assert.equal(created.body.spec.level, 3);
  const { body: current } = await server.request(`${path}/w`);
  assert.equal(current.apiVersion, 'made.example.com/v1');
  assert.equal(current.metadata.uid, created.body.metadata.uid);
  assert.equal(server.api.read('widgets.made.example.com', 'default', 'w')?.apiVersion, 'made.example.com/v1');
});

test('deleting a definition takes its objects along, and waits for their finalizers', async () => {
  const path = await define('stickies');
  const metadata = { name: 's', finalizers: ['example.com/hold'] };
  const body = { apiVersion: 'made.example.com/v1', kind: 'Kindstickies', metadata, spec: {} };
  assert.equal((await server.request(path, { method: 'POST', body })).status, 201);
  const deleted = await server.request(`${definitions}/stickies.made.example.com`, { method: 'DELETE' });
  assert.ok(deleted.body.metadata.deletionTimestamp);
  await eventually(
    'the object to be marked',
    async () => (await server.request(`${path}/s`)).body.metadata.deletionTimestamp,
  );
  assert.equal((await server.request(`${definitions}/stickies.made.example.com`)).status, 200);
  const contentType = 'application/merge-patch+json';
  await server.request(`${path}/s`, { method: 'PATCH', body: { metadata: { finalizers: [] } }, contentType });
  await eventually(
    'the definition to go',
    async () => (await server.request(`${definitions}/stickies.made.example.com`)).status === 404,
  );
  assert.equal((await server.request(path)).status, 404);
});

test('an established definition has the cleanup finalizer and names its stored version', async () => {
  await define('cleaneds');
  const { body } = await server.request(`${definitions}/cleaneds.made.example.com`);
  assert.deepEqual(body.metadata.finalizers, ['customresourcecleanup.apiextensions.k8s.io']);
  assert.deepEqual(body.status.storedVersions, ['v1']);
});

const badDefinitions: readonly { reason: string; body: object; says: RegExp }[] = [
  {
    reason: 'a name that is not plural.group',
    body: { ...definition('things'), metadata: { name: 'other.made.example.com' } },
    says: /metadata.name: Invalid value: "other.made.example.com": must be spec.names.plural/,
  },
  {
    reason: 'no storage version',
    body: definition('things', { versions: [] }),
    says: /must have exactly one version marked as storage version/,
  },
];
for (const { reason, body, says } of badDefinitions) {
  test(`a definition is refused for ${reason}`, async () => {
    const answer = await server.request(definitions, { method: 'POST', body });
    assert.equal(answer.status, 422);
    assert.match(answer.body.message, says);
  });
}

test('a Namespace gets its ServiceAccount, and takes everything in it along when it goes', async () => {
  await server.request('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'doomed' } } });
  await eventually('the ServiceAccount', () => server.api.read('serviceaccounts', 'doomed', 'default'));
  const inside = '/api/v1/namespaces/doomed/configmaps';
  await server.request(inside, { method: 'POST', body: { metadata: { name: 'free' } } });
  const held = { metadata: { name: 'held', finalizers: ['example.com/hold'] } };
  await server.request(inside, { method: 'POST', body: held });
  const { body } = await server.request('/api/v1/namespaces/doomed', { method: 'DELETE' });
  assert.ok(body.metadata.deletionTimestamp);
  await eventually('the free one to go', () => server.api.read('configmaps', 'doomed', 'free') === undefined);
  assert.equal((await server.request('/api/v1/namespaces/doomed')).body.status.phase, 'Terminating');
  const late = await server.request(inside, { method: 'POST', body: { metadata: { name: 'late' } } });
  assert.equal(late.status, 403);
  assert.match(late.body.message, /because it is being terminated/);
  server.api.write('configmaps', 'doomed', 'held', (copy) => {
    copy.metadata.finalizers = [];
  });
  await eventually('the Namespace to go', () => server.api.read('namespaces', undefined, 'doomed') === undefined);
});

function family(parent: string) {
  const owner = server.api.create('configmaps', { metadata: { name: parent, namespace: 'default' } });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: parent, uid: owner.metadata.uid }];
  const metadata = { name: `${parent}-child`, namespace: 'default', ownerReferences };
  server.api.create('secrets', { metadata });
  return { child: () => server.api.read('secrets', 'default', `${parent}-child`) };
}

function removeParent(parent: string, propagationPolicy: string) {
  return server.request(`/api/v1/namespaces/default/configmaps/${parent}`, {
    method: 'DELETE',
    body: { propagationPolicy },
  });
}

test('dependents go with their owner when it is deleted in the background', async () => {
  const { child } = family('background');
  const { body } = await removeParent('background', 'Background');
  assert.equal(body.status, 'Success');
  await eventually('the dependent to go', () => child() === undefined);
});

test('an owner waits for its dependents when it is deleted in the foreground', async () => {
  const { child } = family('foreground');
  const { body } = await removeParent('foreground', 'Foreground');
  assert.ok(body.metadata.finalizers.includes('foregroundDeletion'));
  await eventually('both to go', () => server.api.read('configmaps', 'default', 'foreground') === undefined);
  assert.equal(child(), undefined);
});

test('dependents stay without an owner when it is deleted with Orphan', async () => {
  const { child } = family('orphaning');
  await removeParent('orphaning', 'Orphan');
  await eventually('the owner to go', () => server.api.read('configmaps', 'default', 'orphaning') === undefined);
  assert.deepEqual(child()?.metadata.ownerReferences, []);
});

test('in-process actors read, write and remove past admission', () => {
  const { api } = server;
  api.create('gadgets', { metadata: { name: 'inside', namespace: 'default' }, spec: { color: 'invisible' } });
  const written = api.write('gadgets.test.example.com', 'default', 'inside', (copy) => {
    copy.status = { phase: 'Ready' };
  });
  assert.deepEqual(written?.status, { phase: 'Ready' });
  assert.equal(api.list('gadgets', { namespace: 'default' }).length, 1);
  assert.equal(api.remove('gadgets', 'default', 'inside')?.removed, true);
  assert.equal(api.remove('gadgets', 'default', 'inside'), undefined);
  assert.equal(
    api.write('gadgets', 'default', 'inside', () => assert.fail('there is nothing to change')),
    undefined,
  );
});
