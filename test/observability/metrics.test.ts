import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fetch as undiciFetch } from 'undici';
import { Failure, recordError } from '../../src/domain/failures.ts';
import { newOperationId, newRuntimeId } from '../../src/domain/ids.ts';
import type { Operation } from '../../src/domain/operation.ts';
import { EngineEvents } from '../../src/engine/engine-events.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { startMetricsServer } from '../../src/observability/metrics-server.ts';
import { observeEngine } from '../../src/observability/observe-engine.ts';
import { observeUpstreamCalls } from '../../src/observability/observe-upstream-calls.ts';
import { silentLog } from '../harness/silent-log.ts';

function metricsUnderTest(
  operationsInProgress: Parameters<typeof createMetrics>[0]['operationsInProgress'] = async () => ({}),
) {
  return createMetrics({ operationsInProgress, engine: () => ({ running: 3, capacity: 200 }), log: silentLog });
}

function operation(kind: Operation['kind']): Operation {
  return {
    id: newOperationId(),
    runtimeId: newRuntimeId(),
    kind,
    state: 'InProgress',
    stage: 'CreatingCluster',
    stageStartedAt: new Date(),
    attempt: 1,
    message: 'a message',
    progress: undefined,
    notes: {},
    lastError: undefined,
    startedAt: new Date(),
    endedAt: undefined,
  };
}

test('what the engine tells is counted, with labels that do not grow with the number of operations', async () => {
  const metrics = metricsUnderTest();
  const events = new EngineEvents(silentLog);
  observeEngine({ events, metrics, log: silentLog });
  const error = recordError(new Failure('CLUSTER_FAILED', 'quota', { reason: 'ERR_INFRA_QUOTA_EXCEEDED' }));
  const tell = () => {
    const failed = operation('Provision');
    const stage = 'CreatingCluster';
    events.tell(['operation:succeeded', { operation: operation('Provision'), durationMillis: 2_000 }]);
    events.tell(['operation:failed', { operation: failed, stage, error, durationMillis: 10 }]);
    events.tell(['stage:done', { operation: failed, stage, durationMillis: 1_500 }]);
    events.tell(['stage:retrying', { operation: failed, stage, error, failures: 1, dueInMillis: 1_000 }]);
    events.tell(['takeover', { operationId: failed.id, previousOwner: crypto.randomUUID() }]);
  };
  tell();
  const seriesOnce = (await metrics.registry.metrics()).split('\n').length;
  for (let count = 1; count < 50; count++) tell();
  const text = await metrics.registry.metrics();
  assert.equal(text.split('\n').length, seriesOnce);
  assert.match(text, /provisioner_operations_finished_total\{kind="Provision",outcome="succeeded",code=""\} 50/);
  assert.match(
    text,
    /provisioner_operations_finished_total\{kind="Provision",outcome="failed",code="CLUSTER_FAILED"\} 50/,
  );
  assert.match(text, /provisioner_operation_duration_seconds_sum\{kind="Provision",outcome="succeeded"\} 100/);
  assert.match(text, /provisioner_stage_duration_seconds_bucket\{le="1",kind="Provision",stage="CreatingCluster"\} 0/);
  assert.match(
    text,
    /provisioner_stage_duration_seconds_bucket\{le="2.5",kind="Provision",stage="CreatingCluster"\} 50/,
  );
  assert.match(text, /provisioner_stage_retries_total\{kind="Provision",stage="CreatingCluster"\} 50/);
  assert.match(text, /provisioner_takeovers_total 50/);
  assert.equal(text.includes('quota'), false);
});

test('the gauges of the original are there under both of their names', async () => {
  let counts: { Provision?: number; Deprovision?: number } = { Provision: 4, Deprovision: 1 };
  const { registry } = metricsUnderTest(async () => counts);
  const valuesOf = async (pattern: RegExp) =>
    [...(await registry.metrics()).matchAll(pattern)].map((found) => found.slice(1));
  const old = /^(\w+)_provisioner_in_progress_(\w+)_operations_total (\d+)$/gm;
  assert.deepEqual(await valuesOf(old), [
    ['compass', 'provision', '4'],
    ['compass', 'deprovision', '1'],
    ['compass', 'upgrade', '0'],
    ['kcp', 'provision', '4'],
    ['kcp', 'deprovision', '1'],
    ['kcp', 'upgrade', '0'],
  ]);
  counts = {};
  const now = await valuesOf(/^provisioner_operations_in_progress\{kind="(\w+)"\} (\d+)$/gm);
  assert.deepEqual(now.slice(0, 1), [['Provision', '0']]);
  assert.deepEqual(
    (await valuesOf(old)).map(([, , count]) => count),
    ['0', '0', '0', '0', '0', '0'],
  );
});

test('a database that is down takes only its own gauges with it', async () => {
  let down = false;
  const { registry } = metricsUnderTest(async () => {
    if (down) throw new Error('connection refused');
    return { Provision: 7 };
  });
  assert.match(await registry.metrics(), /in_progress_provision_operations_total 7/);
  down = true;
  const text = await registry.metrics();
  assert.equal(/^\w*in_progress\w*(\{[^}]*\})? \d/m.test(text), false, 'no stale or invented number');
  assert.match(text, /provisioner_engine_running 3/);
  assert.match(text, /provisioner_engine_capacity 200/);
});

test('metrics are served on their own address and nothing else is', async (t) => {
  const { registry } = metricsUnderTest();
  const server = await startMetricsServer({ address: { host: '127.0.0.1', port: 0 }, registry, log: silentLog });
  t.after(() => server.stop());
  const origin = `http://127.0.0.1:${server.port}`;
  const response = await fetch(`${origin}/metrics`);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(await response.text(), /process_cpu_seconds_total/);
  assert.equal((await fetch(`${origin}/`)).status, 404);
  assert.equal((await fetch(`${origin}/metrics`, { method: 'POST' })).status, 404);
});

test('calls to upstreams are measured by status class, and by their absence of an answer', async (t) => {
  const metrics = metricsUnderTest();
  const upstream = createServer((request, response) => {
    if (request.url === '/gone') request.socket.destroy();
    else response.writeHead(request.url === '/bad' ? 503 : 200).end();
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  t.after(() => upstream.close());
  const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const stop = observeUpstreamCalls({
    metrics,
    nameOf: (request) => (request.origin === origin && request.path !== '/private' ? 'director' : undefined),
  });
  for (const path of ['/good', '/bad', '/private']) await (await undiciFetch(`${origin}${path}`)).text();
  await assert.rejects(undiciFetch(`${origin}/gone`));
  stop();
  await (await undiciFetch(`${origin}/good`)).text();
  const text = await metrics.registry.metrics();
  const counts = [...text.matchAll(/request_duration_seconds_count\{(.*)\} (\d+)/g)].map((found) => found.slice(1));
  assert.deepEqual(counts, [
    ['upstream="director",method="GET",status="2xx"', '1'],
    ['upstream="director",method="GET",status="5xx"', '1'],
    ['upstream="director",method="GET",status="error"', '1'],
  ]);
});
