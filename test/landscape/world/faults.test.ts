import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { request } from 'undici';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-error.ts';
import { eventually } from '../../harness/eventually.ts';
import { gcpShoot } from './shoots.ts';
import { shootKind, shootReference, startWorld } from './world.ts';

const world = await startWorld();
const { garden } = world;
const { control, addresses } = world.landscape;
const registration = 'mutation { result: registerRuntime(in: { name: "faulty" }) { id } }';

afterEach(() => control.clearFaults());

describe('faults', () => {
  it('answer a status in place of the Garden, as often as asked for', async () => {
    const action = { kind: 'status', status: 429, headers: { 'retry-after': '7' } } as const;
    control.addFault({ target: 'garden', method: 'GET', path: '/shoots', count: 1, action });
    await assert.rejects(
      garden.list(shootKind, { namespace: 'garden-dev' }),
      (error) => error instanceof KubernetesError && error.status === 429 && error.retryAfterSeconds === 7,
    );
    assert.deepEqual((await garden.list(shootKind, { namespace: 'garden-dev' })).items, []);
  });

  it("lose the Garden's reply after the effect", async () => {
    control.addFault({
      target: 'kubernetes',
      method: 'POST',
      path: '/shoots',
      count: 1,
      action: { kind: 'loseReply' },
    });
    await assert.rejects(world.createShoot(gcpShoot('lost')), (error) => !(error instanceof KubernetesError));
    await world.reaches('lost', 'Create Succeeded');
  });

  it('drop a connection before the effect', async () => {
    control.addFault({ target: 'garden', method: 'POST', path: '/shoots', count: 1, action: { kind: 'drop' } });
    await assert.rejects(world.createShoot(gcpShoot('dropped')), (error) => !(error instanceof KubernetesError));
    assert.equal(await world.shoot('dropped'), undefined);
  });

  it('keep a request waiting, which has its effect at the end although its client has left', async () => {
    const body = '"name":"stalled"';
    const id = control.addFault({ target: 'garden', method: 'POST', body, action: { kind: 'stall' } });
    await world.createShoot(gcpShoot('prompt'));
    const given = new AbortController();
    const creating = garden.create(shootKind, gcpShoot('stalled'), { signal: given.signal });
    await eventually('the request', () => control.faults().some(({ hits }) => hits === 1));
    given.abort(new Error('enough'));
    await assert.rejects(creating, /enough/);
    assert.equal(await world.shoot('stalled'), undefined);
    control.removeFault(id);
    await world.reaches('stalled', 'Create Succeeded');
  });

  it('do not touch other targets, methods or paths', async () => {
    control.addFault({ target: 'director', action: { kind: 'drop' } });
    control.addFault({ target: 'garden', method: 'DELETE', action: { kind: 'drop' } });
    control.addFault({ target: 'garden', path: '/secrets', action: { kind: 'drop' } });
    await garden.list(shootKind, { namespace: 'garden-dev' });
  });

  it("lose the Director's reply to one operation, which happened all the same", async () => {
    const before = control.inventory().directorRuntimes.length;
    control.addFault({ target: 'director', body: 'registerRuntime', count: 1, action: { kind: 'loseReply' } });
    await assert.rejects(world.director({ query: registration }));
    assert.equal(control.inventory().directorRuntimes.length, before + 1);
    assert.deepEqual((await world.director({ query: registration })).errors, []);
  });

  it('answer anything in place of the Director, OAuth2 and the artifacts', async () => {
    const token = await world.accessToken();
    const body = { errors: [{ message: 'Internal Server Error', extensions: { error_code: 10 } }], data: null };
    control.addFault({ target: 'director', count: 1, action: { kind: 'status', status: 200, body } });
    assert.equal((await world.director({ query: registration, token })).errors[0]?.extensions?.error_code, 10);
    for (const [target, url] of [
      ['oauth', addresses.oauth],
      ['artifacts', `${addresses.artifacts}istio/1.11.0/istio-manager.yaml`],
    ] as const) {
      control.addFault({ target, action: { kind: 'status', status: 503, body: 'busy' } });
      const answer = await request(url, { dispatcher: world.agent });
      assert.deepEqual([answer.statusCode, await answer.body.text()], [503, 'busy']);
    }
  });

  it('end watches, which then see what came meanwhile', async () => {
    const { resourceVersion } = await garden.list(shootKind, { namespace: 'garden-dev' });
    const watch = (from: string) => garden.watch(shootKind, from, { namespace: 'garden-dev' })[Symbol.asyncIterator]();
    const first = watch(resourceVersion);
    const ended = first.next().then(
      ({ done }) => done === true,
      () => true,
    );
    await eventually('the watch to run and be dropped', async () => {
      control.dropWatches('garden');
      return Promise.race([ended, undefined]);
    });
    await world.createShoot(gcpShoot('meanwhile'));
    const { value } = await watch(resourceVersion).next();
    assert.equal(value.type, 'ADDED');
  });

  it('make old watches expire', async () => {
    const { resourceVersion } = await garden.list(shootKind, { namespace: 'garden-dev' });
    control.expireWatches('garden');
    await assert.rejects(
      garden.watch(shootKind, resourceVersion, { namespace: 'garden-dev' })[Symbol.asyncIterator]().next(),
      (error) => error instanceof KubernetesError && error.status === 410,
    );
  });
});

describe('the control API', () => {
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => {
    const answer = await request(`${addresses.control}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> };
  };

  it('sets and lifts faults and fates, and says what exists', async () => {
    const added = await call('POST', '/faults', { target: 'garden', path: '/nowhere', action: { kind: 'drop' } });
    assert.equal((await call('DELETE', `/faults/${added.body.id}`)).body.removed, true);
    await call('PUT', '/fates/http', { kind: 'stuck', at: 'workers' });
    assert.deepEqual(control.shootFates(), { http: { kind: 'stuck', at: 'workers' } });
    await call('DELETE', '/fates/http');
    assert.deepEqual((await call('GET', '/fates')).body, {});
    await world.createShoot(gcpShoot('counted'));
    await world.reaches('counted', 'Create Succeeded');
    const { shoots } = (await call('GET', '/inventory')).body as { shoots: { name: string; lastOperation: string }[] };
    assert.equal(shoots.find(({ name }) => name === 'counted')?.lastOperation, 'Create Succeeded (100%)');
  });

  it('counts the requests by target', async () => {
    await call('DELETE', '/requests');
    await garden.get(shootReference('counted'));
    await eventually('the request to be logged', () => control.requests('garden').length === 1);
    assert.deepEqual((await call('GET', '/requests/counters')).body, { 'garden GET': 1 });
    const [entry] = control.requests('garden');
    assert.deepEqual(
      [entry?.status, entry?.path],
      [200, '/garden/apis/core.gardener.cloud/v1beta1/namespaces/garden-dev/shoots/counted'],
    );
  });

  it('changes the pace of what is under way', async () => {
    await call('PUT', '/pace/realistic');
    await world.createShoot(gcpShoot('slow'));
    await eventually('the Shoot to be there', async () => world.shoot('slow'));
    assert.equal((await world.shoot('slow'))?.status?.lastOperation, undefined);
    await call('PUT', '/pace/instant');
    await world.reaches('slow', 'Create Succeeded');
  });

  it('refuses what it does not know', async () => {
    assert.equal((await call('PUT', '/pace/never')).status, 400);
    assert.equal((await call('POST', '/faults', { action: { kind: 'explode' } })).status, 400);
    assert.equal((await call('GET', '/nothing')).status, 404);
  });
});
