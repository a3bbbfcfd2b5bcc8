import { setTimeout as pause } from 'node:timers/promises';
import type { Failure } from '../domain/failures.ts';
import type { Flow, Leftovers, Run } from '../domain/flow.ts';
import type { Logger } from '../domain/logger.ts';
import { describeError } from './describe-error.ts';
import { RunAbort } from './run-abort.ts';

/** What is said to, and asked of, the outside world while an operation ends: in bounded time, and never thrown. */
interface LastWords<Tools> {
  readonly flow: Flow<Tools>;
  readonly stageRun: (signal: AbortSignal) => Run & Tools;
  /** Ends it early. */
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly limit: number;
  readonly log: Logger;
}

/** For whoever heeds the signal, to say what it knows. */
const graceMillis = 250;

/** Best effort: the failure is committed in any case. */
export async function tellFailure<Tools>(options: LastWords<Tools>, failure: Failure): Promise<void> {
  const { flow, stageRun, log } = options;
  const tell = flow.onFailed;
  if (tell === undefined) return;
  try {
    await inTime(options, (signal) => tell(stageRun(signal), failure));
  } catch (error) {
    log.warn({ error: describeError(error).message }, 'the failure could not be reported');
  }
}

/** Says that it is unknown what a cancelled operation leaves, rather than nothing. */
export async function findLeftovers<Tools>(options: LastWords<Tools>, mayHaveActed: boolean): Promise<Leftovers> {
  const { flow, stageRun, log } = options;
  const find = flow.onCancelled;
  if (find === undefined) return { residue: [] };
  try {
    return await inTime(options, (signal) => find(stageRun(signal), { mayHaveActed }));
  } catch (error) {
    log.warn({ error: describeError(error).message }, 'what a cancelled operation leaves could not be found out');
    return { residue: ['unknown: what exists outside could not be found out in time'] };
  }
}

async function inTime<Tools, Result>(
  { signal: outer, limit }: LastWords<Tools>,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limited = new AbortController();
  const timer = setTimeout(() => limited.abort(new RunAbort('deadline')), limit);
  const signal = AbortSignal.any([outer, limited.signal]);
  const over = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => void pause(graceMillis).then(() => over.reject(signal.reason)), {
    once: true,
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([Promise.try(work, signal), over.promise]);
  } finally {
    clearTimeout(timer);
    over.promise.catch(() => {});
  }
}
