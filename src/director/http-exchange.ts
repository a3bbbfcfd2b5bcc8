import { Agent, type buildConnector, type Dispatcher, request } from 'undici';
import { readRetryAfter } from '../domain/retry-after.ts';
import { readText } from '../kubernetes/read-text.ts';
import { refuseAfterStandstill } from '../kubernetes/refuse-after-standstill.ts';
import { DirectorUnavailable } from './director-unavailable.ts';

/** The Director gives up after 110 s, its gateways after 114 and 120 s: then no answer is on its way any more. */
const longestCallMilliseconds = 125_000;
const largestAnswerBytes = 16 * 1024 * 1024;

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** From `Retry-After`. */
  readonly retryAfterMilliseconds: number | undefined;
}

/** Errors of a connection that never came to be, or was not used: the server has not seen the request. */
const unsentCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'STOOD_STILL',
]);

/** Kept-alive connections to the Director and its token endpoint; redirects are not followed. */
export function directorConnections(connect: buildConnector.connector): Dispatcher {
  return new Agent({
    // A burst is better queued than met with a TLS handshake for each of its requests.
    connections: 16,
    // Shorter than the usual idle limit of gateways: a connection that the server has just closed loses a request.
    keepAliveTimeout: 3_000,
    headersTimeout: longestCallMilliseconds,
    bodyTimeout: longestCallMilliseconds,
    connect,
  }).compose(refuseAfterStandstill);
}

/**
 * One POST, given up after `patience` milliseconds (125 s when not given). Answers whatever status the server gave; a failed exchange throws
 * DirectorUnavailable that tells whether the server can have acted. An abort of `signal` throws its reason.
 */
export async function post(options: {
  readonly url: string;
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal | undefined;
  readonly patience?: number | undefined;
}): Promise<HttpAnswer> {
  const { url, what, headers, body, dispatcher, signal, patience = longestCallMilliseconds } = options;
  const timeout = AbortSignal.timeout(patience);
  const bounded = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal: bounded });
    return {
      status: answer.statusCode,
      text: await readText(answer.body, largestAnswerBytes),
      retryAfterMilliseconds: readRetryAfter(answer.headers['retry-after']),
    };
  } catch (cause) {
    signal?.throwIfAborted();
    const code = errorCode(cause);
    const reason = timeout.aborted ? `no answer within ${patience / 1000} s` : (code ?? String(cause));
    const fate = unsentCodes.has(code) ? 'not-done' : 'unknown';
    throw new DirectorUnavailable(`${what} cannot be reached: ${reason}`, { fate, cause });
  }
}

/** Undefined when `text` is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorCode(error: unknown): string | undefined {
  // With several addresses per name, the connection errors of all of them come as one AggregateError.
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const code = inner instanceof Error && 'code' in inner ? inner.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
