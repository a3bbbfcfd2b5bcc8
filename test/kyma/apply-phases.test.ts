import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { KubernetesObject } from '../../src/kubernetes/kubernetes-client.ts';
import { inPhases } from '../../src/kyma/modules/apply-phases.ts';
import { inParallel } from '../../src/kyma/modules/in-parallel.ts';
import { moduleNamespaces } from '../../src/kyma/modules/module-namespaces.ts';
import type { PlannedModule } from '../../src/kyma/modules/modules-plan.ts';
import { leaveReplicasToAutoscalers, prepareObject } from '../../src/kyma/modules/prepare-object.ts';

const kinds = [
  'Istio',
  'ValidatingWebhookConfiguration',
  'Deployment',
  'Service',
  'ClusterRoleBinding',
  'ServiceAccount',
  'CustomResourceDefinition',
  'Namespace',
];

function object(kind: string, more: object = {}): KubernetesObject {
  return { apiVersion: 'v1', kind, metadata: { name: kind.toLowerCase() }, ...more };
}

test('objects are applied after what they rely on, in whatever order a manifest has them', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(kinds, { minLength: kinds.length }), (shuffled) => {
      const order = inPhases(shuffled.map((kind) => object(kind))).map(({ objects }) =>
        objects.map(({ kind }) => kind).sort(),
      );
      assert.deepEqual(order, [
        ['Namespace'],
        ['CustomResourceDefinition'],
        ['ClusterRoleBinding', 'ServiceAccount'],
        ['Service'],
        ['Deployment'],
        ['ValidatingWebhookConfiguration'],
        ['Istio'],
      ]);
    }),
  );
});

test('what the server or a controller owns is not applied', () => {
  const prepared = prepareObject({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: {
      name: 'a',
      uid: 'x',
      resourceVersion: '1',
      creationTimestamp: '',
      managedFields: [],
      labels: { a: 'b' },
    },
    status: { ready: true },
    webhooks: [
      { name: 'generated', clientConfig: { caBundle: 'Cg==', service: { name: 's' } } },
      { name: 'own', clientConfig: { caBundle: 'TUlJ' } },
    ],
  });
  assert.deepEqual(prepared, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'a', labels: { a: 'b' } },
    webhooks: [
      { name: 'generated', clientConfig: { service: { name: 's' } } },
      { name: 'own', clientConfig: { caBundle: 'TUlJ' } },
    ],
  });
});

test('the replicas of an autoscaled workload are left to its autoscaler', () => {
  const deployment = object('Deployment', { spec: { replicas: 1, paused: false } });
  const scaler = object('HorizontalPodAutoscaler', {
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'deployment' } },
  });
  assert.deepEqual(leaveReplicasToAutoscalers([deployment])[0], deployment);
  assert.deepEqual(leaveReplicasToAutoscalers([deployment, scaler])[0]?.spec, { paused: false });
});

test('a namespace that several manifests bring is applied once, with the labels of all', () => {
  const planned = (name: string): PlannedModule => ({
    name,
    version: '1.0.0',
    namespace: 'kyma-system',
    requires: [],
    confidential: [],
    manifest: { url: 'https://example.com/a', sha256: '' },
    defaultResource: { url: 'https://example.com/b', sha256: '' },
    resource: { apiVersion: 'g/v1', kind: 'K', name: 'default', namespace: 'elsewhere' },
    manager: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'm', namespace: 'kyma-system' },
  });
  const namespace = (labels: Record<string, string>): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'kyma-system', labels },
  });
  const found = moduleNamespaces([
    { planned: planned('one'), manifest: [namespace({ one: '1' })] },
    { planned: planned('two'), manifest: [namespace({ two: '2' })] },
  ]);
  assert.deepEqual(
    found.map(({ metadata }) => [metadata.name, metadata.labels]),
    [
      ['kyma-system', { 'istio-injection': 'enabled', one: '1', two: '2' }],
      ['elsewhere', {}],
    ],
  );
});

test('work in parallel keeps its limit and its order, and a throw ends it', async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([3, 1, 2, 5, 4], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return item * 10;
  });
  assert.deepEqual(results, [30, 10, 20, 50, 40]);
  assert.equal(most, 2);
  const begun: number[] = [];
  const failing = inParallel([1, 2, 3, 4], 1, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('no');
  });
  await assert.rejects(failing, /no/);
  assert.deepEqual(begun, [1, 2]);
});
