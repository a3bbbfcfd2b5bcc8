// `npm run bench:load`: what it costs one service process to wait, with many Shoots in the Garden and many operations in
// flight, none of which can go on; then the same while other Shoots change all the time, as conditions do. Targets, with
// 5,000 Shoots and 1,000 operations: 512 MiB. Everything shares this machine; what is measured is the service alone.
// `-- --shoots 5000 --operations 1000 --padding 10000 --changes 100 --seconds 60`
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { provisionRuntime } from '../scripts/demo/documents.ts';
import { call, type ProvisionerApi } from '../scripts/demo/provisioner-api.ts';
import { shootKind } from '../src/clusters/gardener/shoot/shoot.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { kubernetesClient } from '../src/kubernetes/client.ts';
import { kubeconfigFile } from '../src/kubernetes/kubeconfig-file.ts';
import { createLog } from '../src/observability/log.ts';
import { cpuSeconds } from './cpu-time.ts';
import { startLandscapeProcess } from './landscape-process.ts';
import { inTurns, makeShoots, namespace } from './many-shoots.ts';
import { residentMemory } from './resident-memory.ts';
import { databaseEnvironment, startServiceOn } from './service-under-load.ts';

const { values: options } = parseArgs({
  options: {
    shoots: { type: 'string', default: '5000' },
    operations: { type: 'string', default: '1000' },
    padding: { type: 'string', default: '10000' },
    changes: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '60' },
  },
});
const operations = Number(options.operations);
const others = Math.max(0, Number(options.shoots) - operations);
const seconds = Number(options.seconds);
const targetMebibytes = 512;

const directory = mkdtempSync(path.join(os.tmpdir(), 'provisioner-bench-'));
await using resources = new AsyncDisposableStack();
resources.defer(() => rmSync(directory, { recursive: true, force: true }));
const log = createLog({ level: 'warn' });
const postgres = await startEmbeddedPostgres({ directory: path.join(directory, 'postgres'), log, temporary: true });
resources.defer(() => postgres.stop());
const landscape = await startLandscapeProcess(path.join(directory, 'landscape'));
resources.defer(() => landscape.stop());
await control('PUT', '/fates/*', { kind: 'stuck' });

const garden = kubernetesClient({
  connection: kubeconfigFile({ path: landscape.environment.APP_GARDENER_KUBECONFIG_PATH ?? '' }),
  fieldManager: 'bench',
});
resources.defer(() => garden.close());
const names = await makeShoots({ garden, count: others, paddingBytes: Number(options.padding) });

const { endpoint, process: service } = await startServiceOn({
  ...{ directory, resources, landscape, environment: databaseEnvironment(postgres) },
});
const api: ProvisionerApi = { endpoint, tenant: 'demo' };
console.log(`${others} Shoots of others, listed: ${describeMemory()}`);

const before = await gardenRequests();
const startedAt = performance.now();
await inTurns(Array.from({ length: operations }), async () => {
  await call(api, provisionRuntime);
});
await untilAllWait();
const took = (performance.now() - startedAt) / 1_000;
const after = await gardenRequests();
console.log(`${operations} operations accepted and waiting after ${took.toFixed(0)} s: ${describeMemory()}`);
for (const kind of ['writes', 'reads'] as const) {
  console.log(`${kind} to the Garden for each, so far: ${((after[kind] - before[kind]) / operations).toFixed(2)}`);
}
const sizes = (await garden.list(shootKind, { namespace })).items.map((shoot) => JSON.stringify(shoot).length);
const average = sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length);
console.log(`${sizes.length} Shoots of ${(average / 1_000).toFixed(1)} kB of JSON on average`);

await measure('nothing changes', async () => pause(seconds * 1_000));
await measure(`${options.changes} Shoots change each second`, changeShoots);

const { most } = residentMemory(service.pid);
console.log(`most memory: ${most.toFixed(0)} MiB; target: at most ${targetMebibytes} MiB`);
if (most > targetMebibytes) process.exitCode = 1;

async function measure(what: string, during: () => Promise<unknown>): Promise<void> {
  const requests = await gardenRequests();
  const cpu = cpuSeconds(service.pid);
  const begun = performance.now();
  await during();
  const passed = (performance.now() - begun) / 1_000;
  const share = ((cpuSeconds(service.pid) - cpu) / passed) * 100;
  const asked = (await gardenRequests()).reads - requests.reads;
  console.log(`${what}, ${passed.toFixed(0)} s: ${share.toFixed(1)} % of a core, ${asked} reads, ${describeMemory()}`);
}

async function changeShoots(): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  for (let turn = 0; performance.now() < until; turn += 1) {
    const name = names[turn % names.length];
    if (name === undefined) return;
    const labels = { 'shoot.gardener.cloud/status': turn % 2 === 0 ? 'healthy' : 'progressing' };
    await Promise.all([
      garden.patch({ ...shootKind, namespace, name }, { metadata: { labels: { ...labels, turn: String(turn) } } }),
      pause(1_000 / Number(options.changes)),
    ]);
  }
}

/** All operations have asked for their cluster, and none is being run. */
async function untilAllWait(): Promise<void> {
  for (;;) {
    const { shoots } = (await control('GET', '/inventory')) as { shoots: readonly unknown[] };
    const answer = await call<{ operations: { nodes: readonly object[] } }>(
      api,
      '{ operations(filter: { stage: "CreatingCluster", state: InProgress }, first: 1) { nodes { id } } }',
    );
    if (shoots.length >= others + operations && answer.operations.nodes.length === 0) return;
    await pause(1_000);
  }
}

function describeMemory(): string {
  return `${residentMemory(service.pid).now.toFixed(0)} MiB`;
}

async function gardenRequests(): Promise<{ readonly writes: number; readonly reads: number }> {
  const counters = (await control('GET', '/requests/counters')) as Readonly<Record<string, number>>;
  const of = (method: string) => counters[`garden ${method}`] ?? 0;
  return { writes: of('POST') + of('PUT') + of('PATCH') + of('DELETE'), reads: of('GET') };
}

async function control(method: string, where: string, body?: object): Promise<unknown> {
  const response = await fetch(`${landscape.control}${where}`, { method, body: body ? JSON.stringify(body) : null });
  if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`);
  return response.json();
}
