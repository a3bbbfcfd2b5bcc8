import assert from 'node:assert/strict';
import path from 'node:path';
import { before, test } from 'node:test';
import type { Landscape } from '../../landscape/landscape.ts';
import { kubernetesClient } from '../../src/kubernetes/client.ts';
import { kubeconfigFile } from '../../src/kubernetes/kubeconfig-file.ts';
import { KubernetesError } from '../../src/kubernetes/kubernetes-error.ts';
import { RequestBudget } from '../../src/kubernetes/request-budget.ts';
import { atEnd } from '../harness/at-end.ts';
import { testLandscape } from '../harness/landscape.ts';

const configMaps = { apiVersion: 'v1', plural: 'configmaps', namespaced: true };
const namespace = 'garden-dev';

let landscape: Landscape;
before(async () => {
  landscape = await testLandscape();
});

/** A client with a budget of its own, and the times at which the Garden got its requests. */
function clientWith({ perSecond, burst }: { perSecond: number; burst: number }) {
  landscape.control.clearFaults();
  landscape.control.clearRequests();
  const kubeconfig = landscape.environment.APP_GARDENER_KUBECONFIG_PATH ?? '';
  const budget = new RequestBudget({ perSecond, burst });
  const client = kubernetesClient({
    connection: kubeconfigFile({ path: path.resolve(kubeconfig) }),
    fieldManager: 'test',
    budget,
  });
  atEnd(() => client.close());
  const arrivals = () => landscape.control.requests('garden').map(({ at, status }) => ({ at: Date.parse(at), status }));
  return { client, budget, arrivals };
}

function busy(count: number | undefined, seconds: number): void {
  const action = { kind: 'status', status: 429, headers: { 'retry-after': String(seconds) } } as const;
  landscape.control.addFault({ target: 'garden', ...(count !== undefined && { count }), action });
}

test('a burst goes at once, the rest at the rate that is allowed', async () => {
  const { client, arrivals } = clientWith({ perSecond: 20, burst: 5 });
  const sentAt = Date.now();
  await Promise.all(Array.from({ length: 15 }, () => client.list(configMaps, { namespace })));
  const times = arrivals().map(({ at }) => at);
  // Ten requests beyond the burst, at twenty a second; timers may be early by a millisecond each.
  assert.equal(times.length, 15);
  const last = Math.max(...times);
  assert.ok(last - sentAt >= 450, `all went within ${last - sentAt} ms`);
});

test('a server that is busy gets its pause from all requests; those it put off are sent again, a write too', async () => {
  const { client, arrivals } = clientWith({ perSecond: 1_000, burst: 1_000 });
  busy(1, 1);
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'put-off', namespace } };
  assert.equal((await client.create(configMaps, configMap)).metadata.name, 'put-off');
  await Promise.all(Array.from({ length: 5 }, () => client.list(configMaps, { namespace })));
  const [putOff, ...others] = arrivals();
  assert.equal(putOff?.status, 429);
  assert.deepEqual(
    others.map(({ status }) => status),
    [201, 200, 200, 200, 200, 200],
  );
  for (const { at } of others) assert.ok(at - putOff.at >= 990, `a request came after ${at - putOff.at} ms`);
});

test('a server that stays busy is told of after four times, and who waits can give up', async () => {
  const { client, budget, arrivals } = clientWith({ perSecond: 1_000, burst: 1_000 });
  busy(undefined, 0);
  await assert.rejects(
    client.list(configMaps, { namespace }),
    (error) => error instanceof KubernetesError && error.status === 429,
  );
  assert.equal(arrivals().length, 4);
  budget.pause(60_000);
  const gone = new AbortController();
  const waiting = client.list(configMaps, { namespace, signal: gone.signal });
  gone.abort(new Error('not ours any more'));
  await assert.rejects(waiting, /not ours any more/);
});

test('a server that is away for a while is left alone, and its error told: nobody knows what it did', async () => {
  const { client, arrivals } = clientWith({ perSecond: 1_000, burst: 1_000 });
  const action = { kind: 'status', status: 503, headers: { 'retry-after': '1' } } as const;
  landscape.control.addFault({ target: 'garden', count: 1, action });
  await assert.rejects(
    client.list(configMaps, { namespace }),
    (error) => error instanceof KubernetesError && error.status === 503,
  );
  await client.list(configMaps, { namespace });
  const [away, next] = arrivals();
  assert.ok(away && next && next.at - away.at >= 990);
});
