// `node bench/scale.ts`: how far one replica goes. A thousand provisionings as fast as they can be done; what one more
// costs beside 100 operations that wait and beside 10,000; and what those 10,000 cost while nothing happens. The
// landscape's time is set to instant, and everything shares this machine: the service, its PostgreSQL, the landscape and
// this client. `-- --provisions 1000 --few 100 --many 10000 --batch 100 --rounds 3 --seconds 30`
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { call } from '../scripts/demo/provisioner-api.ts';
import { shootKind } from '../src/clusters/gardener/shoot/shoot.ts';
import { kubernetesClient } from '../src/kubernetes/client.ts';
import { kubeconfigFile } from '../src/kubernetes/kubeconfig-file.ts';
import { inTurns, namespace } from './many-shoots.ts';
import { percentile } from './percentile.ts';
import { residentMemory } from './resident-memory.ts';
import { openScaleWorld, type Processors, type ScaleWorld, usedSince } from './scale-world.ts';
import { bars, sparkline } from './text-plot.ts';
import { addWaiting, type Pattern } from './waiting-operations.ts';

const { values: options } = parseArgs({
  options: {
    provisions: { type: 'string', default: '1000' },
    few: { type: 'string', default: '100' },
    many: { type: 'string', default: '10000' },
    batch: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '30' },
  },
});
const [provisions, few, many, batch] = [options.provisions, options.few, options.many, options.batch].map(Number) as [
  number,
  number,
  number,
  number,
];
const targets = { provisionsSeconds: 60, ratio: 1.2, share: 5, mebibytes: 512 };
const startedAt = performance.now();
const rows: string[][] = [['', 'measured', 'target', '']];

console.log(`${os.cpus().length} cores, load average ${os.loadavg()[0]?.toFixed(1)} before`);
await provisionMany();
await letManyWait();
console.log(`\n${table(rows)}`);
console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s, load average ${os.loadavg()[0]?.toFixed(1)}`);

/** As many as possible at once, as callers with 50 connections send them. */
async function provisionMany(): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const world = await openScaleWorld(resources);
  await provisionBatch(world, names('first', 50));
  const before = world.processors();
  const began = performance.now();
  await provisionBatch(world, names('instant', provisions));
  const seconds = (performance.now() - began) / 1_000;
  const used = usedSince(before, world.processors());
  console.log(`${provisions} provisionings, ended in each second:  ${sparkline(await endedPerSecond(world))}`);
  judge(`${provisions} provisionings`, seconds, targets.provisionsSeconds, 's');
  tell('  their processor time for each', `${each(used, provisions)} ms`);
  tell('  most memory of the service', `${residentMemory(world.servicePid).most.toFixed(0)} MiB`);
}

async function letManyWait(): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const world = await openScaleWorld(resources);
  const garden = kubernetesClient({
    connection: kubeconfigFile({ path: world.landscape.environment.APP_GARDENER_KUBECONFIG_PATH ?? '' }),
    fieldManager: 'bench',
  });
  resources.defer(() => garden.close());
  // A fate of its own, which does not hold it up, counts before that of all. Each is told to all Shoots, so it is set early.
  const rounds = { warm: 3, few: Number(options.rounds), many: Number(options.rounds) };
  for (const [prefix, count] of Object.entries(rounds)) {
    for (const name of Array.from({ length: count }, (_, round) => batchNames(prefix, round)).flat()) {
      await world.control('PUT', `/fates/${name}`, { kind: 'problematicWebhook' });
    }
  }
  await world.control('PUT', '/fates/*', { kind: 'stuck' });
  const pattern = await provisionPattern(world, async (name) => {
    const shoot = await garden.get({ ...shootKind, namespace, name });
    if (shoot === undefined) throw new Error(`there is no Shoot ${name}`);
    return shoot;
  });
  const add = async (prefix: string, count: number) => {
    await addWaiting({ garden, client: world.client, pattern, prefix, count });
    return untilAllWait(world);
  };

  // What is compiled on the way is not what is compared.
  await provisionRounds(world, 'warm', rounds.warm);
  await add('few', few - 1);
  const beside = { few: await provisionRounds(world, 'few', rounds.few), many: [] as Processors[] };
  const looks = await add('many', many - few);
  console.log(`all ${many} were looked at and wait after ${looks.toFixed(1)} s`);
  beside.many = await provisionRounds(world, 'many', rounds.many);
  const cost = (used: readonly Processors[]) =>
    percentile(
      used.map(({ service, postgres }) => ((service + postgres) / batch) * 1_000),
      50,
    );
  const costs = { few: cost(beside.few), many: cost(beside.many) };
  const told = (used: number) => `${used.toFixed(1)} ms of the service and PostgreSQL`;
  console.log(
    `a provisioning, beside others that wait:\n${bars([
      [String(few), costs.few, told(costs.few)],
      [String(many), costs.many, told(costs.many)],
    ])}`,
  );
  judge(`cost of a provisioning, ${few} to ${many} waiting`, costs.many / costs.few, targets.ratio, 'times');
  await measureWaiting(world);
}

async function measureWaiting(world: ScaleWorld): Promise<void> {
  const seconds = Number(options.seconds);
  const requests = await requestCounters(world);
  const shares: number[] = [];
  const first = world.processors();
  for (let last = first, second = 0; second < seconds; second += 1) {
    await pause(1_000);
    const now = world.processors();
    shares.push((now.service - last.service) * 100);
    last = now;
  }
  const used = usedSince(first, world.processors());
  const asked = Object.entries(await requestCounters(world)).flatMap(([kind, count]) => {
    const more = count - (requests[kind] ?? 0);
    return more > 0 ? [`${more} ${kind}`] : [];
  });
  console.log(
    `${many} operations wait, processor in each second:  ${sparkline(shares)}  (at most ${Math.max(...shares).toFixed(0)} %)`,
  );
  judge(`${many} waiting: processor of the service`, (used.service / seconds) * 100, targets.share, '% of a core');
  tell('  of PostgreSQL', `${((used.postgres / seconds) * 100).toFixed(1)} % of a core`);
  const memory = residentMemory(world.servicePid);
  judge(`${many} waiting: memory of the service`, memory.now, targets.mebibytes, 'MiB');
  tell('  the most it ever was', `${memory.most.toFixed(0)} MiB`);
  tell(`  requests in ${seconds} s, beside the watch`, asked.join(', ') || 'none');
}

async function provisionRounds(world: ScaleWorld, prefix: string, rounds: number): Promise<Processors[]> {
  const used: Processors[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = world.processors();
    await provisionBatch(world, batchNames(prefix, round));
    used.push(usedSince(before, world.processors()));
  }
  return used;
}

function batchNames(prefix: string, round: number): readonly string[] {
  return names(`${prefix}${round}`, batch);
}

/** Resolves when all have succeeded. */
async function provisionBatch(world: ScaleWorld, shoots: readonly string[]): Promise<void> {
  const ids: string[] = [];
  await inTurns(shoots, async (name) => {
    ids.push((await provisionOne(world, name)).id);
  });
  for (;;) {
    const { rows } = await world.client.query<{ state: string; message: string; count: number }>(
      'SELECT state, min(message) AS message, count(*)::int FROM operation WHERE id = ANY ($1) GROUP BY state',
      [ids],
    );
    const failed = rows.find(({ state }) => state === 'Failed');
    if (failed) throw new Error(`${failed.count} provisionings failed: ${failed.message}`);
    if (rows.length === 1 && rows[0]?.state === 'Succeeded' && rows[0].count === ids.length) return;
    await pause(250);
  }
}

async function provisionOne({ api }: ScaleWorld, name: string): Promise<{ id: string; runtimeID: string }> {
  const document = `mutation ($config: ProvisionRuntimeInput!) { provisionRuntime(config: $config) { id runtimeID } }`;
  const { provisionRuntime } = await call<{ provisionRuntime: { id: string; runtimeID: string } }>(api, document, {
    config: orderOf(name),
  });
  return provisionRuntime;
}

/** The tutorial's order. */
function orderOf(name: string): object {
  return {
    runtimeInput: { name, description: 'one of many', labels: { team: 'a' } },
    clusterConfig: {
      gardenerConfig: {
        ...{ name, kubernetesVersion: '1.34.2', provider: 'gcp', targetSecret: 'gcp-credentials' },
        ...{ region: 'europe-west3', machineType: 'n2-standard-4', diskType: 'pd-balanced', volumeSizeGB: 50 },
        ...{ workerCidr: '10.250.0.0/22', autoScalerMin: 2, autoScalerMax: 4, maxSurge: 4, maxUnavailable: 1 },
        ...{ purpose: 'evaluation', providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a'] } } },
      },
    },
    kymaConfig: {
      version: 'fast',
      components: ['istio', 'application-connector'].map((component) => ({ component, namespace: 'kyma-system' })),
    },
  };
}

async function provisionPattern(
  world: ScaleWorld,
  shootNamed: (name: string) => Promise<Pattern['shoot']>,
): Promise<Pattern> {
  const name = 'pattern';
  const { id: operationId, runtimeID: runtimeId } = await provisionOne(world, name);
  for (;;) {
    const { rows } = await world.client.query<{ waits: boolean }>(
      'SELECT wake_key IS NOT NULL AND owner IS NULL AS waits FROM operation WHERE id = $1',
      [operationId],
    );
    if (rows[0]?.waits) return { runtimeId, operationId, shoot: await shootNamed(name) };
    await pause(50);
  }
}

/** Seconds until all that are in progress have been looked at and wait. */
async function untilAllWait({ client }: ScaleWorld): Promise<number> {
  const began = performance.now();
  for (;;) {
    const { rows } = await client.query<{ left: number }>(
      `SELECT count(*)::int AS left FROM operation
      WHERE state = 'InProgress' AND (wake_key IS NULL OR owner IS NOT NULL OR next_look <= now())`,
    );
    if (rows[0]?.left === 0) return (performance.now() - began) / 1_000;
    await pause(100);
  }
}

async function endedPerSecond({ client }: ScaleWorld): Promise<readonly number[]> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(operation.id)::int FROM generate_series(
      (SELECT date_trunc('second', min(started_at)) FROM operation),
      (SELECT max(ended_at) FROM operation), interval '1 second') AS second (at)
    LEFT JOIN operation ON ended_at >= second.at AND ended_at < second.at + interval '1 second'
    GROUP BY second.at ORDER BY second.at`,
  );
  return rows.map(({ count }) => count);
}

async function requestCounters({ control }: ScaleWorld): Promise<Readonly<Record<string, number>>> {
  return (await control('GET', '/requests/counters')) as Readonly<Record<string, number>>;
}

function names(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

function each({ service, postgres, landscape }: Processors, count: number): string {
  const millis = (seconds: number) => ((seconds / count) * 1_000).toFixed(1);
  return `service ${millis(service)}, PostgreSQL ${millis(postgres)}, landscape ${millis(landscape)}`;
}

function tell(what: string, measured: string): void {
  rows.push([what, measured, '', '']);
}

function judge(what: string, measured: number, most: number, unit: string): void {
  const missed = !(measured <= most);
  if (missed) process.exitCode = 1;
  rows.push([what, `${measured.toPrecision(3)} ${unit}`, `at most ${most}`, missed ? 'MISSED' : '']);
}

function table(lines: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
