// How many `runtimeStatus` one service process answers in a second, the database included, beside a query that needs
// nothing and beside what the database alone allows, so that one sees what bounds it. The target is at least 5,000 a
// second with a p99 of at most 50 ms on 2 cores, which also carry PostgreSQL and the load.
// `-- --connections 64 --seconds 10 --warm-up 3 --rounds 3`, `--profile <folder>` writes CPU profiles of the service,
// `--hold` keeps everything up after the measurement, for other tools.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { call, followOperation, type ProvisionerApi } from '../scripts/demo/provisioner-api.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { createLog } from '../src/observability/log.ts';
import { cpuSeconds } from './cpu-time.ts';
import type { DatabaseLoad } from './database-load.ts';
import type { Load, Measured } from './load-generator.ts';
import { databaseEnvironment, startServiceUnderLoad } from './service-under-load.ts';
import { fullOrder, hello, provisionInFull, statusInFull } from './status-documents.ts';

const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '10' },
    'warm-up': { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    profile: { type: 'string' },
    hold: { type: 'boolean', default: false },
  },
});
const target = { perSecond: 5_000, p99: 50 };
const connections = Number(options.connections);
const span = { warmUpSeconds: Number(options['warm-up']), seconds: Number(options.seconds) };
const tenant = 'demo';

const directory = mkdtempSync(path.join(os.tmpdir(), 'provisioner-bench-'));
await using resources = new AsyncDisposableStack();
resources.defer(() => rmSync(directory, { recursive: true, force: true }));
const log = createLog({ level: 'warn' });
const postgres = await startEmbeddedPostgres({ directory: path.join(directory, 'postgres'), log, temporary: true });
resources.defer(() => postgres.stop());
const { endpoint, process: service } = await startServiceUnderLoad({
  ...{ directory, resources },
  environment: {
    ...databaseEnvironment(postgres),
    ...(options.profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${path.resolve(options.profile)}` }),
  },
});
const api: ProvisionerApi = { endpoint, tenant };
const runtimeId = await provision();
console.log(`${connections} connections, ${options.seconds} s each on ${os.cpus().length} cores; milliseconds`);
console.log('processor: µs for each request, of the service, of PostgreSQL, and of who asks');
console.log('                      requests/s    p50    p99    max     service PostgreSQL  asker   load average');
let worst: Measured | undefined;
for (let round = 1; round <= Number(options.rounds); round++) {
  const ofHello = await measure('hello', () => runLoad(hello));
  const ofStatus = await measure('runtimeStatus', () => runLoad(statusInFull, { id: runtimeId }));
  const ofDatabase = await measure('the database alone', runDatabase);
  const ratio = (other: Measured) => (ofStatus.perSecond / other.perSecond).toFixed(2);
  console.log(`runtimeStatus / hello ${ratio(ofHello)}, runtimeStatus / the database alone ${ratio(ofDatabase)}\n`);
  if (!worst || ofStatus.perSecond < worst.perSecond) worst = ofStatus;
}
if (worst) {
  const { perSecond, p99, answerBytes } = worst;
  console.log(
    `slowest runtimeStatus: ${perSecond.toFixed(0)}/s of ${answerBytes} bytes with a p99 of ${p99.toFixed(1)} ms`,
  );
  console.log(`target: ${target.perSecond}/s with a p99 of at most ${target.p99} ms`);
  if (perSecond < target.perSecond || p99 > target.p99) process.exitCode = 1;
}
if (options.hold) {
  console.log(`\nheld until Ctrl-C: ${api.endpoint}, tenant ${tenant}, Runtime ${runtimeId}`);
  await new Promise((resolve) => process.once('SIGINT', resolve));
}

async function provision(): Promise<string> {
  const { provisionRuntime: accepted } = await call<{ provisionRuntime: { id: string; runtimeID: string } }>(
    ...([api, provisionInFull, { config: fullOrder }] as const),
  );
  const { state, lastError } = await followOperation(api, accepted.id, () => undefined);
  if (state !== 'Succeeded') throw new Error(`the operation ended ${state}: ${lastError.errMessage}`);
  return accepted.runtimeID;
}

interface Costs {
  readonly service: number;
  readonly postgres: number;
}

async function measure(name: string, run: () => Promise<Measured>): Promise<Measured> {
  const before = costs();
  const measured = await run();
  const after = costs();
  const each = (seconds: number) => (seconds * 1e6) / measured.answers;
  const times = [measured.p50, measured.p99, measured.max].map((time) => time.toFixed(1).padStart(7));
  const cpu = [
    each(after.service - before.service)
      .toFixed(0)
      .padStart(12),
    each(after.postgres - before.postgres)
      .toFixed(0)
      .padStart(11),
    each(measured.cpuSeconds).toFixed(0).padStart(7),
  ];
  const load = os.loadavg()[0]?.toFixed(1).padStart(15) ?? '';
  console.log(`${name.padEnd(20)}${measured.perSecond.toFixed(0).padStart(12)}${times.join('')}${cpu.join('')}${load}`);
  return measured;
}

function costs(): Costs {
  return { service: cpuSeconds(service.pid), postgres: cpuSeconds(postgres.pid()) };
}

function runLoad(query: string, variables: object = {}): Promise<Measured> {
  const load: Load = {
    ...{ port: Number(new URL(endpoint).port), path: '/graphql', connections, ...span },
    headers: { 'content-type': 'application/json', tenant },
    body: JSON.stringify({ query, variables }),
  };
  return runProgram('load-generator.ts', load);
}

function runDatabase(): Promise<Measured> {
  const { host, port, user, password, name } = postgres;
  const load: DatabaseLoad = {
    ...{ host, port, user, password: password.reveal(), name },
    ...{ tenant, runtimeId, atOnce: connections, ...span },
  };
  return runProgram('database-load.ts', load);
}

async function runProgram(file: string, input: object): Promise<Measured> {
  const program = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(input));
  const printed = await text(child.stdout);
  if (printed === '') throw new Error(`${file} measured nothing`);
  return JSON.parse(printed) as Measured;
}
