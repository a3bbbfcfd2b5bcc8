import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextStep } from '../../../src/clusters/gke/cluster-steps.ts';

const pool = (name: string, version: string, initialNodeCount: number) => ({ name, version, initialNodeCount });

test('the control plane is upgraded first, then every pool, and only the pool of the order is resized', () => {
  const desired = { kubernetesVersion: '1.35', numberOfNodes: 3 };
  const [old, current] = ['1.34.4-gke.1', '1.35.2-gke.7'];
  const cluster = (master: string, ...nodePools: readonly ReturnType<typeof pool>[]) => ({
    ...{ name: 'one', currentMasterVersion: master, nodePools: [...nodePools] },
  });
  const steps = [
    nextStep(cluster(old, pool('gpu', old, 1), pool('default-pool', old, 2)), desired),
    nextStep(cluster(current, pool('gpu', old, 1), pool('default-pool', old, 2)), desired),
    nextStep(cluster(current, pool('gpu', current, 1), pool('default-pool', old, 2)), desired),
    nextStep(cluster(current, pool('gpu', current, 1), pool('default-pool', current, 2)), desired),
    nextStep(cluster(current, pool('gpu', current, 1), pool('default-pool', current, 3)), desired),
  ];
  assert.deepEqual(steps, [
    { kind: 'upgradeControlPlane', to: '1.35' },
    { kind: 'upgradeNodes', pool: 'gpu', to: current },
    { kind: 'upgradeNodes', pool: 'default-pool', to: current },
    { kind: 'resize', pool: 'default-pool', nodeCount: 3 },
    undefined,
  ]);
});
