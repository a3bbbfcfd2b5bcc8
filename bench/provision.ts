// `npm run bench`: how long a whole provisioning takes from the mutation's acceptance to Succeeded, with the landscape's
// time set to instant: many at once, in several rounds, on one service process. Everything shares this machine: the
// service, its PostgreSQL, the landscape (a process of its own) and this client. `-- --at-once 50 --rounds 8 --warm-up 4`
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { provisionRuntime } from '../scripts/demo/documents.ts';
import { call, type ProvisionerApi } from '../scripts/demo/provisioner-api.ts';
import { removeDirectory } from '../src/db/embedded/data-directory.ts';
import { percentile } from './percentile.ts';
import { startServiceUnderLoad } from './service-under-load.ts';

const { values: options } = parseArgs({
  options: {
    'at-once': { type: 'string', default: '50' },
    rounds: { type: 'string', default: '8' },
    'warm-up': { type: 'string', default: '4' },
  },
});
const atOnce = Number(options['at-once']);
const directory = mkdtempSync(path.join(os.tmpdir(), 'provisioner-bench-'));

interface Timed {
  readonly id: string;
  readonly answeredIn: number;
}

interface Finished {
  readonly state: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
}

await using resources = new AsyncDisposableStack();
const database = path.join(directory, 'postgres');
resources.defer(async () => {
  await removeDirectory(database);
  rmSync(directory, { recursive: true, force: true });
});
const { endpoint } = await startServiceUnderLoad({
  ...{ directory, resources },
  environment: { APP_DATABASE_EMBEDDED_PATH: database },
});
const api: ProvisionerApi = { endpoint, tenant: 'demo' };
const warmUp = Number(options['warm-up']);
for (let round = 1; round <= warmUp; round++) await provisionAtOnce();
console.log(`${atOnce} provisionings at once on ${os.cpus().length} cores; milliseconds`);
console.log('round   mutation p50    p99    whole p50    p99    max');
const all: { answered: number[]; whole: number[] } = { answered: [], whole: [] };
for (let round = 1; round <= Number(options.rounds); round++) {
  const { answered, whole } = await provisionAtOnce();
  all.answered.push(...answered);
  all.whole.push(...whole);
  printRow(String(round), answered, whole);
}
printRow('all', all.answered, all.whole);

async function provisionAtOnce(): Promise<{ answered: number[]; whole: number[] }> {
  const accepted = await Promise.all(Array.from({ length: atOnce }, provisionOne));
  const finished = await Promise.all(accepted.map(({ id }) => finish(id)));
  return {
    answered: accepted.map(({ answeredIn }) => answeredIn),
    whole: finished.map(({ startedAt, finishedAt }) => Date.parse(finishedAt ?? '') - Date.parse(startedAt)),
  };
}

async function provisionOne(): Promise<Timed> {
  const startedAt = performance.now();
  const { provisionRuntime: accepted } = await call<{ provisionRuntime: { id: string } }>(api, provisionRuntime);
  return { id: accepted.id, answeredIn: performance.now() - startedAt };
}

/** Looks rarely: the times are the database's own, and looking costs what is measured. */
async function finish(id: string): Promise<Finished> {
  const query = 'query ($id: String!) { runtimeOperationStatus(id: $id) { state startedAt finishedAt message } }';
  for (;;) {
    await pause(1_000);
    const { runtimeOperationStatus: status } = await call<{ runtimeOperationStatus: Finished }>(api, query, { id });
    if (status.state === 'Succeeded') return status;
    if (status.state === 'Failed') throw new Error(`operation ${id} failed: ${JSON.stringify(status)}`);
  }
}

function printRow(name: string, answered: readonly number[], whole: readonly number[]): void {
  const cells = [
    percentile(answered, 50).toFixed(0).padStart(15),
    percentile(answered, 99).toFixed(0).padStart(7),
    percentile(whole, 50).toFixed(0).padStart(13),
    percentile(whole, 99).toFixed(0).padStart(7),
    Math.max(...whole)
      .toFixed(0)
      .padStart(7),
  ];
  console.log(name.padEnd(5) + cells.join(''));
}
