import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeShoot } from '../../../src/clusters/gardener/shoot/judge-shoot.ts';
import { keptShoot } from '../../../src/clusters/gardener/shoot/kept-shoot.ts';
import { installationOf, ownerOf, tenantOf } from '../../../src/clusters/gardener/shoot/ownership.ts';
import { asShoot, type Shoot } from '../../../src/clusters/gardener/shoot/shoot.ts';
import { hibernationOf } from '../../../src/clusters/gardener/shoot/shoot-hibernation.ts';
import { shootManifest } from '../../../src/clusters/gardener/shoot/shoot-manifest.ts';
import { auditTenantAnnotation } from '../../../src/clusters/gardener/shoot/shoot-policy.ts';
import { newOperationId } from '../../../src/domain/ids.ts';
import { readPath } from '../../../src/domain/json.ts';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-client.ts';
import { configs, orderOf } from './orders.ts';

const settings = {
  ...{ namespace: 'garden-dev', installation: 'here' },
  ...{ autoUpdateKubernetesVersion: false, autoUpdateMachineImageVersion: false },
};
const order = orderOf(configs.gcp);
const manifest = shootManifest({ order, settings, operationId: newOperationId() });
const ofGardener = { uid: 'u1', resourceVersion: '7', generation: 2, creationTimestamp: '2026-08-01T00:00:00Z' };

test('of a Shoot is kept which one it is and whose', () => {
  const ofOthers = { [auditTenantAnnotation]: 'tenant-1', 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
  const marks = { ...manifest.metadata.annotations, ...ofOthers };
  const whole = asShoot({ ...manifest, metadata: { ...manifest.metadata, ...ofGardener, annotations: marks } });
  const { metadata, ...kept } = asShoot(keptShoot(whole));
  const { labels, annotations, ...identity } = metadata;
  assert.deepEqual(identity, { name: order.cluster.name, namespace: 'garden-dev', ...ofGardener });
  const shoot = { ...kept, metadata: { ...metadata, labels, annotations } };
  assert.equal(annotations?.[auditTenantAnnotation], 'tenant-1');
  assert.ok(!('kubectl.kubernetes.io/last-applied-configuration' in annotations));
  assert.equal(ownerOf(shoot), order.runtimeId);
  assert.equal(installationOf(shoot), 'here');
  assert.equal(tenantOf(shoot), order.tenant);
});

function seenWith(status: object): Shoot {
  return asShoot(keptShoot({ ...manifest, status } as KubernetesObject));
}

test('of a status is kept what is in the way of a hibernation, where the cluster is, and when certificates are renewed', () => {
  const constraint = { type: 'HibernationPossible', status: 'False', message: 'a webhook is in the way' };
  const seen = judgeShoot(seenWith({ constraints: [constraint], seedName: 'seed-2' }));
  assert.ok(seen.state === 'changing');
  assert.deepEqual([seen.seed, seen.hibernation?.obstacle], ['seed-2', constraint.message]);
  assert.equal(hibernationOf(seenWith({ constraints: [{ ...constraint, status: 'True' }] })).obstacle, undefined);
  const rotation = { certificateAuthorities: { phase: 'Prepared', lastInitiationTime: '2026-08-01T00:00:00Z' } };
  assert.deepEqual(readPath(seenWith({ credentials: { rotation } }), 'status', 'credentials', 'rotation'), rotation);
});
