import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, systemClock } from '../domain/clock.ts';
import { Failure } from '../domain/failures.ts';
import type { RuntimeId, Tenant } from '../domain/ids.ts';
import type { Logger } from '../domain/logger.ts';
import type { Director, DirectorCall, RuntimeRegistration } from './director.ts';
import { DirectorUnavailable } from './director-unavailable.ts';

/** The label that carries the intent's id. The Director takes letters, digits and underscores only. */
export const registrationLabel = 'provisioner_registration_id';
/** The label that says which installation of this service made the entry. */
export const installationLabel = 'provisioner_installation_id';

/** The caller of a mutation waits for it, so it is bounded, in milliseconds. */
const registrationLimit = 20_000;
/** Of each of its calls: in that time a caller can still be told what became of it. */
const callPatience = 30_000;
const longestPause = 5_000;
const attempts = 4;
/** The gateways before the Director give up on a request after two minutes; five times that is beyond doubt. */
export const lateRegistrationLimit = 600_000;

export interface RegistrationIntent {
  readonly id: string;
  readonly tenant: Tenant;
  readonly recordedAt: Date;
}

/** Where it is written down that a Runtime is about to be registered. */
export interface RegistrationIntents {
  /** Durable when it answers. */
  record(intent: RegistrationIntent): Promise<void>;
  /** Ends an intent that left nothing behind; the intent of a registration that is kept ends with the Runtime's storing. */
  settle(id: string): Promise<void>;
  /**
   * The intents whose request cannot be alive any more (older than `olderThanMilliseconds`), claimed: from then on
   * storing a Runtime for one of them must fail, and other replicas do not get it until the claim has run out.
   */
  abandoned(olderThanMilliseconds: number): Promise<readonly RegistrationIntent[]>;
}

export interface Registered {
  readonly id: RuntimeId;
  /** Ends in the transaction that stores the Runtime. */
  readonly intentId: string;
}

/**
 * Registers a Runtime exactly once. The intent comes first and goes with the registration as a label; a call whose
 * answer is missing is looked up by it and adopted. When nothing can be known now, DIRECTOR_UNAVAILABLE is thrown and the
 * intent stays, for the sweeper to remove what may still appear.
 */
export async function registerRuntime(options: {
  readonly director: Director;
  readonly intents: RegistrationIntents;
  readonly tenant: Tenant;
  readonly registration: RuntimeRegistration;
  /** The mark of this installation; it goes with the registration, too. */
  readonly installation?: string;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly log: Logger;
}): Promise<Registered> {
  const { director, intents, tenant, registration, installation, clock = systemClock, log } = options;
  const intent = { id: crypto.randomUUID(), tenant, recordedAt: new Date(clock.now()) };
  await intents.record(intent);
  // Only now: what the database takes is not the Director's fault.
  const limit = AbortSignal.timeout(registrationLimit);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  const call = { tenant, signal, patience: callPatience };
  const marks = {
    [registrationLabel]: intent.id,
    ...(installation !== undefined && { [installationLabel]: installation }),
  };
  const labelled = { ...registration, labels: { ...registration.labels, ...marks } };
  try {
    const id = await registerOnce({ director, registration: labelled, intentId: intent.id, call });
    return { id, intentId: intent.id };
  } catch (error) {
    if (error instanceof Failure) {
      // The sweeper settles what cannot be settled here.
      await intents.settle(intent.id).catch((trouble) => log.warn({ err: trouble }, 'cannot settle an intent'));
    }
    throw callersFailure(error, limit);
  }
}

/** The caller's own entry must exist in the caller's tenant. */
export async function verifyRegistration(options: {
  readonly director: Director;
  readonly id: RuntimeId;
  readonly tenant: Tenant;
  readonly signal?: AbortSignal;
}): Promise<void> {
  const { director, id, tenant, signal } = options;
  const found = await director.runtime(id, { tenant, signal, patience: callPatience }).catch((error) => {
    throw callersFailure(error);
  });
  if (found) return;
  const message = `the Director does not know the Runtime ${id} in tenant ${tenant}; register it first, or leave out the id`;
  throw new Failure('DIRECTOR_RUNTIME_NOT_FOUND', message, { path: 'id' });
}

/** Takes back a registration whose Runtime could not be stored. A throw leaves the intent to the sweeper. */
export async function withdrawRegistration(options: {
  readonly director: Director;
  readonly intents: RegistrationIntents;
  readonly registered: Registered;
  readonly tenant: Tenant;
  readonly signal?: AbortSignal;
}): Promise<void> {
  const { director, intents, registered, tenant, signal } = options;
  await director.unregister(registered.id, { tenant, signal, patience: callPatience });
  await intents.settle(registered.intentId);
}

async function registerOnce(options: {
  readonly director: Director;
  readonly registration: RuntimeRegistration;
  readonly intentId: string;
  readonly call: DirectorCall;
}): Promise<RuntimeId> {
  const { director, registration, intentId, call } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await director.register(registration, call);
    } catch (error) {
      if (!(error instanceof DirectorUnavailable)) throw error;
      if (error.fate !== 'not-done') {
        const adopted = await lookUp({ director, intentId, call });
        if (adopted) return adopted;
        // A request without an answer may still be at work: a second one could make a second entry.
        if (error.fate === 'unknown') throw error;
      }
      await pauseBeforeRetry({ attempt, trouble: error, signal: call.signal });
    }
  }
}

/** Looks more than once: the entry may appear a moment after its reply was lost. */
async function lookUp(options: {
  readonly director: Director;
  readonly intentId: string;
  readonly call: DirectorCall;
}): Promise<RuntimeId | undefined> {
  const { director, intentId, call } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      const [found] = await director.findByLabel(registrationLabel, intentId, call);
      if (found || attempt === attempts) return found?.id;
      await pause(backOff(attempt), undefined, { signal: call.signal });
    } catch (error) {
      if (!(error instanceof DirectorUnavailable)) throw unknowable(error);
      await pauseBeforeRetry({ attempt, trouble: error, signal: call.signal });
    }
  }
}

/** A refused look-up says nothing about the registration, so it must not read as its refusal. */
function unknowable(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  return new DirectorUnavailable(`the registration cannot be looked up: ${error.message}`, {
    fate: 'unknown',
    cause: error,
  });
}

async function pauseBeforeRetry(options: {
  readonly attempt: number;
  readonly trouble: DirectorUnavailable;
  readonly signal: AbortSignal | undefined;
}): Promise<void> {
  const { attempt, trouble, signal } = options;
  const wait = Math.max(trouble.retryAfterMilliseconds ?? 0, backOff(attempt));
  if (attempt >= attempts || wait > longestPause) throw trouble;
  await pause(wait, undefined, { signal });
}

function backOff(attempt: number): number {
  return 100 * 2 ** attempt * (0.75 + Math.random() / 2);
}

/** The mutation's caller waits for an answer, so what may heal is told as a Failure too. */
function callersFailure(error: unknown, limit?: AbortSignal): unknown {
  if (error instanceof DirectorUnavailable) {
    return new Failure('DIRECTOR_UNAVAILABLE', `${error.message}; nothing was started, try again later`, {
      cause: error,
    });
  }
  if (limit?.aborted) {
    const message = `the Director did not register the Runtime within ${registrationLimit / 1000} s; nothing was started, try again later`;
    return new Failure('DIRECTOR_UNAVAILABLE', message, { cause: error });
  }
  return error;
}
