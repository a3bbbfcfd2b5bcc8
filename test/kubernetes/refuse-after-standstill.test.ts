import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Pool } from 'undici';
import { refuseAfterStandstill } from '../../src/kubernetes/refuse-after-standstill.ts';
import { eventually } from '../harness/eventually.ts';

/** In a thread of its own: it answers while ours stands still, and says which requests it has got. */
const server = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((request, response) => {
    parentPort.postMessage(request.method + ' ' + request.url);
    setTimeout(() => response.end('{}'), request.method === 'GET' ? 500 : 0);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test('a process that stood still sends nothing of what it knew before, and goes on once it is awake', async (t) => {
  const worker = new Worker(server, { eval: true });
  t.after(() => worker.terminate());
  const [port] = await once(worker, 'message');
  const seen: string[] = [];
  worker.on('message', (request: string) => seen.push(request));
  const connection = () => {
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1 }).compose(refuseAfterStandstill);
    t.after(() => pool.close());
    return async (method: 'GET' | 'POST' | 'DELETE', path: string) => {
      const { body } = await pool.request({ method, path });
      await body.dump();
    };
  };
  const [acting, queueing] = [connection(), connection()];
  await Promise.all([acting('POST', '/before'), queueing('POST', '/before')]);

  const acted = assert.rejects(
    acting('GET', '/state').then(() => acting('POST', '/after-the-answer')),
    { code: 'STOOD_STILL' },
  );
  const read = queueing('GET', '/state');
  const queued = assert.rejects(queueing('DELETE', '/queued'), /not sent: this process stood still for [34]\.\d s/);
  await eventually('both to be on their way', () => seen.length === 4, { every: 5 });
  // From a timer on: when it ends, the answer is read before other timers run.
  setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000), 0);
  await Promise.all([read, queued, acted]);

  await acting('GET', '/awake');
  await acting('POST', '/awake');
  assert.deepEqual(seen.slice(4), ['GET /awake', 'POST /awake']);
});
