import { setTimeout as pause } from 'node:timers/promises';
import type { OperationKind } from '../../src/domain/operation.ts';
import type { Acceptance } from './history.ts';
import type { Random } from './random.ts';

/** What callers have been told so far. */
export interface Journal {
  readonly accepted: Acceptance[];
  readonly refusals: { readonly order: string; readonly code: string; readonly message: string }[];
  /** What no caller should ever be told. */
  readonly complaints: string[];
  /** Why requests were sent again, and how often: no answer, or the code of an error that passes. */
  readonly resent: Map<string, number>;
}

export interface Order {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export type Answer =
  | { readonly kind: 'accepted'; readonly operationId: string; readonly runtimeId: string | undefined }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

type Reading = Answer | { readonly kind: 'again'; readonly why: string };

export interface OperationSeen {
  readonly state: string;
  readonly stage: string;
  readonly message: string;
  readonly runtimeID: string;
}

/** One tenant's client: asks any replica, and asks until it has been answered. */
export interface Caller {
  /** Sends an order under a key of its own. `starts`: the operation that it begins, and whether that may fail. */
  order(order: Order, starts?: { kind: OperationKind; mayFail?: boolean }): Promise<Answer>;
  /** Undefined when nobody could answer in time. */
  ended(operationId: string): Promise<OperationSeen | undefined>;
}

interface GraphqlBody {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string; readonly retryable?: boolean };
  }[];
}

const attemptMillis = 6_000;
const lookAgainMillis = 250;
/** How often an answered order is sent once more, to see that the answer stays the same. */
const asksTwice = 0.1;

export function caller(options: {
  readonly origins: readonly [string, ...string[]];
  readonly tenant: string;
  /** Names the keys. */
  readonly name: string;
  readonly random: Random;
  readonly journal: Journal;
  readonly statusDocument: string;
  /** How long an answer, or the end of an operation, is waited for. */
  readonly patience: number;
  readonly signal: AbortSignal;
}): Caller {
  const { origins, tenant, name, random, journal, statusDocument, patience, signal } = options;
  let orders = 0;

  async function ask(order: Order, key?: string): Promise<GraphqlBody | undefined> {
    try {
      const response = await fetch(`${random.pick(origins)}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', tenant, ...(key && { 'idempotency-key': key }) },
        body: JSON.stringify({ query: order.document, variables: order.variables }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(attemptMillis)]),
      });
      return (await response.json()) as GraphqlBody;
    } catch {
      signal.throwIfAborted();
      return undefined; // Nobody there, or an answer that was cut off.
    }
  }

  async function untilAnswered(order: Order, key: string): Promise<Answer | undefined> {
    const giveUpAt = performance.now() + patience;
    for (let wait = 100; performance.now() < giveUpAt; wait = Math.min(2_000, wait * 1.5)) {
      const reading = readAnswer(await ask(order, key));
      if (reading.kind !== 'again') return reading;
      journal.resent.set(reading.why, (journal.resent.get(reading.why) ?? 0) + 1);
      await pause(wait, undefined, { signal });
    }
    return undefined;
  }

  return {
    async order(order, starts) {
      orders += 1;
      const key = `${name}-${orders}`;
      const what = `${/\{ (\w+)/.exec(order.document)?.[1]} (${key})`;
      const answer = await untilAnswered(order, key);
      if (answer === undefined) {
        journal.complaints.push(`${what} was not answered within ${patience / 1_000} s`);
        return { kind: 'refused', code: 'UNANSWERED', message: '' };
      }
      if (answer.kind === 'refused') {
        journal.refusals.push({ order: what, code: answer.code, message: answer.message });
        return answer;
      }
      const { operationId } = answer;
      if (starts) {
        const { kind, mayFail = false } = starts;
        journal.accepted.push({ key, kind, operationId, mayFail, at: Date.now() });
      }
      if (random.chance(asksTwice)) {
        const again = await untilAnswered(order, key);
        if (again?.kind !== 'accepted' || again.operationId !== operationId) {
          journal.complaints.push(`${what} was answered with ${operationId}, and then with ${JSON.stringify(again)}`);
        }
      }
      return answer;
    },

    async ended(operationId) {
      const giveUpAt = performance.now() + patience;
      while (performance.now() < giveUpAt) {
        const body = await ask({ document: statusDocument, variables: { id: operationId } });
        const [error] = body?.errors ?? [];
        if (error?.extensions?.code === 'NOT_FOUND') {
          journal.complaints.push(`operation ${operationId} was accepted, and is not found: ${error.message}`);
          return undefined;
        }
        const seen = body?.data?.runtimeOperationStatus as OperationSeen | undefined;
        if (seen && seen.state !== 'InProgress') return seen;
        await pause(lookAgainMillis, undefined, { signal });
      }
      journal.complaints.push(`operation ${operationId} did not end within ${patience / 1_000} s`);
      return undefined;
    },
  };
}

function readAnswer(body: GraphqlBody | undefined): Reading {
  if (body === undefined) return { kind: 'again', why: 'no answer' };
  const [error] = body.errors ?? [];
  if (error) {
    const { code = 'none', retryable = false } = error.extensions ?? {};
    return retryable ? { kind: 'again', why: code } : { kind: 'refused', code, message: error.message };
  }
  const [field] = Object.values(body.data ?? {});
  if (typeof field === 'string') return { kind: 'accepted', operationId: field, runtimeId: undefined };
  const { id, runtimeID } = (field ?? {}) as { id?: string; runtimeID?: string };
  if (id === undefined) return { kind: 'again', why: 'not a GraphQL answer' };
  return { kind: 'accepted', operationId: id, runtimeId: runtimeID };
}
