import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  ApiException,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
} from '@kubernetes/client-node';
import { eventually } from '../../harness/eventually.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const namespace = 'default';
let server: TestServer;
let config: KubeConfig;
before(async () => {
  server = await startTestServer();
  config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
});
after(() => server.close());

function gadget(name: string, color: string) {
  return { apiVersion: 'test.example.com/v1', kind: 'Gadget', metadata: { name, namespace }, spec: { color } };
}

test('the official client creates, reads, lists and deletes', async () => {
  const core = config.makeApiClient(CoreV1Api);
  await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'cm' }, data: { a: 'b' } } });
  const read = await core.readNamespacedConfigMap({ namespace, name: 'cm' });
  assert.deepEqual(read.data, { a: 'b' });
  assert.ok(read.metadata?.creationTimestamp instanceof Date);
  const { items, metadata } = await core.listNamespacedConfigMap({ namespace, limit: 1 });
  assert.equal(items.length, 1);
  assert.ok(metadata?.resourceVersion);
  const deleted = await core.deleteNamespacedConfigMap({ namespace, name: 'cm' });
  assert.equal(deleted.status, 'Success');
});

test('the official client understands errors as Status', async () => {
  const core = config.makeApiClient(CoreV1Api);
  await assert.rejects(core.readNamespacedSecret({ namespace, name: 'nothing' }), (error) => {
    assert.ok(error instanceof ApiException);
    assert.equal(error.code, 404);
    assert.match(String(error.body), /secrets \\"nothing\\" not found/);
    return true;
  });
});

test('the official client finds kinds by discovery and applies on the server', async () => {
  const objects = KubernetesObjectApi.makeApiClient(config);
  const apply = (color: string, manager: string, force: boolean) =>
    objects.patch(gadget('applied', color), undefined, undefined, manager, force, PatchStrategy.ServerSideApply);
  await apply('red', 'alice', false);
  await assert.rejects(apply('blue', 'bob', false), (error) => {
    assert.ok(error instanceof ApiException);
    assert.equal(error.code, 409);
    return true;
  });
  await apply('blue', 'bob', true);
  assert.equal(server.api.read('gadgets', namespace, 'applied')?.spec.color, 'blue');
});

test('the official client sees a conflict when it replaces a stale object', async () => {
  const custom = config.makeApiClient(CustomObjectsApi);
  const place = { group: 'test.example.com', version: 'v1', namespace, plural: 'gadgets' };
  const created = await custom.createNamespacedCustomObject({ ...place, body: gadget('stale', 'red') });
  server.api.write('gadgets', namespace, 'stale', (copy) => {
    copy.spec.color = 'green';
  });
  await assert.rejects(
    custom.replaceNamespacedCustomObject({ ...place, name: 'stale', body: created }),
    (error) => error instanceof ApiException && error.code === 409,
  );
});

test('an informer of the official client follows additions, changes and removals', async () => {
  const core = config.makeApiClient(CoreV1Api);
  server.api.create('configmaps', { metadata: { name: 'early', namespace: 'kube-system' } });
  const heard: string[] = [];
  const informer = makeInformer(config, '/api/v1/namespaces/kube-system/configmaps', () =>
    core.listNamespacedConfigMap({ namespace: 'kube-system' }),
  );
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event, (object) => heard.push(`${event} ${object.metadata?.name}`));
  }
  await informer.start();
  await eventually('the informer to watch', () => server.api.watchCount === 1);
  server.api.create('configmaps', { metadata: { name: 'late', namespace: 'kube-system' } });
  server.api.write('configmaps', 'kube-system', 'late', (copy) => {
    copy.data = { a: 'b' };
  });
  server.api.remove('configmaps', 'kube-system', 'late');
  await eventually('the removal to be heard', () => heard.includes('delete late'));
  assert.deepEqual(heard, ['add early', 'add late', 'update late', 'delete late']);
  await informer.stop();
});
