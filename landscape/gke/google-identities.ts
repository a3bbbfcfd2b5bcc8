import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomBytes, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { jsonResponse, type WebRequest, type WebResponse } from '../web-server.ts';

export const googleProject = { id: 'my-project', number: '123456789012' } as const;

/** Who may do what: `admin` as the roles Kubernetes Engine Admin and Service Account User give it. */
export type GoogleRole = 'admin' | 'viewer';

export interface GoogleIdentity {
  readonly email: string;
  readonly project: string;
  readonly role: GoogleRole;
}

export interface TokenIdentity extends GoogleIdentity {
  /** Whether the token has the scope that the cloud's APIs want. */
  readonly forCloud: boolean;
}

interface ServiceAccount extends GoogleIdentity {
  readonly keys: Map<string, KeyObject>;
}

const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Where Google's own clients send their requests to, whatever the key says. */
const googleTokenEndpoint = 'https://oauth2.googleapis.com/token';
const longestLifetimeSeconds = 3600;
/** Of an assertion that is used as a token itself. */
const containerAudience = 'https://container.googleapis.com/';
const neededScope = 'https://www.googleapis.com/auth/cloud-platform';

/** Service accounts with their keys, and the token endpoint that trades an assertion signed with one for a token. */
export class GoogleIdentities {
  readonly #accounts = new Map<string, ServiceAccount>();
  readonly #tokens = new Map<string, { identity: TokenIdentity; expiresAt: number }>();
  readonly #tokenEndpoint: string;

  constructor(options: { readonly tokenEndpoint: string }) {
    this.#tokenEndpoint = options.tokenEndpoint;
  }

  /** A new key, as the JSON file that Google gives out once. */
  async createKey({ name, role = 'admin' }: { name: string; role?: GoogleRole }): Promise<string> {
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
    const project = googleProject.id;
    const email = `${name}@${project}.iam.gserviceaccount.com`;
    const account = this.#accounts.get(email) ?? { email, project, role, keys: new Map() };
    const keyId = randomBytes(20).toString('hex');
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    account.keys.set(keyId, createPublicKey(createPrivateKey(pem)));
    this.#accounts.set(email, account);
    const file = {
      type: 'service_account',
      project_id: project,
      private_key_id: keyId,
      private_key: pem,
      client_email: email,
      client_id: '100000000000000000001',
      auth_uri: 'https://accounts.google.com/o/oauth2/auth',
      token_uri: this.#tokenEndpoint,
      auth_provider_x509_cert_url: 'https://www.googleapis.com/oauth2/v1/certs',
      client_x509_cert_url: `https://www.googleapis.com/robot/v1/metadata/x509/${encodeURIComponent(email)}`,
      universe_domain: 'googleapis.com',
    };
    return `${JSON.stringify(file, null, 2)}\n`;
  }

  /** The key with this id is refused from now on; the tokens that it got are not. */
  deleteKey(keyId: string): void {
    for (const { keys } of this.#accounts.values()) keys.delete(keyId);
  }

  /**
   * Whose token it is: one that was given out here, or an assertion that the account has signed for the service itself,
   * as Google's own clients do. Undefined when it is unknown or expired.
   */
  identify(token: string): TokenIdentity | undefined {
    const found = this.#tokens.get(token);
    if (found !== undefined) return found.expiresAt > Date.now() ? found.identity : undefined;
    const judged = this.#judge(token, [containerAudience, undefined]);
    if ('refusal' in judged) return undefined;
    const { account, audience, scopes } = judged;
    return identityOf(account, audience === containerAudience || scopes.includes(neededScope));
  }

  /** Every access token given out so far is refused from now on. */
  revokeTokens(): void {
    this.#tokens.clear();
  }

  /** POST to the token endpoint, RFC 7523. */
  handle({ method, body }: WebRequest): WebResponse {
    if (method !== 'POST') return jsonResponse(405, { error: 'method_not_allowed' });
    const form = new URLSearchParams(body);
    if (form.get('grant_type') !== grant) {
      const description = `Invalid grant_type: ${form.get('grant_type') ?? ''}`;
      return jsonResponse(400, { error: 'unsupported_grant_type', error_description: description });
    }
    const judged = this.#judge(form.get('assertion') ?? '', [this.#tokenEndpoint, googleTokenEndpoint]);
    if ('refusal' in judged) {
      return jsonResponse(400, { error: 'invalid_grant', error_description: judged.refusal });
    }
    const token = `ya29.${randomBytes(48).toString('base64url')}`;
    const { account, scopes } = judged;
    if (scopes.length === 0) {
      return jsonResponse(400, { error: 'invalid_scope', error_description: 'Invalid OAuth scope.' });
    }
    const expiresAt = Date.now() + longestLifetimeSeconds * 1000;
    this.#tokens.set(token, { identity: identityOf(account, scopes.includes(neededScope)), expiresAt });
    return jsonResponse(200, { access_token: token, expires_in: longestLifetimeSeconds - 1, token_type: 'Bearer' });
  }

  #judge(
    assertion: string,
    audiences: readonly unknown[],
  ): { refusal: string } | { account: ServiceAccount; audience: unknown; scopes: readonly string[] } {
    const [head = '', payload = '', signature = ''] = assertion.split('.');
    const header = decode(head);
    const claims = decode(payload);
    if (header?.alg !== 'RS256' || !claims) return { refusal: 'Bad Request' };
    const account = this.#accounts.get(String(claims.iss));
    if (!account) return { refusal: 'Invalid grant: account not found' };
    const keys = typeof header.kid === 'string' ? [account.keys.get(header.kid)] : [...account.keys.values()];
    const signed = Buffer.from(`${head}.${payload}`);
    const genuine = keys.some((key) => key && verify('sha256', signed, key, Buffer.from(signature, 'base64url')));
    if (!genuine) return { refusal: 'Invalid JWT Signature.' };
    if (!audiences.some((audience) => audience === claims.aud)) {
      return { refusal: 'Invalid JWT: Failed audience check.' };
    }
    const [issuedAt, expiresAt] = [Number(claims.iat), Number(claims.exp)];
    const now = Date.now() / 1000;
    const reasonable = issuedAt <= now + 300 && expiresAt > now - 300 && expiresAt - issuedAt <= longestLifetimeSeconds;
    if (!reasonable) {
      const rule = 'Token must be a short-lived token (60 minutes) and in a reasonable timeframe.';
      return { refusal: `Invalid JWT: ${rule} Check your iat and exp values in the JWT claim.` };
    }
    const scopes = String(claims.scope ?? '')
      .split(' ')
      .filter(Boolean);
    return { account, audience: claims.aud, scopes };
  }
}

function identityOf({ email, project, role }: ServiceAccount, forCloud: boolean): TokenIdentity {
  return { email, project, role, forCloud };
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
}
