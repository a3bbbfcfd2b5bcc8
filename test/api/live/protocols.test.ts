import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { done } from '../../../src/domain/outcome.ts';
import { newRuntime, provision } from '../../engine/support/engine-fixture.ts';
import { provisionFlow } from '../../engine/support/flows.ts';
import { eventually } from '../../harness/eventually.ts';
import { apiUnderTest } from '../api-under-test.ts';
import { operationUpdatesDocument, runtimeUpdatesDocument, subscribe, transports } from './support/live-client.ts';

const flow = provisionFlow([{ stage: 'One', run: async () => done() }]);

/** A WebSocket without a library's idea of the protocol; `messages` are parsed. */
function rawSocket(origin: string, headers: Record<string, string> = {}, protocol = 'graphql-transport-ws') {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/graphql`, protocol, { headers });
  const messages: { type: string; id?: string; payload?: unknown }[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  socket.on('error', () => undefined);
  const send = (message: object) => socket.send(JSON.stringify(message));
  const initialise = async (payload?: object) => {
    await once(socket, 'open');
    send({ type: 'connection_init', payload });
    await eventually('the acknowledgement', () => messages.some(({ type }) => type === 'connection_ack'));
  };
  return { socket, messages, send, initialise };
}

async function refusalOf(origin: string, path: string, headers: Record<string, string>): Promise<number | undefined> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, 'graphql-transport-ws', { headers });
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  socket.terminate();
  return response.statusCode;
}

test('what is wrong with a subscription is told over both transports as over the endpoint', async (t) => {
  const { origin, call } = await apiUnderTest(t);
  const wrong: [string, string, string][] = [
    ['a document that does not parse', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
    ['a field that does not exist', 'subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'two at once',
      'subscription { a: runtimeUpdates { cursor } b: runtimeUpdates { cursor } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['a variable that is missing', operationUpdatesDocument, 'GRAPHQL_VALIDATION_FAILED'],
    ['an id that is none', 'subscription { operationUpdates(operationID: "x") { sequence } }', 'INVALID_INPUT'],
    [
      'a negative sequence',
      `subscription { operationUpdates(operationID: "${crypto.randomUUID()}", after: -1) { sequence } }`,
      'INVALID_INPUT',
    ],
  ];
  for (const transport of transports) {
    for (const [what, query, code] of wrong) {
      const refused = subscribe({ transport, endpoint: `${origin}/graphql`, query });
      await refused.ended();
      assert.equal(refused.data.length, 0, what);
      assert.equal(refused.errors[0]?.extensions?.code, code, `${transport}: ${what}`);
      refused.leave();
    }
    const nobody = subscribe({
      transport,
      endpoint: `${origin}/graphql`,
      tenant: null,
      query: runtimeUpdatesDocument,
    });
    await nobody.ended();
    assert.equal(nobody.errors[0]?.extensions?.code, 'TENANT_MISSING', transport);
  }
  const { errors, data } = await call('subscription { runtimeUpdates { cursor } }');
  assert.equal(data, null);
  assert.match(
    errors?.[0].message,
    /WebSocket \(graphql-transport-ws\) to \/graphql, or by a POST to \/graphql\/stream/,
  );
});

test('queries and mutations are not carried', async (t) => {
  const { origin, database } = await apiUnderTest(t);
  for (const transport of transports) {
    for (const query of ['{ __typename }', `mutation { deprovisionRuntime(id: "${crypto.randomUUID()}") }`]) {
      const refused = subscribe({ transport, endpoint: `${origin}/graphql`, query });
      await refused.ended();
      assert.match(refused.errors[0]?.message ?? '', /^only subscriptions are carried here/);
    }
  }
  assert.equal((await database.kysely.selectFrom('operation').select('id').execute()).length, 0);
});

test('a tenant in the header counts more than one in the payload', async (t) => {
  const { origin, database } = await apiUnderTest(t);
  const { id } = await provision(database, flow, newRuntime({ tenant: 'tenant-b' as never }));
  const payload = { query: operationUpdatesDocument, variables: { operationID: id } };
  for (const [headers, parameters, seen] of [
    [{ tenant: 'tenant-a' }, { tenant: 'tenant-b' }, 'error'],
    [{ tenant: 'tenant-b' }, { tenant: 'tenant-a' }, 'next'],
    [{}, { tenant: 'tenant-b' }, 'next'],
    [{ tenant: 'tenant-b' }, undefined, 'next'],
  ] as const) {
    const { socket, messages, send, initialise } = rawSocket(origin, { ...headers });
    await initialise(parameters);
    send({ type: 'subscribe', id: '1', payload });
    const answer = await eventually('an answer', () => messages.find((message) => message.id === '1'));
    const failed = JSON.stringify(answer).includes('NOT_FOUND');
    assert.equal(failed ? 'error' : answer.type, seen, JSON.stringify({ headers, parameters }));
    socket.terminate();
  }
});

test('a page of another site cannot connect; programs and our own pages can', async (t) => {
  const { origin } = await apiUnderTest(t);
  assert.equal(await refusalOf(origin, '/graphql', { origin: 'https://evil.example' }), 403);
  assert.equal(await refusalOf(origin, '/graphql', { origin: 'null' }), 403);
  assert.equal(await refusalOf(origin, '/elsewhere', {}), 404);
  for (const headers of [{ origin }, {}] as Record<string, string>[]) {
    const { socket, initialise } = rawSocket(origin, headers);
    await initialise();
    socket.terminate();
  }
});

test('a web page cannot open an event stream without its browser asking first', async (t) => {
  const { origin } = await apiUnderTest(t);
  const body = JSON.stringify({ query: runtimeUpdatesDocument });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const headers = { 'content-type': type, tenant: 'tenant-a' };
    const { status } = await fetch(`${origin}/graphql/stream`, { method: 'POST', headers, body });
    assert.equal(status, 415, type);
  }
  assert.equal((await fetch(`${origin}/graphql/stream`, { headers: { tenant: 'tenant-a' } })).status, 404);
});

test('a body that is no request is refused with 400', async (t) => {
  const { origin } = await apiUnderTest(t);
  for (const body of ['{}', '[]', '{"query": 5}', 'null', '{']) {
    const headers = { 'content-type': 'application/json', tenant: 'tenant-a' };
    const response = await fetch(`${origin}/graphql/stream`, { method: 'POST', headers, body });
    assert.equal(response.status, 400, body);
    await response.text();
  }
});

test('a connection that speaks another protocol, out of turn or nonsense is closed with the code of the protocol', async (t) => {
  const { origin } = await apiUnderTest(t);
  const closing = async (say: (socket: WebSocket) => void, protocol?: string) => {
    const { socket } = rawSocket(origin, { tenant: 'tenant-a' }, protocol);
    await once(socket, 'open');
    say(socket);
    const [code] = (await once(socket, 'close')) as [number];
    return code;
  };
  const subscription = { id: '1', type: 'subscribe', payload: { query: runtimeUpdatesDocument } };
  assert.equal(await closing((socket) => socket.send('nonsense')), 4400);
  assert.equal(await closing((socket) => socket.send(JSON.stringify(subscription))), 4401);
  assert.equal(await closing((socket) => socket.send('x'.repeat(300 * 1024))), 1009);
});

test('a connection carries many subscriptions, but not any number, and leaving one leaves the others', async (t) => {
  const { origin, database } = await apiUnderTest(t);
  const { id } = await provision(database, flow);
  const { socket, messages, send, initialise } = rawSocket(origin, { tenant: 'tenant-a' });
  await initialise();
  const payload = { query: operationUpdatesDocument, variables: { operationID: id } };
  for (let number = 1; number <= 100; number += 1) send({ type: 'subscribe', id: String(number), payload });
  const firsts = () => messages.filter(({ type }) => type === 'next').length;
  await eventually('all of them', () => firsts() === 100);
  send({ type: 'subscribe', id: 'more', payload });
  const refusal = await eventually('a refusal', () => messages.find((message) => message.id === 'more'));
  assert.match(JSON.stringify(refusal), /a connection may hold at most 100 subscriptions/);
  send({ type: 'complete', id: '1' });
  send({ type: 'subscribe', id: 'again', payload });
  await eventually('the one that took its place', () => firsts() === 101);
  assert.ok(messages.every(({ type }) => type !== 'complete'));
  socket.terminate();
});

test('a client that offers HTTP/2 with its request is answered', async (t) => {
  const { origin } = await apiUnderTest(t);
  const body = JSON.stringify({ query: '{ __typename }' });
  const request = httpRequest(`${origin}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  assert.deepEqual(JSON.parse(await text(response)), { data: { __typename: 'Query' } });
});

test('an unexpected error is masked, and named by a correlation id', async (t) => {
  const { origin, database } = await apiUnderTest(t);
  const { id } = await provision(database, flow);
  await database.kysely.schema.alterTable('operation_event').renameTo('elsewhere').execute();
  for (const transport of transports) {
    const failing = subscribe({
      ...{ transport, endpoint: `${origin}/graphql`, query: operationUpdatesDocument },
      variables: { operationID: id },
    });
    await failing.ended();
    const [error] = failing.errors;
    assert.equal(error?.message, 'internal system error', transport);
    assert.equal(typeof error?.extensions?.correlation_id, 'string');
    assert.equal(JSON.stringify(failing.errors).includes('operation_event'), false);
  }
});
