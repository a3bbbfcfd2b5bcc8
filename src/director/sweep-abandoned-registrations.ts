import { type Clock, systemClock } from '../domain/clock.ts';
import { Failure } from '../domain/failures.ts';
import type { Logger } from '../domain/logger.ts';
import type { Director } from './director.ts';
import {
  lateRegistrationLimit,
  type RegistrationIntent,
  type RegistrationIntents,
  registrationLabel,
} from './registration.ts';

/** Twice what a registration may take: the request that recorded such an intent is dead, or is refused when it stores. */
const abandonedAfter = 120_000;

export interface SweepResult {
  readonly unregistered: number;
  readonly settled: number;
}

/**
 * Unregisters what requests left in the Director that died, or lost its answer, before their Runtime was stored. An
 * intent is looked up again and again until no registration of it can appear any more. One that cannot be looked up now
 * is left to the next sweep.
 */
export async function sweepAbandonedRegistrations(options: {
  readonly director: Director;
  readonly intents: RegistrationIntents;
  readonly clock?: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** In milliseconds; the default is two minutes. */
  readonly olderThan?: number;
}): Promise<SweepResult> {
  const { director, intents, clock = systemClock, log, signal, olderThan = abandonedAfter } = options;
  let unregistered = 0;
  let settled = 0;
  for (const intent of await intents.abandoned(olderThan)) {
    signal.throwIfAborted();
    try {
      unregistered += await unregisterAll({ director, intent, signal });
      if (clock.now() - intent.recordedAt.getTime() < lateRegistrationLimit) continue;
      await intents.settle(intent.id);
      settled += 1;
    } catch (error) {
      signal.throwIfAborted();
      log.warn(
        { err: error, intentId: intent.id, tenant: intent.tenant },
        'cannot sweep an abandoned registration yet',
      );
    }
  }
  if (unregistered > 0) log.info({ unregistered }, 'unregistered Runtimes that were never stored');
  return { unregistered, settled };
}

async function unregisterAll(options: {
  readonly director: Director;
  readonly intent: RegistrationIntent;
  readonly signal: AbortSignal;
}): Promise<number> {
  const { director, intent, signal } = options;
  const call = { tenant: intent.tenant, signal };
  try {
    const found = await director.findByLabel(registrationLabel, intent.id, call);
    for (const runtime of found) await director.unregister(runtime.id, call);
    return found.length;
  } catch (error) {
    // A tenant that does not exist has no entries.
    if (error instanceof Failure && error.code === 'DIRECTOR_TENANT_INVALID') return 0;
    throw error;
  }
}
