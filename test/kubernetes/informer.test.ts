import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import type { Logger } from '../../src/domain/logger.ts';
import { kubernetesClient } from '../../src/kubernetes/client.ts';
import { Informer, type InformerSettings, type ObjectChange } from '../../src/kubernetes/informer.ts';
import { eventually } from '../harness/eventually.ts';
import { silentLog } from '../harness/silent-log.ts';
import { answer, scriptedServer, statusObject } from './scripted-server.ts';

const configMaps = { apiVersion: 'v1', plural: 'configmaps', namespaced: true };

type Item = readonly [name: string, resourceVersion: number, uid?: string];

function configMap([name, resourceVersion, uid = `uid-${name}`]: Item) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      uid,
      namespace: 'ns',
      resourceVersion: `${resourceVersion}`,
      managedFields: [{ manager: 'somebody' }],
    },
  };
}

/** A server with a list that the test changes and watches that the test writes to, and an informer on it. */
async function world(settings: Partial<InformerSettings> = {}) {
  const lists: Item[][] = [];
  const watches: { from: string | null; response: ServerResponse }[] = [];
  const state: { items: Item[]; onWatch: ((response: ServerResponse) => void) | undefined } = {
    items: [['a', 1]],
    onWatch: undefined,
  };
  const server = await scriptedServer(({ query }, response) => {
    if (!query.has('watch')) {
      lists.push(state.items);
      const resourceVersion = `${Math.max(...state.items.map(([, version]) => version), 10)}`;
      answer(response, 200, {
        apiVersion: 'v1',
        kind: 'ConfigMapList',
        metadata: { resourceVersion },
        items: state.items.map(configMap),
      });
      return;
    }
    watches.push({ from: query.get('resourceVersion'), response });
    if (state.onWatch) state.onWatch(response);
    else response.writeHead(200).flushHeaders();
  });
  const client = kubernetesClient({ connection: server.connection, fieldManager: 'tester' });
  const informer = new Informer({
    client,
    kind: configMaps,
    namespace: 'ns',
    log: silentLog,
    firstPauseMs: 1,
    longestPauseMs: 5,
    ...settings,
  });
  const changes: string[] = [];
  informer.onChange(({ type, object }: ObjectChange) => changes.push(`${type} ${object.metadata.name}`));
  const send = (type: string, item: Item) =>
    watches.at(-1)?.response.write(`${JSON.stringify({ type, object: configMap(item) })}\n`);
  return {
    informer,
    changes,
    lists,
    watches,
    state,
    server,
    send,
    names: () => [...informer.values()].map(({ metadata }) => metadata.name).toSorted(),
    async [Symbol.asyncDispose]() {
      await informer.stop();
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('it lists once and then follows the watch', async () => {
  await using it = await world();
  assert.deepEqual(it.informer.state, { phase: 'starting', problem: undefined });
  it.informer.start();
  await it.informer.synced;
  await eventually('the watch is open', () => it.informer.state.phase === 'watching');
  it.send('ADDED', ['b', 11]);
  it.send('MODIFIED', ['a', 12]);
  it.send('DELETED', ['b', 13]);
  await eventually('three events are heard', () => it.changes.length === 4);
  assert.deepEqual(it.changes, ['added a', 'added b', 'modified a', 'deleted b']);
  assert.equal(it.informer.get('a')?.metadata.resourceVersion, '12');
  assert.equal(it.informer.get('a')?.metadata.managedFields, undefined, 'managed fields are not kept');
  assert.equal(it.lists.length, 1);
});

test('after a broken connection it goes on from the last event, without listing', async () => {
  await using it = await world();
  it.informer.start();
  await eventually('the watch is open', () => it.informer.state.phase === 'watching');
  it.send('ADDED', ['b', 21]);
  await eventually('the event is heard', () => it.changes.length === 2);
  it.server.breakConnections();
  await eventually('another watch is open', () => it.watches.length === 2);
  assert.equal(it.watches[1]?.from, '21');
  it.send('ADDED', ['c', 22]);
  await eventually('the next event is heard', () => it.names().includes('c'));
  assert.equal(it.lists.length, 1);
  assert.deepEqual(it.changes, ['added a', 'added b', 'added c']);
});

test('a bookmark moves the place to go on from', async () => {
  await using it = await world();
  it.informer.start();
  await eventually('the watch is open', () => it.watches.length === 1);
  it.send('BOOKMARK', ['', 99]);
  it.watches[0]?.response.end();
  await eventually('another watch is open', () => it.watches.length === 2);
  assert.equal(it.watches[1]?.from, '99');
});

test('an event cut off in the middle is asked for again', async () => {
  await using it = await world();
  it.informer.start();
  await eventually('the watch is open', () => it.watches.length === 1);
  it.watches[0]?.response.end(JSON.stringify({ type: 'ADDED', object: configMap(['b', 21]) }).slice(0, 40));
  await eventually('another watch is open', () => it.watches.length === 2);
  assert.equal(it.watches[1]?.from, '10');
  it.send('ADDED', ['b', 21]);
  await eventually('it is heard', () => it.names().includes('b'));
});

const gone = statusObject(410, 'Expired', 'too old resource version: 1 (2)');
const ways: Record<string, (response: ServerResponse) => void> = {
  'as an answer': (response) => answer(response, 410, gone),
  'in the stream': (response) => answer(response, 200, `${JSON.stringify({ type: 'ERROR', object: gone })}\n`),
};
describe('when it is too far behind it lists again and tells what it missed', () => {
  for (const [how, tell] of Object.entries(ways)) {
    test(`410 ${how}`, async () => {
      await using it = await world();
      it.state.items = [
        ['a', 1],
        ['gone', 2],
        ['remade', 3, 'first'],
      ];
      it.informer.start();
      await eventually('the watch is open', () => it.watches.length === 1);
      it.changes.length = 0;
      it.state.items = [
        ['a', 31],
        ['new', 32],
        ['remade', 33, 'second'],
      ];
      it.state.onWatch = (response) => {
        it.state.onWatch = undefined;
        tell(response);
      };
      it.server.breakConnections();
      await eventually('everything is listed again', () => it.lists.length === 2 && it.watches.length === 3);
      assert.deepEqual(it.changes.toSorted(), [
        'added new',
        'added remade',
        'deleted gone',
        'deleted remade',
        'modified a',
      ]);
      assert.equal(it.watches[2]?.from, '33');
    });
  }
});

test('everything is listed again after a while, whatever the watch said', async () => {
  let now = 0;
  await using it = await world({ clock: { now: () => now }, relistEveryMs: 1_000 });
  it.informer.start();
  await eventually('the watch is open', () => it.watches.length === 1);
  it.state.items = [['missed', 40]];
  now = 2_000;
  it.watches[0]?.response.end();
  await eventually('it is listed', () => it.names().includes('missed') && !it.names().includes('a'));
});

test('a listener that throws hurts neither the informer nor the other listeners', async () => {
  const errors: string[] = [];
  const log: Logger = { ...silentLog, error: (_, message) => errors.push(message) };
  await using it = await world({ log });
  it.informer.onChange(() => {
    throw new Error('a bug');
  });
  const heard: string[] = [];
  it.informer.onChange(({ type }) => heard.push(type));
  it.informer.start();
  await eventually('the watch is open', () => it.informer.state.phase === 'watching');
  it.send('MODIFIED', ['a', 50]);
  await eventually('both changes are heard', () => heard.length === 2);
  assert.deepEqual(errors, ['a listener failed', 'a listener failed']);
});

test('a server that is down at first is waited for, and the state says why', async () => {
  await using it = await world();
  let down = true;
  it.state.onWatch = undefined;
  const { informer } = it;
  const items = it.state.items;
  Object.defineProperty(it.state, 'items', {
    get: () => {
      if (down) it.server.breakConnections();
      return items;
    },
  });
  informer.start();
  await eventually('the problem is told', () => {
    const { state } = informer;
    return state.phase === 'starting' && state.problem !== undefined;
  });
  down = false;
  await informer.synced;
  await eventually('it follows', () => informer.state.phase === 'watching');
});

test('a server that refuses the watch is asked for a list now and then', async () => {
  let now = 0;
  await using it = await world({ clock: { now: () => now } });
  it.informer.start();
  await eventually('the watch is open', () => it.informer.state.phase === 'watching');
  it.state.onWatch = (response) => answer(response, 403, statusObject(403, 'Forbidden', 'no watch for you'));
  it.state.items = [['missed', 40]];
  it.server.breakConnections();
  await eventually('it has tried for a while', () => it.watches.length >= 5);
  assert.equal(it.lists.length, 1);
  assert.equal(it.informer.behindMillis, 0);
  now = 31_000;
  await eventually('it is listed', () => it.names().includes('missed'));
  const { length } = it.watches;
  await eventually('it tries to watch again', () => it.watches.length >= length + 5);
  assert.equal(it.lists.length, 2);
  assert.equal(it.informer.behindMillis, 0);
});

test('a server that ends every watch at once is not asked in a tight loop', async () => {
  await using it = await world({ firstPauseMs: 40, longestPauseMs: 10_000 });
  it.state.onWatch = (response) => response.writeHead(200).end();
  it.informer.start();
  await eventually('it tries again', () => it.watches.length >= 3);
  await it.informer.stop();
  assert.ok(it.watches.length <= 5, `${it.watches.length} watches`);
});

test('stopping ends the watch, and nothing is heard any more', async () => {
  await using it = await world();
  it.informer.start();
  await eventually('the watch is open', () => it.informer.state.phase === 'watching');
  await it.informer.stop();
  assert.deepEqual(it.informer.state, { phase: 'stopped' });
  await eventually('the server sees it', () => it.watches[0]?.response.destroyed === true);
});
