import type { Logger } from '../domain/logger.ts';
import { currentParty, type Party } from '../domain/on-behalf-of.ts';
import { KubernetesError } from './kubernetes-error.ts';
import type { RequestBudget } from './request-budget.ts';

/** Times that a request is sent again which the server put off. */
const mostRepetitions = 3;
/** In seconds, of a server that names no time, and of one that names an absurd one. */
const pauses = { usual: 1, longest: 120 };

/**
 * Sends a request when its turn has come. A server that asks for a pause (429, or 503 with Retry-After) gets it from all
 * who share the budget. What was answered with 429 was not begun, whatever it is, so it is sent again.
 */
export async function withinBudget<Answer>({
  budget,
  send,
  signal,
  log,
}: {
  budget: RequestBudget;
  send: () => Promise<Answer>;
  signal: AbortSignal | undefined;
  log: Logger | undefined;
}): Promise<Answer> {
  for (let repetitions = 0; ; repetitions += 1) {
    await budget.take({ signal, party: nameOf(currentParty()) });
    try {
      return await send();
    } catch (error) {
      const seconds = pauseAskedFor(error);
      if (seconds === undefined) throw error;
      budget.pause(seconds * 1_000);
      log?.info({ err: error, seconds }, 'Kubernetes API asks for a pause');
      const isPutOff = error instanceof KubernetesError && error.status === 429;
      if (!isPutOff || repetitions >= mostRepetitions) throw error;
    }
  }
}

/** A tenant's callers wait for an answer, so that they do not stand behind its operations either. */
function nameOf(party: Party | undefined): string {
  return party === undefined ? '' : `${party.kind} of ${party.tenant}`;
}

/** In seconds; undefined when the server asks for none. */
function pauseAskedFor(error: unknown): number | undefined {
  if (!(error instanceof KubernetesError)) return undefined;
  const { status, retryAfterSeconds } = error;
  if (status !== 429 && (status !== 503 || retryAfterSeconds === undefined)) return undefined;
  return Math.min(retryAfterSeconds ?? pauses.usual, pauses.longest);
}
