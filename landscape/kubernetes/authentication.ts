import type { IncomingMessage } from 'node:http';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { KubernetesApi } from './kubernetes-api.ts';
import type { User } from './resource-type.ts';

/** Who a client certificate belongs to, as read once per connection. */
interface CertificateIdentity {
  readonly name: string;
  readonly groups: readonly string[];
  readonly api: string;
  readonly expiresAt: number;
}

const identities = new WeakMap<TLSSocket, CertificateIdentity | 'none'>();

/**
 * The user behind a request to an API: its bearer token's, or its client certificate's when the certificate was issued
 * for this API (OU) and has not expired. Undefined for everybody else. Members of a `readOnlyGroups` only read.
 */
export function authenticate(
  request: IncomingMessage,
  api: KubernetesApi,
  readOnlyGroups: ReadonlySet<string>,
): User | undefined {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const token = /^Bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
    const user = token === undefined ? undefined : api.tokens.authenticate(token);
    return user === undefined ? undefined : withReadOnly(user, readOnlyGroups);
  }
  if (!(request.socket instanceof TLSSocket)) return undefined;
  const identity = identityOf(request.socket);
  if (identity === undefined || identity.api !== api.name || identity.expiresAt <= api.clock.now()) return undefined;
  return withReadOnly({ name: identity.name, groups: [...identity.groups, 'system:authenticated'] }, readOnlyGroups);
}

function withReadOnly(user: User, readOnlyGroups: ReadonlySet<string>): User {
  return user.groups.some((group) => readOnlyGroups.has(group)) ? { ...user, readOnly: true } : user;
}

function identityOf(socket: TLSSocket): CertificateIdentity | undefined {
  let identity = identities.get(socket);
  if (identity === undefined) {
    identity = socket.authorized ? readCertificate(socket.getPeerCertificate()) : 'none';
    identities.set(socket, identity);
  }
  return identity === 'none' ? undefined : identity;
}

function readCertificate(certificate: PeerCertificate): CertificateIdentity | 'none' {
  // Nothing was presented when there is no subject.
  if (certificate.subject === undefined) return 'none';
  const { CN, O, OU } = certificate.subject;
  const [name] = listOf(CN);
  const [api] = listOf(OU);
  if (name === undefined || api === undefined) return 'none';
  return { name, groups: listOf(O), api, expiresAt: Date.parse(certificate.valid_to) };
}

/** Node gives a part of the subject that occurs several times as a list, whatever its types say. */
function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
