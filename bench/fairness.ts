// `node bench/fairness.ts`: how long one operation of a tenant waits for its first stage while thousands of another
// tenant are due, beside how long it waits when nothing else is there. By the clock of the database: from the acceptance to
// the claim. One service with its database and the landscape on this machine, the landscape's time set to instant. The
// others are real creations of clusters without Kyma: as fast as can be, and with a Garden that takes its time for each, so
// that all that is at work at once waits for it. `-- --operations 5000 --samples 15 --slow 3000`
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { provisionRuntime } from '../scripts/demo/documents.ts';
import { call } from '../scripts/demo/provisioner-api.ts';
import { percentile } from './percentile.ts';
import { openScaleWorld, type ScaleWorld } from './scale-world.ts';
import { bars } from './text-plot.ts';

const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '5000' },
    samples: { type: 'string', default: '15' },
    slow: { type: 'string', default: '3000' },
  },
});
const operations = Number(options.operations);
const samples = Number(options.samples);
const slowMillis = Number(options.slow);
const mostTimes = 2;
/** Between two samples, so that each finds the others as they are without it. */
const betweenMillis = 500;

await using resources = new AsyncDisposableStack();
const world = await openScaleWorld(resources);
await noteClaims(world);
for (let warmUp = 0; warmUp < 10; warmUp += 1) await ended(await provisionOne());

const idle = await measure(() => true);
const quick = await besideOthers('quick');
await world.control('POST', '/faults', {
  ...{ target: 'garden', method: 'POST', path: '/shoots\\?', action: { kind: 'delay', milliseconds: slowMillis } },
});
const slow = await besideOthers('slow');

console.log(
  `${os.cpus().length} cores, load average ${os.loadavg()[0]?.toFixed(1)}; milliseconds from the acceptance of the`,
);
console.log(
  `only operation of a tenant to its first stage, alone and beside ${operations} of another tenant that are due:\n`,
);
const row = (name: string, times: readonly number[]) => {
  const [median, most] = [percentile(times, 50), Math.max(...times)];
  return [name, median, `median ${median.toFixed(0)}, most ${most.toFixed(0)} of ${times.length}`] as const;
};
console.log(bars([row('alone', idle), row('beside quick ones', quick), row('beside slow ones', slow)]));
for (const [name, beside] of [
  ['quick', quick],
  ['slow', slow],
] as const) {
  const times = percentile(beside, 50) / percentile(idle, 50);
  const verdict = times <= mostTimes ? '' : ', MISSED';
  console.log(`beside ${name} ones ${times.toFixed(2)} times as long; target: at most ${mostTimes}${verdict}`);
  if (!(times <= mostTimes)) process.exitCode = 1;
}

async function besideOthers(name: string): Promise<readonly number[]> {
  await addOthers(name);
  await someHaveBegun();
  const times = await measure(async () => (await due()) > samples);
  console.log(`${operations - (await due())} ${name} ones were begun meanwhile`);
  // Those that are not at work are not needed any more.
  await world.client.query(
    `UPDATE operation SET next_look = now() + interval '10 years' WHERE tenant = 'many' AND owner IS NULL`,
  );
  while ((await atWork()) > 0) await pause(100);
  return times;
}

/** The database writes down when each operation is claimed first. */
async function noteClaims({ client }: ScaleWorld): Promise<void> {
  await client.query(`
    CREATE TABLE bench_claim (operation_id uuid PRIMARY KEY, at timestamptz NOT NULL);
    CREATE FUNCTION bench_note_claim() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO bench_claim VALUES (NEW.id, clock_timestamp()) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
    CREATE TRIGGER bench_note_claim AFTER UPDATE OF attempt ON operation FOR EACH ROW
      WHEN (NEW.attempt = 1) EXECUTE FUNCTION bench_note_claim()`);
}

/** Milliseconds of each sample, one after the other, while it is as it should be. */
async function measure(isAsItShouldBe: () => boolean | Promise<boolean>): Promise<readonly number[]> {
  const waited: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    if (!(await isAsItShouldBe())) break;
    const id = await provisionOne();
    waited.push(await claimedAfter(id));
    await pause(betweenMillis);
  }
  if (waited.length < samples) console.log(`only ${waited.length} samples: the others were done before`);
  return waited;
}

async function provisionOne(): Promise<string> {
  const { provisionRuntime: accepted } = await call<{ provisionRuntime: { id: string } }>(world.api, provisionRuntime);
  return accepted.id;
}

async function claimedAfter(id: string): Promise<number> {
  for (;;) {
    const { rows } = await world.client.query<{ millis: number }>(
      `SELECT (extract(epoch FROM at - started_at) * 1000)::float8 AS millis
      FROM bench_claim JOIN operation ON operation.id = operation_id WHERE operation_id = $1`,
      [id],
    );
    if (rows[0] !== undefined) return rows[0].millis;
    await pause(100);
  }
}

async function ended(id: string): Promise<void> {
  for (;;) {
    const { rows } = await world.client.query<{ state: string; message: string }>(
      'SELECT state, message FROM operation WHERE id = $1',
      [id],
    );
    if (rows[0]?.state === 'Succeeded') return;
    if (rows[0]?.state === 'Failed') throw new Error(rows[0].message);
    await pause(100);
  }
}

/** As they are stored when they have just been accepted. */
async function addOthers(prefix: string): Promise<void> {
  await world.client.query(
    `WITH new_runtime AS (
      INSERT INTO runtime (id, tenant, name, labels, registration, driver, cluster_name, cluster_config, provider, region,
        kubernetes_version, administrators)
      SELECT gen_random_uuid(), 'many', $2 || '-' || n, '{}', 'none', driver, $2::text || '-' || n,
        jsonb_set(cluster_config, '{name}', to_jsonb($2 || '-' || n)), provider, region, kubernetes_version, '{}'
      FROM generate_series(1, $1::int) n, (SELECT * FROM runtime ORDER BY created_at LIMIT 1) pattern
      RETURNING id
    ), new_operation AS (
      INSERT INTO operation (id, runtime_id, kind, stage, message, event_count)
      SELECT gen_random_uuid(), id, 'Provision', 'CreatingCluster', 'Provisioning started', 1 FROM new_runtime
      RETURNING id, stage, message
    )
    INSERT INTO operation_event (operation_id, sequence, type, stage, message)
    SELECT id, 1, 'Accepted', stage, message FROM new_operation`,
    [operations, prefix],
  );
  await world.client.query('ANALYZE');
  await world.client.query(`NOTIFY operation_due`);
}

/** That were never at work. */
async function due(): Promise<number> {
  const { rows } = await world.client.query<{ due: number }>(
    `SELECT count(*)::int AS due FROM operation WHERE tenant = 'many' AND attempt = 0`,
  );
  return rows[0]?.due ?? 0;
}

async function atWork(): Promise<number> {
  const { rows } = await world.client.query<{ count: number }>(
    `SELECT count(*)::int FROM operation WHERE tenant = 'many' AND owner IS NOT NULL`,
  );
  return rows[0]?.count ?? 0;
}

/** All that can be at work at once are, and some have made room. */
async function someHaveBegun(): Promise<void> {
  while ((await due()) > operations - 400) await pause(100);
}
