import type { ReadinessCheck } from '../api/dependencies.ts';
import type { Database } from '../db/database.ts';
import { DatabaseUnavailable } from '../db/database-unavailable.ts';
import type { EngineState } from '../engine/engine.ts';
import type { InformerState } from '../kubernetes/informer.ts';

/** Whoever asks is waiting: a database that is silent for so long, in milliseconds, is not there. */
const databasePatience = 2_000;

/** Ready: the database answers, operations are carried out, and Shoots are watched. */
export async function checkReadiness({
  database,
  engine,
  informer,
}: {
  database: Database;
  engine: EngineState;
  /** Undefined: there is no Gardener. */
  informer: InformerState | undefined;
}): Promise<readonly ReadinessCheck[]> {
  return [await checkDatabase(database), checkEngine(engine), ...(informer ? [checkInformer(informer)] : [])];
}

async function checkDatabase(database: Database): Promise<ReadinessCheck> {
  const name = 'database';
  try {
    await within(databasePatience, database.run({ name: 'readiness', text: 'SELECT 1' }, []));
    return { name, ready: true };
  } catch (error) {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error;
    return { name, ready: false, reason: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Throws when the work takes longer; it goes on all the same. */
async function within(millis: number, work: Promise<unknown>): Promise<void> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${millis / 1_000} s`)), millis);
  try {
    await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function checkEngine({ phase, alive }: EngineState): ReadinessCheck {
  const name = 'engine';
  if (phase !== 'running') return { name, ready: false, reason: `the engine is ${phase}` };
  if (!alive) return { name, ready: false, reason: 'this replica could not tell the others that it lives' };
  return { name, ready: true };
}

/** An interrupted watch heals by itself, and stages do without it meanwhile; only one that never began keeps us out. */
function checkInformer(state: InformerState): ReadinessCheck {
  const name = 'informer';
  if (state.phase === 'watching' || state.phase === 'interrupted') return { name, ready: true };
  const problem = state.phase === 'starting' ? state.problem : undefined;
  return { name, ready: false, reason: problem ?? `the Shoot informer is ${state.phase}` };
}
