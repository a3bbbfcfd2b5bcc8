import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '../../src/kubernetes/kubernetes-client.ts';
import { moduleState } from '../../src/kyma/modules/module-state.ts';

const available = [{ type: 'Available', status: 'True' }];

function manager(status: object, generation = 1): KubernetesObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'manager', generation }, status };
}

function resource(status: object | undefined, metadata: object = {}): KubernetesObject {
  return {
    apiVersion: 'operator.kyma-project.io/v1alpha2',
    kind: 'Istio',
    metadata: { name: 'default', generation: 2, ...metadata },
    ...(status && { status }),
  };
}

const works = manager({ observedGeneration: 1, conditions: available });

test('a module is as far as its manager and its custom resource are', () => {
  const cases: {
    reason: string;
    manager?: KubernetesObject;
    resource?: KubernetesObject;
    state: string;
    message?: RegExp;
  }[] = [
    { reason: 'nothing is there', state: 'absent' },
    { reason: 'both work', manager: works, resource: resource({ state: 'Ready' }), state: 'ready' },
    {
      reason: 'the manager is gone',
      resource: resource({ state: 'Ready' }),
      state: 'working',
      message: /manager Deployment is missing/,
    },
    { reason: 'the resource is gone', manager: works, state: 'working', message: /custom resource is missing/ },
    {
      reason: 'the manager is only available as it was before',
      manager: manager({ observedGeneration: 1, conditions: available }, 2),
      resource: resource({ state: 'Ready' }),
      state: 'working',
      message: /starting/,
    },
    {
      reason: 'old Pods still serve',
      manager: manager({ observedGeneration: 1, updatedReplicas: 0, conditions: available }),
      resource: resource({ state: 'Ready' }),
      state: 'working',
      message: /being replaced/,
    },
    {
      reason: 'the manager has no Pod',
      manager: manager({
        observedGeneration: 1,
        conditions: [{ type: 'Available', status: 'False', message: 'Deployment does not have minimum availability.' }],
      }),
      resource: resource({ state: 'Ready' }),
      state: 'working',
      message: /minimum availability/,
    },
    {
      reason: 'nothing was reported yet',
      manager: works,
      resource: resource(undefined),
      state: 'working',
      message: /Processing/,
    },
    {
      reason: 'the report is about an earlier generation',
      manager: works,
      resource: resource({ state: 'Ready', observedGeneration: 1 }),
      state: 'working',
    },
    {
      reason: 'the conditions are about an earlier generation',
      manager: works,
      resource: resource({ state: 'Ready', conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }] }),
      state: 'working',
    },
    {
      reason: 'the report is about this generation',
      manager: works,
      resource: resource({ state: 'Ready', observedGeneration: 2 }),
      state: 'ready',
    },
    {
      reason: 'a user has something to do',
      manager: works,
      resource: resource({
        state: 'Warning',
        conditions: [{ type: 'Installed', status: 'False', message: 'Secret sap-btp-manager is missing' }],
      }),
      state: 'attention',
      message: /Warning: Secret sap-btp-manager is missing/,
    },
    {
      reason: 'an error heals when the manager checks again',
      manager: works,
      resource: resource({ state: 'Error', description: 'Istio CRDs are missing' }),
      state: 'working',
      message: /Error: Istio CRDs are missing/,
    },
    {
      reason: 'somebody deletes it',
      manager: works,
      resource: resource({ state: 'Ready' }, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      state: 'working',
      message: /being deleted/,
    },
  ];
  for (const { reason, manager, resource, state, message } of cases) {
    const seen = moduleState({ manager, resource });
    assert.equal(seen.state, state, reason);
    if (message) assert.match(seen.message, message, reason);
  }
});
