import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeModules } from '../../src/kyma/modules/describe-modules.ts';

const artifact = (name: string) => ({ url: `https://example.com/${name}.yaml`, sha256: 'a'.repeat(64) });
const module = (name: string) => ({
  ...{ name, version: '1.2.3', namespace: 'kyma-system', requires: [] },
  ...{ manifest: artifact(name), defaultResource: artifact(`${name}-default`) },
  resource: { apiVersion: `${name}.example.com/v1`, kind: 'Thing', name: 'default' },
  manager: { apiVersion: 'apps/v1' as const, kind: 'Deployment' as const, name, namespace: 'kyma-system' },
});

test('each module is told with its version, addresses, digests and configuration, but for what is confidential', () => {
  const configuration = [
    { key: 'size', value: '3' },
    { key: 'password', value: 'canary', secret: true },
  ];
  const described = describeModules({
    config: { version: 'fast', components: [{ component: 'istio', namespace: 'kyma-system', configuration }] },
    installer: 'modules',
    plan: { version: 1, release: '1', modules: [module('istio'), module('eventing')] },
  });
  assert.deepEqual(
    described.map(({ subject }) => subject),
    ['module istio 1.2.3', 'module eventing 1.2.3'],
  );
  const [istio, eventing] = described.map(({ manifest }) => manifest);
  assert.deepEqual([istio?.manifest, istio?.defaultResource], [artifact('istio'), artifact('istio-default')]);
  assert.deepEqual(istio?.configuration, [
    { key: 'size', value: '3' },
    { key: 'password', secret: true },
  ]);
  assert.equal(eventing?.configuration, undefined);
  assert.doesNotMatch(JSON.stringify(described), /canary/);
});
