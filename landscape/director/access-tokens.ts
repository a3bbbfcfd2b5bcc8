import { randomBytes } from 'node:crypto';
import type { WebRequest, WebResponse } from '../web-server.ts';
import { jsonResponse } from '../web-server.ts';

const allowedScopes = new Set(['runtime:read', 'runtime:write']);

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The OAuth2 token endpoint for client credentials, and the access tokens that it gave out. */
export class AccessTokens {
  /** Seconds that a new token lives. May be changed at any time. */
  lifetimeSeconds = 3600;
  readonly #credentials: ClientCredentials;
  readonly #tokens = new Map<string, { expiresAt: number; scopes: ReadonlySet<string> }>();

  constructor(credentials: ClientCredentials) {
    this.#credentials = credentials;
  }

  /** `POST /oauth2/token`, HTTP Basic, form encoded. */
  handle(request: WebRequest): WebResponse {
    if (request.method !== 'POST') return jsonResponse(405, { error: 'invalid_request' });
    if (!this.#authenticates(request.headers.authorization)) {
      return jsonResponse(401, { error: 'invalid_client', error_description: 'Client authentication failed' });
    }
    const form = new URLSearchParams(request.body);
    if (form.get('grant_type') !== 'client_credentials') {
      return jsonResponse(400, { error: 'unsupported_grant_type', error_description: 'use client_credentials' });
    }
    const scopes = (form.get('scope') ?? '').split(' ').filter(Boolean);
    const refused = scopes.find((scope) => !allowedScopes.has(scope));
    if (refused !== undefined) {
      return jsonResponse(400, {
        error: 'invalid_scope',
        error_description: `The client may not request scope ${refused}`,
      });
    }
    const token = randomBytes(32).toString('base64url');
    this.#tokens.set(token, { expiresAt: Date.now() + this.lifetimeSeconds * 1000, scopes: new Set(scopes) });
    return jsonResponse(200, {
      access_token: token,
      expires_in: this.lifetimeSeconds,
      scope: scopes.join(' '),
      token_type: 'bearer',
    });
  }

  /** Undefined when the header holds no token that is valid now. */
  scopesOf(authorization: string | string[] | undefined): ReadonlySet<string> | undefined {
    if (typeof authorization !== 'string' || !authorization.startsWith('Bearer ')) return undefined;
    const token = this.#tokens.get(authorization.slice('Bearer '.length));
    return token && token.expiresAt > Date.now() ? token.scopes : undefined;
  }

  /** Every token given out so far is refused from now on. */
  revokeAll(): void {
    this.#tokens.clear();
  }

  #authenticates(authorization: string | string[] | undefined): boolean {
    if (typeof authorization !== 'string' || !authorization.startsWith('Basic ')) return false;
    const text = Buffer.from(authorization.slice('Basic '.length), 'base64').toString();
    const colon = text.indexOf(':');
    // RFC 6749 encodes both parts as a form does before they are joined; a client that does not is understood too.
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '));
    const { clientId, clientSecret } = this.#credentials;
    return decode(text.slice(0, colon)) === clientId && decode(text.slice(colon + 1)) === clientSecret;
  }
}
