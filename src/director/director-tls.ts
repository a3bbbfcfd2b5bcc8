import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, getCACertificates } from 'node:tls';
import { buildConnector } from 'undici';
import type { Logger } from '../domain/logger.ts';

/** How this service and the Director make sure of each other. Files are PEM. */
export interface DirectorTls {
  readonly skipCertificateVerification?: boolean | undefined;
  /** Authorities beside those that this process trusts anyway. */
  readonly authorityFile?: string | undefined;
  /** Shown to the gateway, which then knows who we are. */
  readonly clientCertificate?: { readonly certificateFile: string; readonly keyFile: string } | undefined;
}

const connectTimeoutMilliseconds = 10_000;

/** Content of the files, and when they were written, by which a change is noticed. */
interface Read {
  readonly version: string;
  readonly connector: buildConnector.connector;
}

/**
 * Makes connections with what the files hold when a connection is made, so that renewed certificates are used. A new
 * content that cannot be used is refused, and the last good one stays in force; without any, the connection fails.
 */
export function directorConnector(tls: DirectorTls, log: Logger): buildConnector.connector {
  let last: Read | undefined;
  let refused = '';
  return (options, callback) => void connect(options, callback);

  async function connect(...[options, callback]: Parameters<buildConnector.connector>): Promise<void> {
    let connector: buildConnector.connector;
    try {
      connector = await current();
    } catch (error) {
      return callback(error instanceof Error ? error : new Error(String(error)), null);
    }
    connector(options, callback);
  }

  async function current(): Promise<buildConnector.connector> {
    const version = await versionOf(tls);
    if (last && (last.version === version || refused === version)) return last.connector;
    try {
      last = { version, connector: await readConnector(tls) };
    } catch (error) {
      if (last === undefined) throw error;
      refused = version;
      log.warn({ err: error }, 'the new certificates for the Director cannot be used; the old ones stay in force');
    }
    return last.connector;
  }
}

/** Throws, naming the file, when it cannot be read or does not hold what it should. */
export async function checkDirectorTls(tls: DirectorTls): Promise<void> {
  await readConnector(tls);
}

async function readConnector(tls: DirectorTls): Promise<buildConnector.connector> {
  const { authorityFile, clientCertificate, skipCertificateVerification = false } = tls;
  const authority = authorityFile && (await read(authorityFile, /-----BEGIN (TRUSTED )?CERTIFICATE-----/));
  const identity = clientCertificate && {
    cert: await read(clientCertificate.certificateFile, /-----BEGIN CERTIFICATE-----/),
    key: await read(clientCertificate.keyFile, /-----BEGIN [A-Z ]*PRIVATE KEY-----/),
  };
  const secrets = {
    ...(authority && { ca: [...getCACertificates('default'), authority] }),
    ...identity,
  };
  try {
    createSecureContext(secrets);
  } catch (cause) {
    const { certificateFile = '', keyFile = '' } = clientCertificate ?? {};
    const files = [authorityFile, certificateFile, keyFile].filter(Boolean).join(', ');
    // OpenSSL's words hold no content.
    throw new Error(`cannot use ${files}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  return buildConnector({
    timeout: connectTimeoutMilliseconds,
    rejectUnauthorized: !skipCertificateVerification,
    ...secrets,
  });
}

async function read(path: string, expected: RegExp): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`cannot read ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
  if (!expected.test(text)) throw new Error(`${path} does not hold what it should, in PEM: ${expected.source}`);
  return text;
}

async function versionOf({ authorityFile, clientCertificate }: DirectorTls): Promise<string> {
  const paths = [authorityFile, clientCertificate?.certificateFile, clientCertificate?.keyFile];
  const times = await Promise.all(
    paths.map(
      async (path) =>
        path &&
        (await stat(path).then(
          ({ mtimeMs, ino }) => `${ino} ${mtimeMs}`,
          () => 'gone',
        )),
    ),
  );
  return times.join('/');
}
