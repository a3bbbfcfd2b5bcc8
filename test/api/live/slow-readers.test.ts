import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { done } from '../../../src/domain/outcome.ts';
import { provision } from '../../engine/support/engine-fixture.ts';
import { provisionFlow } from '../../engine/support/flows.ts';
import { eventually } from '../../harness/eventually.ts';
import { apiUnderTest } from '../api-under-test.ts';
import { appendEvents } from './support/append-event.ts';
import { operationUpdatesDocument, transports } from './support/live-client.ts';

const flow = provisionFlow([{ stage: 'One', run: async () => done() }]);
const count = 4_000;
const message = 'x'.repeat(8_000);

/** A client of either protocol that can stop reading; answers the sequences that it has read. */
async function openReader(transport: (typeof transports)[number], origin: string, operationID: string) {
  const payload = { query: operationUpdatesDocument, variables: { operationID } };
  const sequences: number[] = [];
  const take = (text: string) => {
    for (const [, sequence] of text.matchAll(/"sequence":(\d+)/g)) sequences.push(Number(sequence));
  };
  if (transport === 'graphql-ws') {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      headers: { tenant: 'tenant-a' },
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init' }));
    await once(socket, 'message');
    socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload }));
    socket.on('message', (data) => take(String(data)));
    return { sequences, pause: () => socket.pause(), resume: () => socket.resume(), close: () => socket.terminate() };
  }
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify(payload);
  socket.write(
    `POST /graphql/stream HTTP/1.1\r\nhost: ${hostname}\r\ntenant: tenant-a\r\ncontent-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    rest += text;
    const end = rest.lastIndexOf('\n\n');
    if (end < 0) return;
    take(rest.slice(0, end));
    rest = rest.slice(end);
  });
  return { sequences, pause: () => socket.pause(), resume: () => socket.resume(), close: () => socket.destroy() };
}

for (const transport of transports) {
  test(`${transport}: for a client that does not read nothing piles up, and once it reads it gets everything`, async (t) => {
    const api = await apiUnderTest(t);
    const operation = await provision(api.database, flow);
    const accepted: Socket[] = [];
    api.server.server.on('connection', (socket) => accepted.push(socket));
    const reader = await openReader(transport, api.origin, operation.id);
    t.after(() => reader.close());
    await eventually('the first update', () => reader.sequences.length === 1);
    reader.pause();
    await appendEvents(api.database, operation, { count, message });
    const waiting = () => Math.max(...accepted.map((socket) => socket.writableLength));
    await eventually('the server to be held up by the client', () => waiting() > 0);
    // One that is written to without being waited for would have it all after one more look at the database.
    const another = await openReader(transport, api.origin, operation.id);
    t.after(() => another.close());
    await eventually('another client to have everything', () => another.sequences.length === 1 + count);
    assert.ok(waiting() < 100_000, `${waiting()} bytes wait for a client that does not read`);
    reader.resume();
    await eventually('everything', () => reader.sequences.length === 1 + count);
    assert.deepEqual(
      reader.sequences,
      Array.from({ length: 1 + count }, (_, index) => index + 1),
    );
  });
}
