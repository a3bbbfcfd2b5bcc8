import { appendFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { flows } from '../../src/flows/flows.ts';
import { silentLog } from '../../test/harness/silent-log.ts';
import type { DatabaseAddress } from './fleet.ts';
import { type Done, liveThrough } from './live-through.ts';
import { type Life, lives } from './lives.ts';
import type { Place } from './places.ts';

interface MatrixOptions {
  readonly isLifeWanted: (life: Life) => boolean;
  /** How many replicas there are, one life after the other. */
  readonly replicas: readonly number[];
  readonly isWanted: (place: Place) => boolean;
  /** Lives that are lived at the same time. */
  readonly atOnce: number;
  readonly directory: string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

interface MatrixResult {
  readonly text: string;
  readonly failed: number;
}

const patience = 240_000;

/** Lives each life without a kill, and then with kills, once for each number of replicas. */
export async function runMatrix(options: MatrixOptions): Promise<MatrixResult> {
  const { directory, log, signal, isWanted, replicas } = options;
  const startedAt = performance.now();
  await using resources = new AsyncDisposableStack();
  const server = await startEmbeddedPostgres({
    ...{ directory: path.join(directory, 'postgres'), log: silentLog, temporary: true },
  });
  resources.defer(() => server.stop());
  const { host, port, user } = server;
  const password = server.password.reveal();
  const newDatabase = async (database: string): Promise<DatabaseAddress> => {
    const client = new pg.Client({ host, port, user, password, database: 'postgres' });
    await client.connect();
    await client.query(`CREATE DATABASE "${database}" STRATEGY file_copy`).finally(() => client.end());
    return { host, port, user, password, database };
  };
  const places: Place[] = [];
  const live = async (life: Life, name: string, size: number, calm?: readonly Done[]) => {
    const database = await newDatabase(name);
    const wanted = calm === undefined ? () => false : isWanted;
    const onDeath = (place: Place) => {
      places.push(place);
      appendFileSync(path.join(directory, 'places.txt'), `${name} ${place}\n`);
    };
    const more = { ...(calm && { calm }), directory: path.join(directory, name), isWanted: wanted, onDeath };
    return liveThrough({ life, replicas: size, database, patience, signal, ...more });
  };

  const wanted = lives.filter(options.isLifeWanted);
  const calm = new Map<Life, readonly Done[]>();
  for (const life of wanted) calm.set(life, (await live(life, `${life.name}-calm`, 1)).done);
  const missing = stagesNotIn([...calm.values()].flat());
  if (wanted.length === lives.length && missing.length > 0) throw new Error(`no life needs ${missing.join(', ')}`);

  const cells = replicas.flatMap((size) => wanted.map((life) => ({ life, size })));
  const failures: string[] = [];
  const work = async () => {
    for (let cell = cells.shift(); cell !== undefined && !signal.aborted; cell = cells.shift()) {
      const { life, size } = cell;
      const title = `${life.name}, ${size === 1 ? '1 replica' : `${size} replicas`}`;
      try {
        const lived = await live(life, `${life.name}-${size}`, size, calm.get(life));
        log(`${title}: killed at ${lived.places.length} places, and everything is as it would have been`);
      } catch (error) {
        failures.push(`${title}: ${(error as Error).message}`);
        log(`FAILED ${failures.at(-1)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, work));
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  const text = `${places.length} deaths in ${seconds} s; ${failures.length === 0 ? 'everything holds' : `${failures.length} lives failed`}`;
  return { text, failed: failures.length };
}

/** `Provision/CreatingCluster` of each stage that nothing of this has done. */
function stagesNotIn(done: readonly Done[]): readonly string[] {
  const reached = new Set(
    done.flatMap(({ kind, course }) => course.map((event) => event.replace(/^StageDone /, `${kind}/`))),
  );
  const all = flows.flatMap(({ kind, steps }) => steps.map(({ stage }) => `${kind}/${stage}`));
  return all.filter((stage) => !reached.has(stage));
}
