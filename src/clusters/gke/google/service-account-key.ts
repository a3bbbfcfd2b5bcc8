import { createPrivateKey } from 'node:crypto';
import { isRecord } from '../../../domain/json.ts';
import { Secret } from '../../../domain/secret.ts';

/** The key of a Google service account, as far as it is used. */
export interface ServiceAccountKey {
  readonly email: string;
  readonly keyId: string;
  readonly privateKey: Secret;
  /** Where the key is traded for tokens. */
  readonly tokenEndpoint: string;
}

/** Google's hosts for tokens, of old keys and new. */
const googleTokenHosts = new Set(['oauth2.googleapis.com', 'accounts.google.com', 'www.googleapis.com']);
const standardTokenEndpoint = 'https://oauth2.googleapis.com/token';

/**
 * Reads the JSON file of a key. Other files that Google's libraries accept can name programs, files and addresses to
 * call, so only a service account's is taken, and its token endpoint only on Google's hosts or at `trustedOrigin`.
 * A mistake completes a sentence that begins with "the key"; it never quotes the key.
 */
export function readServiceAccountKey(
  text: Secret,
  { trustedOrigin }: { readonly trustedOrigin: string },
): { readonly key: ServiceAccountKey } | { readonly mistake: string } {
  let file: unknown;
  try {
    file = JSON.parse(text.reveal());
  } catch {
    return { mistake: 'is not JSON' };
  }
  if (!isRecord(file)) return { mistake: 'is not a JSON object' };
  const { type, client_email: email, private_key: pem, private_key_id: keyId } = file;
  if (type !== 'service_account') {
    const found = typeof type === 'string' && /^[a-z_]{1,40}$/.test(type) ? `has the type "${type}"` : 'has no type';
    return { mistake: `${found}, and only that of a service account ("service_account") is accepted` };
  }
  if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email)) return { mistake: 'has no client_email' };
  if (typeof pem !== 'string' || !isPrivateKey(pem)) return { mistake: 'has no private_key that is an RSA key in PEM' };
  const tokenEndpoint = typeof file.token_uri === 'string' ? file.token_uri : standardTokenEndpoint;
  if (!mayReceiveAssertions(tokenEndpoint, trustedOrigin)) {
    return { mistake: "has a token_uri that is not Google's" };
  }
  return {
    key: { email, keyId: typeof keyId === 'string' ? keyId : '', privateKey: new Secret(pem), tokenEndpoint },
  };
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

/** Whoever receives an assertion can act as the service account for as long as it is valid. */
function mayReceiveAssertions(address: string, trustedOrigin: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:') return false;
  return url.origin === trustedOrigin || (googleTokenHosts.has(url.host) && url.username === '');
}
