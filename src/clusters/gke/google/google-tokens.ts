import { createSign } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../../domain/clock.ts';
import { readPath, readText } from '../../../domain/json.ts';
import { orAbort } from '../../../domain/or-abort.ts';
import { Secret } from '../../../domain/secret.ts';
import { CredentialsRefused } from './credentials-refused.ts';
import { exchange, GoogleUnreachable } from './google-exchange.ts';
import type { ServiceAccountKey } from './service-account-key.ts';

export interface GoogleToken {
  readonly token: Secret;
  readonly expiresAt: Date;
}

export interface GoogleTokensSettings {
  /** Reads the key anew. Throws a Failure when there is none that can be used. */
  readonly readKey: (secretName: string, signal: AbortSignal | undefined) => Promise<ServiceAccountKey>;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
}

/** The second one lets a cluster know the account by its address instead of a number. */
const scope = 'https://www.googleapis.com/auth/cloud-platform https://www.googleapis.com/auth/userinfo.email';
const assertionLifetimeSeconds = 3600;
/** A token is renewed this long before it expires. */
const marginMilliseconds = 5 * 60_000;

/**
 * Access tokens of service accounts (RFC 7523), one for each Secret: kept in memory until shortly before they expire,
 * and fetched once for however many wait. The key is read for each new token and not kept.
 */
export class GoogleTokens {
  readonly #settings: GoogleTokensSettings;
  readonly #issued = new Map<string, GoogleToken>();
  readonly #underway = new Map<string, Promise<GoogleToken>>();

  constructor(settings: GoogleTokensSettings) {
    this.#settings = settings;
  }

  /** Throws CredentialsRefused when Google refuses the key, and what `readKey` throws. */
  async token(secretName: string, signal: AbortSignal | undefined): Promise<GoogleToken> {
    const issued = this.#issued.get(secretName);
    const now = this.#settings.clock.now();
    if (issued && now < issued.expiresAt.getTime() - marginMilliseconds) return issued;
    let underway = this.#underway.get(secretName);
    if (!underway) {
      underway = this.#fetch(secretName).finally(() => this.#underway.delete(secretName));
      this.#underway.set(secretName, underway);
    }
    return orAbort(underway, signal);
  }

  /** Forgets a token that was refused, unless a newer one has replaced it; without one, the Secret is read again. */
  forget(secretName: string, refused?: GoogleToken): void {
    if (refused && this.#issued.get(secretName) !== refused) return;
    this.#issued.delete(secretName);
  }

  async #fetch(secretName: string): Promise<GoogleToken> {
    const { readKey, dispatcher, clock } = this.#settings;
    const key = await readKey(secretName, undefined);
    const requestedAt = clock.now();
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: signAssertion(key, requestedAt),
    };
    const { status, body } = await exchange({
      ...{ method: 'POST', url: key.tokenEndpoint, dispatcher, signal: undefined },
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
    });
    const token = readText(body, 'access_token');
    const lifetime = readPath(body, 'expires_in');
    if (status === 200 && token !== undefined && typeof lifetime === 'number') {
      const issued = { token: new Secret(token), expiresAt: new Date(requestedAt + lifetime * 1000) };
      this.#issued.set(secretName, issued);
      return issued;
    }
    const error = readText(body, 'error');
    if ((status === 400 || status === 401) && error !== undefined) {
      throw new CredentialsRefused({ email: key.email, words: readText(body, 'error_description') ?? error });
    }
    // The answer itself is not quoted: it may hold a token.
    throw new GoogleUnreachable(`${new URL(key.tokenEndpoint).host} gave no token: HTTP ${status}`);
  }
}

function signAssertion({ email, keyId, privateKey, tokenEndpoint }: ServiceAccountKey, now: number): string {
  const issuedAt = Math.floor(now / 1000);
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId !== '' && { kid: keyId }) };
  const claims = {
    ...{ iss: email, scope, aud: tokenEndpoint },
    ...{ iat: issuedAt, exp: issuedAt + assertionLifetimeSeconds },
  };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = createSign('RSA-SHA256').update(signed).sign(privateKey.reveal(), 'base64url');
  return `${signed}.${signature}`;
}
