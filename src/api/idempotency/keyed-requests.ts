import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getOperationAST, parse } from 'graphql';
import type { Database } from '../../db/database.ts';
import { pause } from '../../db/pause.ts';
import {
  claimIdempotencyKey,
  type KeyedRequest,
  renewIdempotencyKey,
  settleIdempotencyKey,
} from '../../db/queries/idempotency-keys.ts';
import { Failure } from '../../domain/failures.ts';
import { isRecord } from '../../domain/json.ts';
import type { Logger } from '../../domain/logger.ts';
import { requestContext } from '../context.ts';
import { requestHash } from './request-hash.ts';

const header = 'idempotency-key';
const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** A claim lives on for so long after the process that made it. */
const leaseMillis = 10_000;
const renewMillis = 3_000;
/** Longer than a lease, so that who waits for a process that died goes on in its place. */
const patienceMillis = 15_000;
const lookAgainMillis = 100;

interface Claim {
  readonly request: KeyedRequest;
  readonly claim: string;
  readonly renewal: NodeJS.Timeout;
}

/**
 * The header `Idempotency-Key` on mutations. The first request with a key is carried out; the same request again gets
 * the same answer, byte for byte, and waits for it when need be; another request with the key is refused. Answers with
 * errors are not kept: the request may then be sent again, and what a part of it has accepted is not accepted twice
 * (`acceptOnce`). No answer is lost with the process: without one, it is given anew from what was accepted.
 */
export class KeyedRequests {
  readonly #database: Database;
  readonly #maxTokens: number;
  readonly #log: Logger;
  readonly #claims = new WeakMap<FastifyRequest, Claim>();

  constructor({ database, maxTokens, log }: { database: Database; maxTokens: number; log: Logger }) {
    this.#database = database;
    this.#maxTokens = maxTokens;
    this.#log = log;
  }

  /** Undefined for a request without a key, or that is no mutation. */
  of(request: FastifyRequest): KeyedRequest | undefined {
    return this.#claims.get(request)?.request;
  }

  serve({ server, path }: { server: FastifyInstance; path: string }): void {
    server.addHook('preHandler', async (request, reply) => {
      if (request.method !== 'POST' || request.routeOptions.url !== path) return undefined;
      const keyed = this.#read(request);
      const answer = keyed && (await this.#claimOrAnswer(keyed, request, reply));
      if (answer === undefined) return undefined;
      return reply.header('idempotent-replayed', 'true').type('application/json; charset=utf-8').send(answer);
    });
    server.addHook('onSend', async (request, reply, payload) => {
      await this.#settle(request, reply, payload);
    });
  }

  #read({ headers, body, id }: FastifyRequest): KeyedRequest | undefined {
    const key = headers[header];
    if (key === undefined || !isRecord(body) || !isMutation(body, this.#maxTokens)) return undefined;
    if (typeof key !== 'string' || !keyPattern.test(key)) {
      const message = 'Idempotency-Key: must have 1 to 255 printable ASCII characters without spaces';
      throw new Failure('INVALID_INPUT', message);
    }
    const { tenant, subAccount } = requestContext({ headers, correlationId: String(id), log: this.#log }).caller();
    const { query, operationName, variables } = body;
    return { tenant, key, requestHash: requestHash({ query: String(query), operationName, variables, subAccount }) };
  }

  /** Undefined when the request is ours to carry out. */
  async #claimOrAnswer(
    request: KeyedRequest,
    incoming: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | undefined> {
    const database = this.#database;
    const claim = crypto.randomUUID();
    const giveUpAt = performance.now() + patienceMillis;
    for (;;) {
      const found = await claimIdempotencyKey({ database, request, claim, leaseMillis });
      switch (found.kind) {
        case 'claimed':
          this.#claims.set(incoming, { request, claim, renewal: this.#keepClaim(request, claim) });
          return undefined;
        case 'answered':
          return found.answer;
        case 'other-request': {
          const message = `Idempotency-Key: "${request.key}" was used for another request; choose a new one for this request`;
          throw new Failure('IDEMPOTENCY_KEY_REUSED', message);
        }
        case 'in-use':
          if (performance.now() > giveUpAt || reply.raw.destroyed) {
            const message = `Idempotency-Key: the request with "${request.key}" is still being carried out; send it again later`;
            throw new Failure('IDEMPOTENCY_KEY_IN_USE', message);
          }
          await pause(lookAgainMillis);
      }
    }
  }

  #keepClaim(request: KeyedRequest, claim: string): NodeJS.Timeout {
    return setInterval(() => {
      renewIdempotencyKey({ database: this.#database, request, claim, leaseMillis }).catch((error: Error) => {
        this.#log.warn({ error: error.message }, 'cannot hold on to an idempotency key');
      });
    }, renewMillis).unref();
  }

  /** Before the answer is sent, so that it is the same from the first time on. */
  async #settle(incoming: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
    const claimed = this.#claims.get(incoming);
    if (claimed === undefined) return;
    this.#claims.delete(incoming);
    clearInterval(claimed.renewal);
    const { request, claim } = claimed;
    const answer = typeof payload === 'string' && isWholeAnswer(reply.statusCode, payload) ? payload : undefined;
    try {
      await settleIdempotencyKey({ database: this.#database, request, claim, answer });
    } catch (error) {
      // The claim runs out, and what was accepted is found again.
      this.#log.warn(
        { error: (error as Error).message },
        'cannot keep the answer to a request with an idempotency key',
      );
    }
  }
}

/** What cannot be read is left to the GraphQL server to refuse. */
function isMutation({ query, operationName }: Readonly<Record<string, unknown>>, maxTokens: number): boolean {
  if (typeof query !== 'string') return false;
  try {
    const name = typeof operationName === 'string' ? operationName : undefined;
    return getOperationAST(parse(query, { maxTokens }), name)?.operation === 'mutation';
  } catch {
    return false;
  }
}

function isWholeAnswer(statusCode: number, payload: string): boolean {
  if (statusCode !== 200) return false;
  const answer: unknown = JSON.parse(payload);
  return isRecord(answer) && answer.errors === undefined;
}
