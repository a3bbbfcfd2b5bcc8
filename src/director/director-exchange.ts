import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { Clock } from '../domain/clock.ts';
import { Failure } from '../domain/failures.ts';
import type { Logger } from '../domain/logger.ts';
import type { DirectorCall } from './director.ts';
import { asksForAnotherToken, classifyGraphqlErrors, type DirectorGraphqlError } from './director-errors.ts';
import { DirectorUnavailable } from './director-unavailable.ts';
import { type HttpAnswer, parseJson, post } from './http-exchange.ts';
import type { OAuthTokens } from './oauth-tokens.ts';

/** When a 429 does not say how long to stay away. */
const defaultHoldMilliseconds = 1_000;

const graphqlError = z
  .object({
    message: z.string().default(''),
    extensions: z.object({ error_code: z.number().optional(), error: z.string().optional() }).nullish(),
  })
  .transform(
    ({ message, extensions }): DirectorGraphqlError => ({
      message,
      code: extensions?.error_code,
      name: extensions?.error,
    }),
  );

const graphqlAnswer = z.object({
  data: z.object({ result: z.unknown() }).nullish(),
  errors: z.array(graphqlError).nullish(),
});

/** A GraphQL document whose only field is aliased `result`. What varies goes into variables, never into `document`. */
export interface DirectorRequest {
  /** Names the call in messages and logs. */
  readonly operation: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Speaks GraphQL to the Director as a tenant: fetches tokens where they are wanted, obeys its limits, sorts its errors. */
export class DirectorExchange {
  readonly #url: string;
  readonly #tokens: OAuthTokens | undefined;
  readonly #dispatcher: Dispatcher;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** Until then the Director asked us to stay away. */
  #heldUntil = 0;

  constructor(options: {
    readonly url: string;
    /** Undefined: the gateway knows us by our certificate. */
    readonly tokens: OAuthTokens | undefined;
    readonly dispatcher: Dispatcher;
    readonly clock: Clock;
    readonly log: Logger;
  }) {
    this.#url = options.url;
    this.#tokens = options.tokens;
    this.#dispatcher = options.dispatcher;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** Answers `data.result`. A refused access token is replaced once. */
  async call(request: DirectorRequest, { tenant, signal, patience }: DirectorCall): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      this.#refuseWhileHeld();
      const token = await this.#tokens?.token(signal);
      const startedAt = this.#clock.now();
      const answer = await post({
        url: this.#url,
        what: 'the Director',
        headers: {
          ...(token && { authorization: `Bearer ${token.reveal()}` }),
          tenant,
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body: JSON.stringify({ query: request.document, variables: request.variables }),
        dispatcher: this.#dispatcher,
        signal,
        patience,
      });
      const { operation } = request;
      const milliseconds = this.#clock.now() - startedAt;
      this.#log.debug({ operation, tenant, status: answer.status, milliseconds }, 'called the Director');
      const reading = readAnswer(operation, answer);
      if (reading.kind === 'result') return reading.result;
      if (reading.kind === 'error') throw reading.error;
      if (reading.kind === 'busy') throw this.#hold(answer);
      if (token) this.#tokens?.reject(token);
      if (token === undefined || attempt > 1) throw reading.error;
    }
  }

  #hold(answer: HttpAnswer): DirectorUnavailable {
    const wait = answer.retryAfterMilliseconds ?? defaultHoldMilliseconds;
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + wait);
    return held(wait);
  }

  #refuseWhileHeld(): void {
    const wait = this.#heldUntil - this.#clock.now();
    if (wait > 0) throw held(wait);
  }
}

type Reading =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: Error }
  | { readonly kind: 'token refused'; readonly error: Error }
  | { readonly kind: 'busy' };

function readAnswer(operation: string, answer: HttpAnswer): Reading {
  if (answer.status === 429) return { kind: 'busy' };
  const parsed = graphqlAnswer.safeParse(parseJson(answer.text));
  const errors = (parsed.success && parsed.data.errors) || [];
  if (answer.status === 401 || asksForAnotherToken(errors)) {
    const words = errors.map((error) => error.message).join('; ') || `HTTP ${answer.status}`;
    const error = new Failure(
      'DIRECTOR_UNAUTHORIZED',
      `the Director does not accept the credentials of this service: ${words}`,
    );
    return { kind: 'token refused', error };
  }
  if (errors.length > 0) {
    const requestRefused = answer.status === 400 || answer.status === 422;
    return { kind: 'error', error: classifyGraphqlErrors({ operation, errors, requestRefused }) };
  }
  if (answer.status === 200 && parsed.success && parsed.data.data) {
    return { kind: 'result', result: parsed.data.data.result };
  }
  if (answer.status === 403) {
    // Without a GraphQL error it comes from a gateway in front of the Director, which knows no caller of ours.
    return {
      kind: 'error',
      error: new Failure('DIRECTOR_UNAUTHORIZED', 'a gateway refused our calls to the Director'),
    };
  }
  const what = answer.status === 200 ? 'something that is not a GraphQL answer' : `HTTP ${answer.status}`;
  const retryAfter = answer.retryAfterMilliseconds;
  return {
    kind: 'error',
    error: new DirectorUnavailable(`the Director answered ${operation} with ${what}`, {
      fate: 'unknown',
      ...(retryAfter !== undefined && { retryAfterMilliseconds: retryAfter }),
    }),
  };
}

function held(milliseconds: number): DirectorUnavailable {
  return new DirectorUnavailable(`the Director is too busy; it asked for ${Math.ceil(milliseconds / 1000)} s of rest`, {
    fate: 'not-done',
    retryAfterMilliseconds: milliseconds,
  });
}
