import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import {
  bitString,
  boolean,
  type Der,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from './der.ts';

/** A certificate with its private key, both PEM. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly expiresAt: Date;
}

export interface ClientCertificateRequest {
  /** Becomes CN. */
  readonly user: string;
  /** Become O. */
  readonly groups: readonly string[];
  /** The API that accepts the certificate; becomes OU. */
  readonly api: string;
  readonly lifetimeSeconds: number;
}

export interface CertificateAuthority {
  /** The authority's own certificate, PEM: what clients must trust. */
  readonly certificate: string;
  /** For servers on this machine: 127.0.0.1, ::1 and localhost, and the hosts that are named. */
  issueServerCertificate(options?: { readonly hosts?: readonly string[] }): IssuedCertificate;
  issueClientCertificate(request: ClientCertificateRequest): IssuedCertificate;
  /** A client certificate for a key that somebody else holds. */
  certifyClient(request: ClientCertificateRequest & { readonly publicKey: KeyObject }): {
    readonly certificate: string;
    readonly expiresAt: Date;
  };
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** Certificates begin a little in the past, for clients whose clock is slow. */
const SKEW_MILLISECONDS = 5 * 60 * 1000;

const attribute = { CN: '2.5.4.3', O: '2.5.4.10', OU: '2.5.4.11' };
const extendedKeyUsage = { serverAuth: '1.3.6.1.5.5.7.3.1', clientAuth: '1.3.6.1.5.5.7.3.2' };
const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

/** A part of a distinguished name, such as `['CN', 'admin']`. */
type NamePart = readonly [keyof typeof attribute, string];

/**
 * A new authority with a key of its own, kept in memory. Everything it issues is EC P-256. A certificate costs a fraction
 * of a millisecond, because every Runtime's kubeconfig is one.
 */
export function createCertificateAuthority({ name }: { name: string }): CertificateAuthority {
  const keys = generateKeys();
  const issuer: readonly NamePart[] = [['CN', name]];
  const keyIdentifier = createHash('sha1').update(publicKeyDer(keys.publicKey)).digest();

  const certify = (
    publicKey: KeyObject,
    subject: readonly NamePart[],
    lifetimeMilliseconds: number,
    extensions: readonly Der[],
  ) => {
    const expiresAt = new Date(Date.now() + lifetimeMilliseconds);
    const certificate = signCertificate({
      subject,
      issuer,
      publicKey,
      signingKey: keys.privateKey,
      expiresAt,
      extensions: [
        basicConstraints(false),
        keyUsage([0x80], 7),
        extension('2.5.29.35', false, sequence(implicit(0, keyIdentifier))),
        ...extensions,
      ],
    });
    return { certificate, expiresAt };
  };

  const issue = (...parts: [readonly NamePart[], number, readonly Der[]]): IssuedCertificate => {
    const own = generateKeys();
    const key = own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    return { ...certify(own.publicKey, ...parts), key };
  };

  return {
    certificate: signCertificate({
      subject: issuer,
      issuer,
      publicKey: keys.publicKey,
      signingKey: keys.privateKey,
      expiresAt: new Date(Date.now() + 3650 * DAY_MILLISECONDS),
      extensions: [
        basicConstraints(true),
        keyUsage([0x06], 1),
        extension('2.5.29.14', false, octetString(keyIdentifier)),
      ],
    }),
    issueServerCertificate: ({ hosts = [] } = {}) =>
      issue([['CN', 'localhost']], 397 * DAY_MILLISECONDS, [
        usableFor(extendedKeyUsage.serverAuth),
        alternativeNames(['127.0.0.1', '::1', 'localhost', ...hosts]),
      ]),
    issueClientCertificate: (request) => issue(...clientParts(request)),
    certifyClient: ({ publicKey, ...request }) => certify(publicKey, ...clientParts(request)),
  };
}

function clientParts({
  user,
  groups,
  api,
  lifetimeSeconds,
}: ClientCertificateRequest): [readonly NamePart[], number, readonly Der[]] {
  const subject: readonly NamePart[] = [...groups.map((group): NamePart => ['O', group]), ['OU', api], ['CN', user]];
  return [subject, lifetimeSeconds * 1000, [usableFor(extendedKeyUsage.clientAuth)]];
}

function generateKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function publicKeyDer(publicKey: KeyObject): Der {
  return publicKey.export({ type: 'spki', format: 'der' });
}

function signCertificate({
  subject,
  issuer,
  publicKey,
  signingKey,
  expiresAt,
  extensions,
}: {
  subject: readonly NamePart[];
  issuer: readonly NamePart[];
  publicKey: KeyObject;
  signingKey: KeyObject;
  expiresAt: Date;
  extensions: readonly Der[];
}): string {
  const content = sequence(
    explicit(0, integer(Buffer.from([2]))),
    // Below 0x80, so that the serial number has the same length every time.
    integer(Buffer.concat([Buffer.from([0x5a]), randomBytes(15)])),
    ecdsaWithSha256,
    distinguishedName(issuer),
    sequence(time(new Date(Date.now() - SKEW_MILLISECONDS)), time(expiresAt)),
    distinguishedName(subject),
    publicKeyDer(publicKey),
    explicit(3, sequence(...extensions)),
  );
  const certificate = sequence(content, ecdsaWithSha256, bitString(sign('sha256', content, signingKey)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function distinguishedName(parts: readonly NamePart[]): Der {
  return sequence(...parts.map(([kind, value]) => set(sequence(objectIdentifier(attribute[kind]), utf8String(value)))));
}

function extension(identifier: string, isCritical: boolean, content: Der): Der {
  const critical = isCritical ? [boolean(true)] : [];
  return sequence(objectIdentifier(identifier), ...critical, octetString(content));
}

function basicConstraints(isAuthority: boolean): Der {
  return extension('2.5.29.19', true, isAuthority ? sequence(boolean(true)) : sequence());
}

function keyUsage(bits: readonly number[], unusedBits: number): Der {
  return extension('2.5.29.15', true, bitString(Buffer.from(bits), unusedBits));
}

function usableFor(purpose: string): Der {
  return extension('2.5.29.37', false, sequence(objectIdentifier(purpose)));
}

function alternativeNames(hosts: readonly string[]): Der {
  const names = hosts.map((host) => {
    const family = isIP(host);
    if (family === 0) return implicit(2, Buffer.from(host, 'ascii'));
    // The one IPv6 address that servers on this machine have is ::1.
    const bytes = family === 4 ? host.split('.').map(Number) : [...Array(15).fill(0), 1];
    return implicit(7, Buffer.from(bytes));
  });
  return extension('2.5.29.17', false, sequence(...names));
}
