import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { GardenerOrder } from '../../../src/clusters/gardener/gardener-order.ts';
import { Failure, type FailureCode } from '../../../src/domain/failures.ts';
import { newOperationId } from '../../../src/domain/ids.ts';
import { kubernetesClient } from '../../../src/kubernetes/client.ts';
import { parseKubeconfig } from '../../../src/kubernetes/kubeconfig.ts';
import { type GardenerWorld, openGardenerWorld } from '../../contract/gardener-world.ts';
import { eventually } from '../../harness/eventually.ts';
import { newOrder } from './orders.ts';

const signal = AbortSignal.timeout(120_000);
const namespaces = { apiVersion: 'v1', plural: 'namespaces', namespaced: false };
const secrets = { apiVersion: 'v1', plural: 'secrets', namespaced: true };

let world: GardenerWorld;
let order: GardenerOrder;
before(async () => {
  world = await openGardenerWorld();
  order = newOrder();
  await world.driver.create(order, newOperationId(), signal);
  await eventually('the cluster is ready', async () => (await world.driver.observe(order, signal)).state === 'ready');
});
after(() => world[Symbol.asyncDispose]());

const issue = (role: 'admin' | 'viewer') =>
  world.driver.issueKubeconfig({ order, role, lifetimeSeconds: 3_600, signal });

/** As a Garden answers that does not know the subresources yet. */
function becomeOld(): void {
  const body = { message: 'the server could not find the requested resource', reason: 'NotFound' };
  const action = { kind: 'status', status: 404, body } as const;
  world.landscape.control.addFault({ target: 'garden', method: 'POST', path: '(admin|viewer)kubeconfig', action });
}

async function putSecret(kubeconfig: string): Promise<void> {
  const metadata = { namespace: 'garden-dev', name: `${order.cluster.name}.kubeconfig` };
  const data = { kubeconfig: Buffer.from(kubeconfig).toString('base64') };
  await world.client.apply({ apiVersion: 'v1', kind: 'Secret', metadata, data }, { kind: secrets, force: true });
}

async function assertFailure(call: Promise<unknown>, code: FailureCode, words: RegExp): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof Failure, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, words);
    return true;
  });
}

test('a Garden that issues no kubeconfig gives the one that it keeps, to administrators, if it is harmless', async () => {
  const issued = await issue('admin');
  becomeOld();
  await assertFailure(issue('admin'), 'KUBECONFIG_UNAVAILABLE', /cannot issue a kubeconfig now/);

  await putSecret(issued.kubeconfig.reveal());
  const kept = await issue('admin');
  const client = kubernetesClient({
    connection: parseKubeconfig({ text: kept.kubeconfig, source: 'kept' }),
    fieldManager: 'tester',
  });
  assert.ok((await client.list(namespaces)).items.length > 0);
  await client.close();
  assert.ok(Math.abs((kept.expiresAt?.getTime() ?? 0) - (issued.expiresAt?.getTime() ?? 0)) < 2_000);
  await assertFailure(issue('viewer'), 'KUBECONFIG_UNAVAILABLE', /only one for administrators/);

  const withCommand = issued.kubeconfig
    .reveal()
    .replace(/client-certificate-data: .*\n(?: {8,}.*\n)*/, 'exec: { command: touch }\n');
  assert.match(withCommand, /exec/);
  await putSecret(withCommand);
  await assertFailure(issue('admin'), 'KUBECONFIG_REFUSED', /exec/);

  const withToken = issued.kubeconfig.reveal().replace(/user:\n.*$/s, 'user: { token: static-token }\n');
  await putSecret(withToken);
  const { expiresAt, kubeconfig } = await issue('admin');
  assert.equal(expiresAt, undefined);
  assert.match(kubeconfig.reveal(), /token: static-token/);
});

test('a cluster that is not there has no kubeconfig in an old Garden either', async () => {
  await assertFailure(
    world.driver.issueKubeconfig({ order: newOrder(), role: 'admin', lifetimeSeconds: 600, signal }),
    'KUBECONFIG_UNAVAILABLE',
    /cannot issue a kubeconfig now/,
  );
});
