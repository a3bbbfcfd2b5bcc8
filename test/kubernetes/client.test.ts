import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '../../src/domain/secret.ts';
import { kubernetesClient } from '../../src/kubernetes/client.ts';
import type { ClusterConnection, ConnectionSource } from '../../src/kubernetes/cluster-connection.ts';
import type { KubernetesObject, ObjectReference, WatchEvent } from '../../src/kubernetes/kubernetes-client.ts';
import { KubernetesError, UnreachableError } from '../../src/kubernetes/kubernetes-error.ts';
import { eventually } from '../harness/eventually.ts';
import { answer, type Handler, scriptedServer, statusObject } from './scripted-server.ts';

const configMaps = { apiVersion: 'v1', plural: 'configmaps', namespaced: true };
const one: ObjectReference = { ...configMaps, namespace: 'ns', name: 'one' };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one', namespace: 'ns' } };

async function talk(handler: Handler, settings: Partial<Parameters<typeof kubernetesClient>[0]> = {}) {
  const server = await scriptedServer(handler);
  const client = kubernetesClient({ connection: server.connection, fieldManager: 'tester', ...settings });
  return {
    server,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('requests', () => {
  test('each call has the path, query and content type that Kubernetes wants', async () => {
    await using it = await talk((_, response) => answer(response, 200, object));
    const { client, server } = it;
    await client.get(one);
    await client.create(configMaps, object, { dryRun: true });
    await client.replace(one, object);
    await client.patch(one, { data: { a: 'b' } });
    await client.apply(object, { kind: configMaps, force: true });
    await client.delete(one, { uid: 'u-1' });
    await client.createSubresource(one, 'adminkubeconfig', { spec: {} });
    const collection = '/prefix/api/v1/namespaces/ns/configmaps';
    const write = 'fieldManager=tester&fieldValidation=Strict';
    assert.deepEqual(
      server.seen.map(({ method, path, query, headers }) => [method, path, query.toString(), headers['content-type']]),
      [
        ['GET', `${collection}/one`, '', undefined],
        ['POST', collection, `${write}&dryRun=All`, 'application/json'],
        ['PUT', `${collection}/one`, write, 'application/json'],
        ['PATCH', `${collection}/one`, write, 'application/merge-patch+json'],
        ['PATCH', `${collection}/one`, `${write}&force=true`, 'application/apply-patch+yaml'],
        ['DELETE', `${collection}/one`, '', 'application/json'],
        ['POST', `${collection}/one/adminkubeconfig`, 'fieldManager=tester', 'application/json'],
      ],
    );
    assert.deepEqual(JSON.parse(server.seen[5]?.body ?? '').preconditions, { uid: 'u-1' });
    assert.equal(server.seen[0]?.headers.authorization, 'Bearer token-1');
  });

  test('requests after each other share connections instead of opening one each', async () => {
    await using it = await talk((_, response) => answer(response, 200, object));
    for (let count = 0; count < 20; count += 1) await it.client.get(one);
    // The second one is opened while the first is still putting an answer away.
    assert.ok(it.server.connections <= 2, `${it.server.connections} connections`);
  });

  test('a connection that is not used is closed soon, however long the server would keep it', async () => {
    await using it = await talk((_, response) => answer(response, 200, object), { keepAliveMs: 500 });
    await it.client.get(one);
    await eventually('it is closed', () => it.server.openConnections === 0);
  });

  test('a name cannot climb out of its path or name the whole collection', async () => {
    await using it = await talk((_, response) => answer(response, 200, object));
    await it.client.get({ ...one, name: '../../secrets/x?y' });
    assert.equal(it.server.seen[0]?.path, '/prefix/api/v1/namespaces/ns/configmaps/..%2F..%2Fsecrets%2Fx%3Fy');
    await assert.rejects(async () => it.client.delete({ ...one, name: '' }), /the name is missing/);
    await assert.rejects(async () => it.client.delete({ ...one, namespace: '' }), /the namespace is missing/);
    await assert.rejects(async () => it.client.get({ ...one, name: '..' }), /is not a name/);
    assert.equal(it.server.seen.length, 1);
  });

  test('a certificate of an authority that is not ours is not trusted', async () => {
    await using it = await talk((_, response) => answer(response, 200, object));
    const { certificateAuthority: _authority, ...connection } = it.server.connection;
    const client = kubernetesClient({ connection, fieldManager: 'tester' });
    await assert.rejects(client.get(one), UnreachableError);
    assert.equal(it.server.seen.length, 0);
    await client.close();
  });

  test('a redirect is not followed', async () => {
    await using it = await talk((_, response) => answer(response, 307, '', { location: 'https://127.0.0.1:1/' }));
    await assert.rejects(it.client.get(one), (error) => error instanceof KubernetesError && error.status === 307);
  });

  test('a read is sent again when a kept-alive connection turns out closed, a write is not', async () => {
    const dropOnce = new Set<string>();
    await using it = await talk((request, response, raw) => {
      if (dropOnce.has(request.method) || request.method === 'POST') {
        dropOnce.delete(request.method);
        raw.socket.destroy();
      } else answer(response, 200, object);
    });
    await it.client.get(one);
    dropOnce.add('GET');
    await it.client.get(one);
    assert.equal(it.server.seen.length, 3);
    await assert.rejects(it.client.create(configMaps, object), UnreachableError);
    assert.equal(it.server.seen.length, 4);
  });

  test('an aborted call rejects with the reason of its signal', async () => {
    const abort = new AbortController();
    await using it = await talk(() => abort.abort(new Error('not ours any more')));
    await assert.rejects(it.client.get(one, { signal: abort.signal }), /not ours any more/);
  });
});

describe('refusals', () => {
  test("the server's reason, words, causes and wish for a pause are kept", async () => {
    const details = { causes: [{ field: 'spec.region', reason: 'FieldValueInvalid', message: 'Invalid value' }] };
    const body = statusObject(422, 'Invalid', 'it is invalid', details);
    await using it = await talk((_, response) => answer(response, 422, body, { 'retry-after': '7' }));
    await assert.rejects(it.client.create(configMaps, object), {
      name: 'KubernetesError',
      status: 422,
      reason: 'Invalid',
      message: 'it is invalid',
      retryAfterSeconds: 7,
      causes: details.causes,
    });
  });

  test('an object that does not exist is undefined, and deleting it is false', async () => {
    const body = statusObject(404, 'NotFound', 'configmaps "one" not found');
    await using it = await talk((_, response) => answer(response, 404, body));
    assert.equal(await it.client.get(one), undefined);
    assert.equal(await it.client.delete(one), false);
  });

  test('a kind that is not served has no objects', async () => {
    await using it = await talk(({ path }, response) => {
      if (path === '/prefix/api/v1') answer(response, 200, { kind: 'APIResourceList', resources: [pods] });
      else answer(response, 404, '404 page not found');
    });
    assert.equal(await it.client.get({ ...one, apiVersion: 'crd.example/v1', plural: 'things' }), undefined);
  });

  test("a proxy's 404 does not prove that an object is gone", async () => {
    await using it = await talk((_, response) => answer(response, 404, '<html>no such host</html>'));
    await assert.rejects(it.client.get(one), /not a Kubernetes API/);
    await assert.rejects(it.client.delete(one), /not a Kubernetes API/);
  });

  test('an answer that is not a Status object is quoted shortly', async () => {
    await using it = await talk((_, response) => answer(response, 502, `<h1>Bad Gateway</h1>${'x'.repeat(9_999)}`));
    const { message } = await it.client.get(one).then(
      () => assert.fail('it was accepted'),
      (error: Error) => error,
    );
    assert.match(message, /^HTTP 502: <h1>Bad Gateway/);
    assert.ok(message.length < 400);
  });
});

const pods = { name: 'pods', kind: 'Pod', namespaced: true };

describe('credentials that change', () => {
  const accepting =
    (token: string): Handler =>
    (request, response) =>
      request.headers.authorization === `Bearer ${token}`
        ? answer(response, 200, object)
        : answer(response, 401, statusObject(401, 'Unauthorized', 'Unauthorized'));

  test('a refused token is renewed once and the call is sent again', async () => {
    await using server = await scriptedServer(accepting('token-2'));
    const rejected: unknown[] = [];
    let current = server.connection;
    const source: ConnectionSource = {
      async current(request) {
        if (request?.rejected) {
          rejected.push(request.rejected);
          current = { ...current, credential: { kind: 'token', token: new Secret('token-2') } };
        }
        return current;
      },
    };
    const client = kubernetesClient({ connection: source, fieldManager: 'tester' });
    assert.ok(await client.get(one));
    assert.ok(await client.get(one));
    assert.deepEqual(rejected, [server.connection]);
    await client.close();
  });

  test('without a newer token the 401 is told, not tried for ever', async () => {
    await using it = await talk(accepting('token-2'));
    await assert.rejects(it.client.get(one), (error) => error instanceof KubernetesError && error.status === 401);
    assert.equal(it.server.seen.length, 1);
  });
});

describe('lists', () => {
  const page = (names: readonly string[], next?: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMapList',
    metadata: { resourceVersion: '42', ...(next && { continue: next }) },
    items: names.map((name) => ({ metadata: { name } })),
  });

  test('all pages are read, and items get the kind that a list leaves out', async () => {
    await using it = await talk(({ query }, response) =>
      answer(response, 200, query.get('continue') === 'next' ? page(['c']) : page(['a', 'b'], 'next')),
    );
    const { items, resourceVersion } = await it.client.list(configMaps, { namespace: 'ns', labelSelector: 'x=y' });
    assert.equal(resourceVersion, '42');
    assert.deepEqual(
      items.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name]),
      [
        ['v1', 'ConfigMap', 'a'],
        ['v1', 'ConfigMap', 'b'],
        ['v1', 'ConfigMap', 'c'],
      ],
    );
    assert.equal(it.server.seen[1]?.query.get('labelSelector'), 'x=y');
  });

  test('what is not to be kept of an object is let go before the next page is asked for', async () => {
    const told: string[] = [];
    await using it = await talk(({ query }, response) => {
      told.push(query.get('continue') ?? 'first');
      answer(response, 200, query.has('continue') ? page(['b']) : page(['a'], 'next'));
    });
    const keep = (whole: KubernetesObject) => {
      told.push(`${whole.kind} ${whole.metadata.name}`);
      return { ...whole, metadata: { name: 'kept' } };
    };
    const { items } = await it.client.list(configMaps, { keep });
    assert.deepEqual(told, ['first', 'ConfigMap a', 'next', 'ConfigMap b']);
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['kept', 'kept'],
    );
  });

  test('a list whose pages expire on the way is read again in one piece', async () => {
    await using it = await talk(({ query }, response) => {
      if (query.has('continue')) answer(response, 410, statusObject(410, 'Expired', 'too old'));
      else answer(response, 200, query.has('limit') ? page(['a'], 'next') : page(['a', 'b']));
    });
    assert.equal((await it.client.list(configMaps)).items.length, 2);
  });
});

describe('watches', () => {
  const line = (type: string, name: string) =>
    `${JSON.stringify({ type, object: { ...object, metadata: { name, resourceVersion: name } } })}\n`;

  async function events(handler: Handler, settings = {}) {
    await using it = await talk(handler, settings);
    const got: string[] = [];
    let thrown: unknown;
    try {
      for await (const event of it.client.watch(configMaps, '41')) got.push(nameOf(event));
    } catch (error) {
      thrown = error;
    }
    return { got, thrown, seen: it.server.seen };
  }

  test('events arrive whole however the bytes are cut', async () => {
    const bytes = Buffer.from(line('ADDED', 'grün') + line('MODIFIED', 'b') + line('BOOKMARK', '77'));
    const { got, thrown, seen } = await events((_, response) => {
      response.writeHead(200);
      let at = 0;
      const next = () => {
        if (at >= bytes.length) return response.end();
        response.write(bytes.subarray(at, at + 7), () => setImmediate(next));
        at += 7;
      };
      next();
    });
    assert.deepEqual(got, ['ADDED grün', 'MODIFIED b', 'BOOKMARK 77']);
    assert.equal(thrown, undefined);
    const query = seen[0]?.query;
    assert.equal(query?.get('resourceVersion'), '41');
    assert.equal(query?.get('allowWatchBookmarks'), 'true');
    assert.ok(Number(query?.get('timeoutSeconds')) >= 240);
  });

  test('a stream that ends in the middle of an event says so', async () => {
    const { got, thrown } = await events((_, response) => {
      response.writeHead(200);
      response.end(line('ADDED', 'a') + line('ADDED', 'b').slice(0, -9));
    });
    assert.deepEqual(got, ['ADDED a']);
    assert.ok(thrown instanceof UnreachableError && /in the middle of an event/.test(thrown.message));
  });

  test('a connection that breaks says so', async () => {
    const { got, thrown } = await events((_, response, raw) => {
      response.writeHead(200);
      response.write(line('ADDED', 'a'), () => setImmediate(() => raw.socket.destroy()));
    });
    assert.deepEqual(got, ['ADDED a']);
    assert.ok(thrown instanceof UnreachableError, String(thrown));
  });

  test('a connection in which nothing comes any more is given up', async () => {
    const { thrown } = await events((_, response) => response.writeHead(200).flushHeaders(), { watchSilenceMs: 30 });
    assert.ok(thrown instanceof UnreachableError, String(thrown));
  });

  test('"too old" is a 410 whether it comes as an answer or in the stream', async () => {
    const gone = statusObject(410, 'Expired', 'too old resource version');
    const asAnswer = await events((_, response) => answer(response, 410, gone));
    const inStream = await events((_, response) => answer(response, 200, { type: 'ERROR', object: gone }));
    const withNewline = await events((_, response) =>
      answer(response, 200, `${JSON.stringify({ type: 'ERROR', object: gone })}\n`),
    );
    assert.ok(asAnswer.thrown instanceof KubernetesError && asAnswer.thrown.status === 410);
    assert.ok(withNewline.thrown instanceof KubernetesError && withNewline.thrown.status === 410);
    assert.ok(inStream.thrown instanceof KubernetesError && inStream.thrown.status === 410);
  });
});

describe('discovery', () => {
  test('kinds are found once, and one that was missing is looked for again', async () => {
    const resources = [pods, { name: 'pods/log', kind: 'Pod', namespaced: true }];
    await using it = await talk((_, response) => answer(response, 200, { kind: 'APIResourceList', resources }));
    const found = { apiVersion: 'v1', plural: 'pods', namespaced: true };
    assert.deepEqual(await it.client.discover('v1', 'Pod'), found);
    assert.deepEqual(await it.client.discover('v1', 'Pod'), found);
    assert.equal(it.server.seen.length, 1);
    assert.equal(await it.client.discover('v1', 'Thing'), undefined);
    resources.push({ name: 'things', kind: 'Thing', namespaced: false });
    assert.equal((await it.client.discover('v1', 'Thing'))?.plural, 'things');
    it.client.forgetDiscovery();
    await it.client.discover('v1', 'Pod');
    assert.equal(it.server.seen.length, 4);
  });
});

function nameOf(event: WatchEvent): string {
  return event.type === 'BOOKMARK'
    ? `BOOKMARK ${event.resourceVersion}`
    : `${event.type} ${event.object.metadata.name}`;
}

test('a client with a client certificate presents it', async () => {
  await using server = await scriptedServer((_, response) => answer(response, 200, object));
  const user = { user: 'tester', groups: [], api: 'scripted', lifetimeSeconds: 600 };
  const { certificate, key } = server.authority.issueClientCertificate(user);
  const connection: ClusterConnection = {
    ...server.connection,
    credential: { kind: 'clientCertificate', certificate, key: new Secret(key) },
  };
  const client = kubernetesClient({ connection, fieldManager: 'tester' });
  await client.get(one);
  assert.equal(server.seen[0]?.headers.authorization, undefined);
  await client.close();
});

test('a client certificate whose key is another one cannot be used, which is told as the server not being reached', async () => {
  await using server = await scriptedServer((_, response) => answer(response, 200, object));
  const user = { user: 'tester', groups: [], api: 'scripted', lifetimeSeconds: 600 };
  const { certificate } = server.authority.issueClientCertificate(user);
  const { key } = server.authority.issueClientCertificate(user);
  const connection: ClusterConnection = {
    ...server.connection,
    credential: { kind: 'clientCertificate', certificate, key: new Secret(key) },
  };
  const client = kubernetesClient({ connection, fieldManager: 'tester' });
  await assert.rejects(client.get(one), UnreachableError);
  await client.close();
});
