// Reads the status of the same Runtime again and again, with the statement of the query, through our own Database: what
// the database alone allows. A process of its own; it is given a `DatabaseLoad` on its standard input and prints a `Measured`.
import { text } from 'node:stream/consumers';
import { Database } from '../src/db/database.ts';
import { runtimeStatusReads } from '../src/db/queries/read-runtime-status.ts';
import { parseRuntimeId, parseTenant } from '../src/domain/ids.ts';
import { Secret } from '../src/domain/secret.ts';
import { createLog } from '../src/observability/log.ts';
import type { Measured } from './load-generator.ts';
import { percentile } from './percentile.ts';

export interface DatabaseLoad {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly name: string;
  readonly tenant: string;
  readonly runtimeId: string;
  /** Reads at once; the pool has its usual size. */
  readonly atOnce: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

if (import.meta.main) {
  const load = JSON.parse(await text(process.stdin)) as DatabaseLoad;
  console.log(JSON.stringify(await measure(load)));
}

async function measure(load: DatabaseLoad): Promise<Measured> {
  const settings = { ...load, password: new Secret(load.password), sslMode: 'disable' } as const;
  const database = new Database({ settings, log: createLog({ level: 'warn' }) });
  const reads = runtimeStatusReads(database);
  const tenant = parseTenant(load.tenant);
  const runtimeId = parseRuntimeId(load.runtimeId);
  const times: number[] = [];
  let answers = 0;
  const begin = performance.now() + load.warmUpSeconds * 1_000;
  const end = begin + load.seconds * 1_000;
  const reader = async () => {
    for (let now = performance.now(); now < end; ) {
      const sentAt = now;
      if (!(await reads.read({ runtimeId, tenant }))) throw new Error('the Runtime is not there');
      now = performance.now();
      answers += 1;
      if (sentAt >= begin && now <= end) times.push(now - sentAt);
    }
  };
  await Promise.all(Array.from({ length: load.atOnce }, reader));
  await database.close();
  const { user, system } = process.cpuUsage();
  return {
    perSecond: times.length / load.seconds,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    max: times.reduce((most, time) => Math.max(most, time), 0),
    answers,
    cpuSeconds: (user + system) / 1e6,
    answerBytes: 0,
  };
}
