import { Agent, type Dispatcher, request } from 'undici';
import { readRetryAfter } from '../../../domain/retry-after.ts';
import { readText } from '../../../kubernetes/read-text.ts';
import { refuseAfterStandstill } from '../../../kubernetes/refuse-after-standstill.ts';
import { describe } from '../../../kubernetes/transport.ts';

const callTimeoutMilliseconds = 30_000;
const largestAnswerBytes = 32 * 1024 * 1024;

export interface GoogleRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal | undefined;
}

export interface GoogleAnswer {
  readonly status: number;
  /** Undefined when the answer was not JSON. */
  readonly body: unknown;
  readonly retryAfterMilliseconds?: number | undefined;
}

/** No answer came. Whether a write took effect is unknown. */
export class GoogleUnreachable extends Error {
  override readonly name = 'GoogleUnreachable';
}

/** Kept-alive connections to Google's APIs; redirects are not followed. */
export function googleConnections(): Dispatcher {
  return new Agent({
    connections: 16,
    keepAliveTimeout: 30_000,
    headersTimeout: callTimeoutMilliseconds,
    bodyTimeout: callTimeoutMilliseconds,
    connect: { timeout: 10_000 },
  }).compose(refuseAfterStandstill);
}

/** One exchange, bounded to 30 seconds. Any answer is answered; throws GoogleUnreachable without one. */
export async function exchange(options: GoogleRequest): Promise<GoogleAnswer> {
  const { method, url, headers, body, dispatcher, signal } = options;
  const timeout = AbortSignal.timeout(callTimeoutMilliseconds);
  const bounded = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    const answer = await request(url, { method, headers, body: body ?? null, dispatcher, signal: bounded });
    return {
      status: answer.statusCode,
      body: parseJson(await readText(answer.body, largestAnswerBytes)),
      retryAfterMilliseconds: readRetryAfter(answer.headers['retry-after']),
    };
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = timeout.aborted ? `no answer within ${callTimeoutMilliseconds / 1000} s` : describe(cause);
    throw new GoogleUnreachable(`${new URL(url).host} cannot be reached: ${reason}`, { cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
