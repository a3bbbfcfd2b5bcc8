import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../../harness/eventually.ts';
import { type Body, startTestServer, type TestServer } from './test-server.ts';

const path = '/apis/test.example.com/v1/namespaces/default/gadgets';
const allNamespaces = '/apis/test.example.com/v1/gadgets';
let server: TestServer;
before(async () => {
  server = await startTestServer({ api: { bookmarkIntervalMilliseconds: 50, historyLimit: 5 } });
});
after(() => server.close());

function create(name: string, labels: Record<string, string> = {}) {
  return server.api.create('gadgets', { metadata: { name, namespace: 'default', labels }, spec: { color: 'red' } });
}

function relabel(name: string, labels: Record<string, string>) {
  return server.api.write('gadgets', 'default', name, (copy) => {
    copy.metadata.labels = labels;
  });
}

/** Reads events until there are as many as wanted, then lets the stream go. */
async function take(stream: AsyncGenerator<Body>, count: number): Promise<readonly Body[]> {
  const events: Body[] = [];
  for await (const event of stream) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

function summary(events: readonly Body[]): readonly string[] {
  return events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim());
}

/** Connected watches are counted by the server, so a test knows when its own is one of them. */
function connected(count: number) {
  return eventually('the watches to be connected', () => server.api.watchCount === count);
}

test('a watch tells what happens after its resourceVersion, old and new', async () => {
  const from = server.api.store.resourceVersion;
  create('w1');
  const events = take(server.watch(`${path}?watch=true&resourceVersion=${from}`), 3);
  await connected(1);
  relabel('w1', { a: 'b' });
  server.api.remove('gadgets', 'default', 'w1');
  assert.deepEqual(summary(await events), ['ADDED w1', 'MODIFIED w1', 'DELETED w1']);
  await connected(0);
});

test('a watch without a resourceVersion begins with what exists', async () => {
  create('w2');
  const [first] = await take(server.watch(`${path}?watch=true`), 1);
  assert.equal(first.type, 'ADDED');
  assert.equal(first.object.metadata.name, 'w2');
  await connected(0);
});

test('for a selector an object appears when it begins to match and goes when it stops', async () => {
  create('w3', { tier: 'db' });
  const from = server.api.store.resourceVersion;
  const events = take(server.watch(`${allNamespaces}?watch=true&resourceVersion=${from}&labelSelector=tier%3Dweb`), 2);
  await connected(1);
  relabel('w3', { tier: 'web' });
  relabel('w3', { tier: 'cache' });
  assert.deepEqual(summary(await events), ['ADDED w3', 'DELETED w3']);
  await connected(0);
});

test('bookmarks bring newer resourceVersions while nothing happens to the resource', async () => {
  const from = server.api.store.resourceVersion;
  server.api.create('configmaps', { metadata: { name: 'moves-the-version-on', namespace: 'default' } });
  const [bookmark] = await take(server.watch(`${path}?watch=true&resourceVersion=${from}&allowWatchBookmarks=true`), 1);
  assert.equal(bookmark.type, 'BOOKMARK');
  assert.equal(bookmark.object.kind, 'Gadget');
  assert.ok(Number(bookmark.object.metadata.resourceVersion) > Number(from));
  await connected(0);
});

test('sendInitialEvents lists first and says when it is through', async () => {
  const query = 'watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
  const events: Body[] = [];
  for await (const event of server.watch(`${path}?${query}`)) {
    events.push(event);
    if (event.type === 'BOOKMARK') break;
  }
  assert.equal(events.at(-1)?.object.metadata.annotations['k8s.io/initial-events-end'], 'true');
  assert.equal(events.length - 1, server.api.list('gadgets').length);
  await connected(0);
});

test('a resourceVersion that is forgotten is an ERROR event of code 410', async () => {
  const from = server.api.store.resourceVersion;
  server.api.store.compact();
  const [event] = await take(server.watch(`${path}?watch=true&resourceVersion=${from}`), 1);
  assert.equal(event.type, 'ERROR');
  assert.equal(event.object.code, 410);
  assert.equal(event.object.reason, 'Expired');
});

test('a resourceVersion that is forgotten is an HTTP 410 when the API is set so', async () => {
  const from = server.api.store.resourceVersion;
  server.api.store.compact();
  server.api.goneAs = 'status';
  const { status, body } = await server.request(`${path}?watch=true&resourceVersion=${from}`);
  server.api.goneAs = 'event';
  assert.equal(status, 410);
  assert.match(body.message, /^too old resource version: \d+ \(\d+\)$/);
});

test('more changes than the history holds are gone too', async () => {
  const from = server.api.store.resourceVersion;
  for (let count = 0; count < 12; count += 1) create(`busy-${count}`);
  const [event] = await take(server.watch(`${path}?watch=true&resourceVersion=${from}`), 1);
  assert.equal(event.object.code, 410);
});

test('a watch ends by itself after timeoutSeconds', async () => {
  const from = server.api.store.resourceVersion;
  const events: Body[] = [];
  for await (const event of server.watch(`${path}?watch=true&resourceVersion=${from}&timeoutSeconds=1`))
    events.push(event);
  assert.deepEqual(events, []);
});

const endings = [
  { how: 'close', outcome: 'ends' },
  { how: 'reset', outcome: 'breaks' },
  { how: 'truncate', outcome: 'breaks' },
  { how: 'expire', outcome: 'ends' },
] as const;
for (const { how, outcome } of endings) {
  test(`a watch that is dropped by ${how} ${outcome}`, async () => {
    const from = server.api.store.resourceVersion;
    const stream = take(server.watch(`${path}?watch=true&resourceVersion=${from}`), Number.POSITIVE_INFINITY);
    await connected(1);
    server.server.dropWatches({ how });
    const result = await stream.then(
      (events) => ({ outcome: 'ends', events }),
      () => ({ outcome: 'breaks', events: [] }),
    );
    assert.equal(result.outcome, outcome);
    assert.deepEqual(
      result.events.map(({ object }) => object.code),
      how === 'expire' ? [410] : [],
    );
    await connected(0);
  });
}

test('a stalled watch hears nothing while others do', async () => {
  const from = server.api.store.resourceVersion;
  const controller = new AbortController();
  const stalled = take(server.watch(`${path}?watch=true&resourceVersion=${from}`, { signal: controller.signal }), 1);
  await connected(1);
  server.server.dropWatches({ how: 'stall' });
  const heard = take(server.watch(`${path}?watch=true&resourceVersion=${from}`), 1);
  create('while-stalled');
  assert.deepEqual(summary(await heard), ['ADDED while-stalled']);
  const first = await Promise.race([stalled, Promise.resolve('nothing')]);
  assert.equal(first, 'nothing');
  controller.abort();
  await assert.rejects(stalled, { name: 'AbortError' });
});

test('a table watch sends rows, and columns with the first one only', async () => {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const from = server.api.store.resourceVersion;
  create('row-1');
  create('row-2');
  const stream = server.watch(`${path}?watch=true&resourceVersion=${from}`, { headers: { accept } });
  const [first, second] = await take(stream, 2);
  assert.equal(first.object.kind, 'Table');
  assert.equal(first.object.columnDefinitions.length, 4);
  assert.equal(first.object.rows[0].cells[0], 'row-1');
  assert.deepEqual(second.object.columnDefinitions, []);
  assert.equal(second.object.rows[0].cells[0], 'row-2');
  await connected(0);
});

test('200 watches all hear of one change', async () => {
  const from = server.api.store.resourceVersion;
  const streams = Array.from({ length: 200 }, () =>
    take(server.watch(`${path}?watch=true&resourceVersion=${from}`), 1),
  );
  await connected(200);
  create('heard-by-all');
  const heard = await Promise.all(streams);
  assert.ok(heard.every(([event]) => event.object.metadata.name === 'heard-by-all'));
  await connected(0);
});
