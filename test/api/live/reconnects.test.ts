import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient as createEventStreamClient } from 'graphql-sse';
import { createClient as createWebSocketClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Operation } from '../../../src/domain/operation.ts';
import { done } from '../../../src/domain/outcome.ts';
import { anotherConnection, ended, history, provision, startEngine } from '../../engine/support/engine-fixture.ts';
import { provisionFlow } from '../../engine/support/flows.ts';
import { eventually } from '../../harness/eventually.ts';
import { apiUnderTest } from '../api-under-test.ts';
import { appendEvent } from './support/append-event.ts';
import {
  operationUpdatesDocument,
  runtimeUpdatesDocument,
  type SeenUpdate,
  subscribe,
  type Transport,
  transports,
} from './support/live-client.ts';

interface OperationData {
  readonly operationUpdates: SeenUpdate;
}
interface RuntimeData {
  readonly runtimeUpdates: { readonly cursor: string; readonly update: SeenUpdate | null };
}
type Api = Awaited<ReturnType<typeof apiUnderTest>>;

const oneStage = provisionFlow([{ stage: 'One', run: async () => done() }]);

/** `1 2 3 ...` */
function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** Takes `some` updates, leaves, and goes on at the next replica, until the operation has ended. */
async function followInPieces(replicas: readonly Api[], transport: Transport, { id }: Operation, some: number) {
  const seen: SeenUpdate[] = [];
  for (let turn = 0; ; turn += 1) {
    const replica = replicas[turn % replicas.length] ?? assert.fail();
    const subscribed = subscribe<OperationData>({
      ...{ transport, endpoint: `${replica.origin}/graphql`, query: operationUpdatesDocument },
      variables: { operationID: id, after: seen.at(-1)?.sequence ?? 0 },
    });
    await eventually('some updates or the end', () => subscribed.data.length >= some || subscribed.end);
    // What arrived after the client has left was not seen by it.
    const taken = subscribed.data.slice(0, some).map(({ operationUpdates }) => operationUpdates);
    subscribed.leave();
    seen.push(...taken);
    if (taken.length < some) {
      assert.deepEqual([subscribed.end, subscribed.errors], [{ kind: 'complete' }, []]);
      return seen;
    }
  }
}

test('whole provisionings are seen without a gap, in pieces from two replicas while both carry them out', async (t) => {
  const api = await apiUnderTest(t);
  const replicas = [api, await apiUnderTest(t, { testing: api.testing })];
  const stages = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
  const letGo = Promise.withResolvers<void>();
  const flow = provisionFlow(
    stages.map((stage) => ({
      stage,
      run: async () => {
        if (stage === 'Three') await letGo.promise;
        return done();
      },
    })),
  );
  const followed = await provision(api.database, flow);
  const all = subscribe<RuntimeData>({
    ...{ transport: 'graphql-ws', endpoint: `${api.origin}/graphql`, query: runtimeUpdatesDocument },
  });
  await all.has(1);
  const operations = [followed, ...(await Promise.all(upTo(9).map(() => provision(api.database, flow))))];
  for (const _ of replicas) {
    await startEngine({ database: anotherConnection(api.testing.settings), flows: [flow], concurrency: 5 });
  }
  const pieces = transports.flatMap((transport) =>
    [1, 2, 5].map((some) => followInPieces(replicas, transport, followed, some)),
  );
  await eventually('a subscriber to be in the middle', () => all.data.length > 10);
  letGo.resolve();
  await Promise.all(operations.map((operation) => ended(api.database, operation)));

  const stored = await history(api.database, followed.id);
  for (const seen of await Promise.all(pieces)) {
    assert.deepEqual(
      seen.map(({ sequence, type, stage }) => `${sequence} ${type} ${stage}`),
      stored.map(({ sequence, type, stage }) => `${sequence} ${type} ${stage}`),
    );
  }
  // Of the first one the acceptance was before the subscription.
  await all.has(1 + operations.length * stored.length - 1);
  for (const operation of operations) {
    const sequences = all.data.flatMap(({ runtimeUpdates: { update } }) =>
      update?.operationID === operation.id ? [update.sequence] : [],
    );
    assert.deepEqual(sequences, operation === followed ? upTo(stored.length).slice(1) : upTo(stored.length));
  }
});

test('a subscription outlives its database connections, and a database that is away', async (t) => {
  const api = await apiUnderTest(t);
  const writer = anotherConnection(api.testing.settings);
  const operation = await provision(api.database, oneStage);
  const subscribed = transports.map((transport) => ({
    one: subscribe<OperationData>({
      ...{ transport, endpoint: `${api.origin}/graphql`, query: operationUpdatesDocument },
      variables: { operationID: operation.id },
    }),
    all: subscribe<RuntimeData>({
      ...{ transport, endpoint: `${api.origin}/graphql`, query: runtimeUpdatesDocument },
    }),
  }));
  const everybodyHas = async (count: number) => {
    for (const { one, all } of subscribed) await Promise.all([one.has(count), all.has(count)]);
  };
  await everybodyHas(1);
  await api.testing.terminateConnections();
  // Written while nobody listens, or just before or after.
  await eventually('the writer to be connected again', () => appendEvent(writer, operation, 'cut').then(() => true));
  await everybodyHas(2);

  await api.testing.goDown();
  const late = subscribe<RuntimeData>({
    ...{ transport: 'graphql-ws', endpoint: `${api.origin}/graphql`, query: runtimeUpdatesDocument },
  });
  await api.testing.comeBack();
  await eventually('the writer to be connected again', () => appendEvent(writer, operation, 'away').then(() => true));
  await everybodyHas(3);
  await late.has(1);
  for (const { one, all } of subscribed) {
    assert.deepEqual(
      one.data.map(({ operationUpdates }) => operationUpdates.sequence),
      [1, 2, 3],
    );
    assert.deepEqual(
      all.data.map(({ runtimeUpdates: { update } }) => update?.message),
      [undefined, 'cut', 'away'],
    );
    assert.deepEqual([one.end, all.end], [undefined, undefined]);
  }
});

/** The real client, which connects again by itself; it subscribes with the variables as they are then. */
function retryingClient(transport: Transport, endpoint: () => string) {
  const noPause = { retryAttempts: 100, retryWait: async () => {}, retry: async () => {} };
  if (transport === 'graphql-sse') {
    return createEventStreamClient({ url: () => `${endpoint()}/stream`, headers: { tenant: 'tenant-a' }, ...noPause });
  }
  const url = () => endpoint().replace(/^http/, 'ws');
  return createWebSocketClient({
    ...{ url, connectionParams: { tenant: 'tenant-a' }, webSocketImpl: WebSocket, shouldRetry: () => true },
    ...noPause,
  });
}

for (const transport of transports) {
  test(`${transport}: when a replica stops, its client goes on at another one and misses nothing`, async (t) => {
    const first = await apiUnderTest(t);
    const second = await apiUnderTest(t, { testing: first.testing });
    const operation = await provision(first.database, oneStage);
    let endpoint = `${first.origin}/graphql`;
    const client = retryingClient(transport, () => endpoint);
    const seen: (string | undefined)[] = [];
    const variables: { after?: string } = {};
    let end: unknown;
    const leave = client.subscribe<RuntimeData>(
      { query: runtimeUpdatesDocument, variables: variables as Record<string, unknown> },
      {
        next: ({ data }) => {
          if (!data) return;
          variables.after = data.runtimeUpdates.cursor;
          seen.push(data.runtimeUpdates.update?.message);
        },
        error: (error) => {
          end = error;
        },
        complete: () => {
          end = 'complete';
        },
      },
    );
    await eventually('the subscription', () => seen.length === 1);
    await appendEvent(first.database, operation, 'before');
    await eventually('an update', () => seen.length === 2);
    endpoint = `${second.origin}/graphql`;
    const stopped = first.stop();
    await appendEvent(second.database, operation, 'while it stops');
    await stopped;
    await appendEvent(second.database, operation, 'after');
    await eventually('all updates', () => seen.length >= 4);
    assert.deepEqual(seen, [undefined, 'before', 'while it stops', 'after']);
    assert.equal(end, undefined);
    // Else it would go on connecting while the test ends.
    leave();
    await client.dispose();
  });
}

test('a stop closes WebSockets with 1001 and cuts event streams, without saying that anything is complete', async (t) => {
  const api = await apiUnderTest(t);
  const [socket, stream] = transports.map((transport) =>
    subscribe<RuntimeData>({ transport, endpoint: `${api.origin}/graphql`, query: runtimeUpdatesDocument }),
  );
  assert.ok(socket && stream);
  await Promise.all([socket.has(1), stream.has(1)]);
  await api.stop();
  const [socketEnd, streamEnd] = await Promise.all([socket.ended(), stream.ended()]);
  assert.ok(socketEnd.kind === 'failed' && streamEnd.kind === 'failed');
  const { code, reason } = socketEnd.error as { code: number; reason: string };
  assert.deepEqual([code, reason], [1001, 'Going away']);
  assert.match(String(streamEnd.error), /Connection closed while having active streams/);
});
