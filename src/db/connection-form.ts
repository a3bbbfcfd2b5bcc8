import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** PostgreSQL's sslmode, with libpq's meaning. */
export const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof sslModes)[number];

export interface TransportSettings {
  readonly sslMode: SslMode;
  /** Path of a PEM file, or `system` for the certificate authorities that Node trusts (with verify-full only). */
  readonly sslRootCert?: string;
}

/** How one connection attempt is made: in clear, or over TLS with these options. */
export type ConnectionForm = false | ConnectionOptions;

/**
 * The forms to try, in order. `allow` tries in clear first, `prefer` encrypted first; both settle for the other.
 * `require` encrypts without asking who answers, unless a root certificate is given: then the chain is verified, as
 * libpq does. `verify-ca` verifies the chain, `verify-full` the host name too.
 */
export function connectionForms(settings: TransportSettings): readonly [ConnectionForm, ...ConnectionForm[]] {
  const { sslMode, sslRootCert } = settings;
  if (sslRootCert === 'system' && sslMode !== 'verify-full') {
    throw new Error(`sslmode ${sslMode} is too weak for the system's root certificates: use verify-full`);
  }
  switch (sslMode) {
    case 'disable':
      return [false];
    case 'allow':
      return [false, encrypted(sslRootCert)];
    case 'prefer':
      return [encrypted(sslRootCert), false];
    case 'require':
      return [encrypted(sslRootCert)];
    case 'verify-ca':
      return [{ ...verified(sslMode, sslRootCert), checkServerIdentity: () => undefined }];
    case 'verify-full':
      return [verified(sslMode, sslRootCert)];
  }
}

function encrypted(sslRootCert: string | undefined): ConnectionOptions {
  if (sslRootCert === undefined) return { rejectUnauthorized: false };
  return { ...verified('require', sslRootCert), checkServerIdentity: () => undefined };
}

function verified(sslMode: SslMode, sslRootCert: string | undefined): ConnectionOptions {
  if (sslRootCert === undefined) {
    throw new Error(`sslmode ${sslMode} needs a root certificate: give the path of a PEM file, or "system"`);
  }
  if (sslRootCert === 'system') return { rejectUnauthorized: true };
  return { rejectUnauthorized: true, ca: readFileSync(sslRootCert, 'utf8') };
}
