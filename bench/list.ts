// How long a page of a list takes through HTTP with 100,000 Runtimes stored, nine in ten of one tenant. The target is a
// p95 of at most 100 ms, also for filters that nothing matches. The service and its PostgreSQL are processes of their
// own on this machine, as is this client. `-- --runtimes 100000 --requests 200 --at-once 1,4`
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { call, type ProvisionerApi } from '../scripts/demo/provisioner-api.ts';
import { Database } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../src/db/migrate.ts';
import { createLog } from '../src/observability/log.ts';
import { fillLists } from './fill-lists.ts';
import { type ListCase, listCases } from './list-cases.ts';
import { percentile } from './percentile.ts';
import { databaseEnvironment, startServiceUnderLoad } from './service-under-load.ts';

const { values: options } = parseArgs({
  options: {
    runtimes: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '200' },
    'at-once': { type: 'string', default: '1,4' },
  },
});
const target = 100;
const directory = mkdtempSync(path.join(os.tmpdir(), 'provisioner-bench-'));
const log = createLog({ level: 'warn' });
await using resources = new AsyncDisposableStack();
resources.defer(() => rmSync(directory, { recursive: true, force: true }));

const postgres = await startEmbeddedPostgres({ directory: path.join(directory, 'postgres'), log, temporary: true });
resources.defer(() => postgres.stop());
const database = new Database({ settings: { ...postgres, sslMode: 'disable' }, log });
resources.defer(() => database.close());
await migrate({ database, log });
const client = await database.connect({ statementMillis: 30 * 60_000 });
const startedAt = performance.now();
const filled = await fillLists({ client, count: Number(options.runtimes) });
await client.end();
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
console.log(`${filled.runtimes} Runtimes and ${filled.operations} operations stored in ${seconds} s`);

const { endpoint } = await startServiceUnderLoad({ directory, resources, environment: databaseEnvironment(postgres) });
const big: ProvisionerApi = { endpoint, tenant: 'big' };
const cases = await listCases(big);
let worst = 0;
for (const atOnce of options['at-once'].split(',').map(Number)) {
  console.log(`\n${options.requests} requests for each, ${atOnce} at once, on ${os.cpus().length} cores; milliseconds`);
  console.log(`${'list'.padEnd(52)}nodes      p50      p95      max`);
  for (const one of cases) worst = Math.max(worst, await measure(one, atOnce));
}
console.log(`\nslowest p95: ${worst.toFixed(0)} ms; target: ${target} ms`);
if (worst > target) process.exitCode = 1;

/** Answers the p95. */
async function measure({ name, tenant = big.tenant, query, variables }: ListCase, atOnce: number): Promise<number> {
  const api = { ...big, tenant };
  const ask = async () => {
    const sentAt = performance.now();
    const answer = await call<{ page: { nodes: readonly unknown[] } }>(api, query, variables);
    return { nodes: answer.page.nodes.length, took: performance.now() - sentAt };
  };
  const { nodes } = await ask();
  const times: number[] = [];
  let left = Number(options.requests);
  const worker = async () => {
    while (left-- > 0) times.push((await ask()).took);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const cells = [percentile(times, 50), percentile(times, 95), Math.max(...times)];
  console.log(name.padEnd(52) + String(nodes).padStart(5) + cells.map((cell) => cell.toFixed(1).padStart(9)).join(''));
  return percentile(times, 95);
}
