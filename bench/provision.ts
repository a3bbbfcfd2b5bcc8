// `npm run bench`: how long a whole provisioning takes from the mutation's acceptance to Succeeded, with the landscape's
// time set to instant: many at once, in several rounds, on one service process. Everything shares this machine: the
// service, its PostgreSQL, the landscape (a process of its own) and this client. `-- --at-once 50 --rounds 5 --warm-up 1`
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { provisionRuntime } from '../scripts/demo/documents.ts';
import { freePort } from '../scripts/demo/free-port.ts';
import { call, type ProvisionerApi } from '../scripts/demo/provisioner-api.ts';
import { startService } from '../scripts/demo/service-process.ts';
import { removeDirectory } from '../src/db/embedded/data-directory.ts';
import { startLandscapeProcess } from './landscape-process.ts';
import { percentile } from './percentile.ts';

const { values: options } = parseArgs({
  options: {
    'at-once': { type: 'string', default: '50' },
    rounds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '1' },
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

const landscape = await startLandscapeProcess(path.join(directory, 'landscape'));
const port = await freePort(0);
const origin = `http://127.0.0.1:${port}`;
const service = await startService({
  origin,
  logFile: path.join(directory, 'service.log'),
  environment: {
    ...landscape.environment,
    APP_ADDRESS: `127.0.0.1:${port}`,
    APP_METRICS_ADDRESS: '127.0.0.1:0',
    APP_LOG_LEVEL: 'warn',
    APP_DATABASE_EMBEDDED_PATH: path.join(directory, 'postgres'),
  },
});
const api: ProvisionerApi = { endpoint: `${origin}/graphql`, tenant: 'demo' };
try {
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
} finally {
  await service.stop();
  landscape.stop();
  await removeDirectory(path.join(directory, 'postgres'));
  rmSync(directory, { recursive: true, force: true });
}

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
