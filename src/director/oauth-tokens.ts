import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { type Clock, systemClock } from '../domain/clock.ts';
import { Failure } from '../domain/failures.ts';
import { orAbort } from '../domain/or-abort.ts';
import { Secret } from '../domain/secret.ts';
import { DirectorUnavailable } from './director-unavailable.ts';
import { parseJson, post } from './http-exchange.ts';

export interface OAuthCredentials {
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly tokensEndpoint: string;
}

/** A token is renewed this long before it expires, so that none expires on its way. */
const marginMilliseconds = 60_000;
const scope = 'runtime:read runtime:write';
const fetchLimitMilliseconds = 30_000;

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().nonnegative() });

interface IssuedToken {
  readonly token: Secret;
  readonly usableUntil: number;
}

/**
 * Access tokens of the client-credentials grant: one is kept until a minute before it expires, and however many callers
 * need a new one, one request fetches it. The credentials are read anew for each request, so that rotated ones are used.
 */
export class OAuthTokens {
  readonly #readCredentials: () => Promise<OAuthCredentials>;
  readonly #dispatcher: Dispatcher;
  readonly #clock: Clock;
  #issued: IssuedToken | undefined;
  #underway: Promise<IssuedToken> | undefined;

  constructor(options: {
    readonly readCredentials: () => Promise<OAuthCredentials>;
    readonly dispatcher: Dispatcher;
    readonly clock?: Clock;
  }) {
    this.#readCredentials = options.readCredentials;
    this.#dispatcher = options.dispatcher;
    this.#clock = options.clock ?? systemClock;
  }

  /** Throws DIRECTOR_UNAUTHORIZED when the credentials are refused; another error when the endpoint does not answer. */
  async token(signal?: AbortSignal): Promise<Secret> {
    if (this.#issued && this.#clock.now() < this.#issued.usableUntil) return this.#issued.token;
    this.#underway ??= this.#fetch()
      .catch((error) => {
        throw withoutToken(error);
      })
      .finally(() => {
        this.#underway = undefined;
      });
    // The request is shared, so that one caller who gives up does not end it for the others.
    return (await orAbort(this.#underway, signal)).token;
  }

  /** Forgets a token that was refused, unless a newer one has replaced it already. */
  reject(token: Secret): void {
    if (this.#issued?.token === token) this.#issued = undefined;
  }

  async #fetch(): Promise<IssuedToken> {
    const { clientId, clientSecret, tokensEndpoint } = await this.#readCredentials();
    const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret.reveal())}`);
    const requestedAt = this.#clock.now();
    const answer = await post({
      url: tokensEndpoint,
      what: 'the OAuth2 token endpoint',
      headers: {
        authorization: `Basic ${basic.toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
      dispatcher: this.#dispatcher,
      signal: undefined,
      patience: fetchLimitMilliseconds,
    });
    const issued = parseAnswer(answer);
    this.#issued = {
      token: new Secret(issued.access_token),
      usableUntil: requestedAt + issued.expires_in * 1000 - marginMilliseconds,
    };
    return this.#issued;
  }
}

function parseAnswer(answer: { status: number; text: string; retryAfterMilliseconds: number | undefined }) {
  if ([400, 401, 403].includes(answer.status)) {
    const words = z.object({ error: z.string() }).safeParse(parseJson(answer.text));
    const reason = words.success ? words.data.error : `HTTP ${answer.status}`;
    throw new Failure(
      'DIRECTOR_UNAUTHORIZED',
      `the OAuth2 token endpoint refused this service's credentials: ${reason}`,
    );
  }
  const parsed = tokenAnswer.safeParse(parseJson(answer.text));
  if (answer.status === 200 && parsed.success) return parsed.data;
  // The answer itself is not quoted: it may hold a token.
  const what = answer.status === 200 ? 'an answer without access_token and expires_in' : `HTTP ${answer.status}`;
  throw new DirectorUnavailable(`the OAuth2 token endpoint gave ${what}`, {
    fate: 'not-done',
    ...(answer.retryAfterMilliseconds !== undefined && { retryAfterMilliseconds: answer.retryAfterMilliseconds }),
  });
}

/** Whatever went wrong at the token endpoint: the Director has not seen the call that the token was for. */
function withoutToken(error: unknown): unknown {
  if (error instanceof Failure) return error;
  const trouble = error instanceof DirectorUnavailable ? error : undefined;
  const reason = error instanceof Error ? error.message : String(error);
  return new DirectorUnavailable(`there is no access token for the Director: ${reason}`, {
    fate: 'not-done',
    cause: error,
    ...(trouble?.retryAfterMilliseconds !== undefined && { retryAfterMilliseconds: trouble.retryAfterMilliseconds }),
  });
}
