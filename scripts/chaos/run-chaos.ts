import { setTimeout as pause } from 'node:timers/promises';
import type { FaultRule } from '../../landscape/control/faults.ts';
import type { PaceName } from '../../landscape/pace.ts';
import { caller, type Journal } from './caller.ts';
import { documents } from './documents.ts';
import { drawFaults, makeFault } from './faults.ts';
import type { Disturbance, FaultKind, History } from './history.ts';
import { planLife } from './life-plan.ts';
import { live } from './live.ts';
import { holdsOf, readOwnershipLog } from './ownership-log.ts';
import { seededRandom } from './random.ts';
import {
  countIntents,
  lookOutside,
  readEvents,
  readOperations,
  readRuntimes,
  readSentRequests,
} from './read-history.ts';
import { type Surroundings, startSurroundings } from './surroundings.ts';

export interface ChaosOptions {
  /** Everything that is chosen comes from it. */
  readonly seed: string;
  /** No new one is begun once so many have been accepted. */
  readonly operations: number;
  readonly replicas: number;
  /** Runtimes that are lived with at once. */
  readonly atOnce: number;
  /** No new one is begun, and no fault made, after so many milliseconds. */
  readonly longest: number;
  /** Between two faults, in milliseconds. */
  readonly faultEvery: number;
  /** All of them when not given. */
  readonly faults?: readonly FaultKind[];
  readonly pace: PaceName;
  /** Of the last replica, in milliseconds. */
  readonly clockOffset: number;
  /** How long callers wait for an answer, and for the end of an operation, in milliseconds. */
  readonly patience: number;
  /** Everything is written there. */
  readonly directory: string;
  /** Told what is done, a line each. */
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface ChaosRun {
  readonly history: History;
  readonly journal: Journal;
  /** Faults that were drawn and could not be made: what they were for was down already. */
  readonly notMade: number;
  /** From the first order to the end of the last operation, in milliseconds. */
  readonly took: number;
}

/** All the time: what answers at once leaves no time to be killed in. */
const latency: readonly FaultRule[] = [
  { probability: 0.1, action: { kind: 'delay', milliseconds: 300 } },
  { probability: 0.02, action: { kind: 'delay', milliseconds: 1_500 } },
];

/** Lives with Runtimes while everything around them fails, lets all operations end, and answers what has happened. */
export async function runChaos(options: ChaosOptions): Promise<ChaosRun> {
  const { log, signal } = options;
  await using resources = new AsyncDisposableStack();
  const surroundings = await startSurroundings({ ...options, resources });
  log(`${options.replicas} replicas are ready; the clock of the last one is ${options.clockOffset / 1_000} s off`);
  for (const rule of latency) surroundings.landscape.control.addFault(rule);
  const journal: Journal = { accepted: [], refusals: [], complaints: [], resent: new Map() };
  const disturbances: Disturbance[] = [];
  const startedAt = performance.now();
  const over = () => performance.now() - startedAt > options.longest;
  const calm = new AbortController();
  const lives = liveAll(options, surroundings, journal, over);
  const faults = makeFaults(options, surroundings, disturbances, AbortSignal.any([calm.signal, signal]), over);
  try {
    await lives;
  } finally {
    calm.abort();
  }
  const notMade = await faults;
  const took = performance.now() - startedAt;
  log(`all lives are over after ${seconds(took)}`);
  await settleIntents(options, surroundings);
  for (const replica of surroundings.replicas) replica.close();
  const history = await readHistory(surroundings, journal, disturbances);
  return { history, journal, notMade, took };
}

async function liveAll(
  options: ChaosOptions,
  { replicas, landscape }: Surroundings,
  journal: Journal,
  over: () => boolean,
): Promise<void> {
  const { seed, operations, atOnce, patience, signal } = options;
  const random = seededRandom(seed);
  const [first = '', ...others] = replicas.map(({ origin }) => origin);
  const mayGoOn = () => journal.accepted.length < operations && !over();
  let lived = 0;
  const workers = Array.from({ length: atOnce }, async () => {
    while (mayGoOn()) {
      const plan = planLife(++lived, random.fork(`life-${lived}`));
      const client = caller({
        ...{
          origins: [first, ...others],
          tenant: plan.tenant,
          name: `${seed}-${plan.name}`,
          journal,
          patience,
          signal,
        },
        ...{ random: random.fork(`caller-${plan.name}`), statusDocument: documents.status },
      });
      await live({ plan, caller: client, control: landscape.control, mayGoOn, signal });
    }
  });
  await Promise.all(workers);
}

/** Answers how many could not be made. */
async function makeFaults(
  options: ChaosOptions,
  surroundings: Surroundings,
  disturbances: Disturbance[],
  signal: AbortSignal,
  over: () => boolean,
): Promise<number> {
  const { seed, replicas, faults: kinds, faultEvery, log } = options;
  const startedAt = performance.now();
  const drawn = drawFaults({ random: seededRandom(`${seed}/faults`), replicas, ...(kinds && { kinds }) });
  const atWork = new Set<Promise<void>>();
  let notMade = 0;
  const onMade = (disturbance: Disturbance) => void disturbances.push(disturbance);
  for (;;) {
    await pause(faultEvery, undefined, { signal }).catch(() => undefined);
    if (signal.aborted || over()) break;
    const fault = drawn.next().value;
    const at = seconds(performance.now() - startedAt);
    const work = makeFault(fault, { surroundings, onMade, signal }).then((made) => {
      if (!made) notMade += 1;
      const lasted = seconds(performance.now() - startedAt);
      log(`${at} ${fault.kind}, replica ${fault.replica + 1}: ${made ? `over at ${lasted}` : 'could not be made'}`);
    });
    atWork.add(work);
    void work.finally(() => atWork.delete(work)).catch(() => undefined);
  }
  await Promise.all(atWork);
  return notMade;
}

/** A registration whose answer was lost is undone after ten minutes; here they have passed. */
async function settleIntents({ patience }: ChaosOptions, { database, replicas }: Surroundings): Promise<void> {
  const client = await database.connect();
  try {
    if ((await countIntents(client)) === 0) return;
    await client.query(`UPDATE registration_intent SET recorded_at = recorded_at - interval '15 minutes'`);
    // It looks for them when it starts.
    await replicas[0]?.stop();
    await replicas[0]?.start();
    const giveUpAt = performance.now() + patience;
    while ((await countIntents(client)) > 0 && performance.now() < giveUpAt) await pause(100);
  } finally {
    await client.end();
  }
}

async function readHistory(
  { database, landscape, replicas, requestLog }: Surroundings,
  { accepted }: Journal,
  disturbances: readonly Disturbance[],
): Promise<History> {
  const client = await database.connect();
  try {
    const changes = await readOwnershipLog(client);
    return {
      ...{ accepted, disturbances, holds: holdsOf(changes), sent: readSentRequests(requestLog) },
      runtimes: await readRuntimes(client),
      operations: await readOperations(client, changes),
      events: await readEvents(client),
      intents: await countIntents(client),
      working: replicas.flatMap(({ worked }) => worked),
      outside: lookOutside(landscape.control),
    };
  } finally {
    await client.end();
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
