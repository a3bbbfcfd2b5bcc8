import { createPrivateKey, X509Certificate } from 'node:crypto';
import { parseDocument, stringify } from 'yaml';
import { Failure } from '../domain/failures.ts';
import { Secret } from '../domain/secret.ts';
import type { ClusterConnection, ClusterCredential } from './cluster-connection.ts';

export interface KubeconfigSource {
  readonly text: Secret;
  /** A context's name, or a choice among the names there are. Without it, `current-context`. */
  readonly context?: string | ((names: readonly string[]) => string | undefined);
  /** How a message names the kubeconfig, such as a path. */
  readonly source: string;
}

type Fields = Readonly<Record<string, unknown>>;

const cure =
  'write a self-contained one with `kubectl config view --flatten --minify` for a user with a token or a client certificate';

/**
 * A kubeconfig is code: it can name programs to run, files to read and proxies to trust. Only the fields below are
 * read, any other field stops the reading, and the reason is given in the message. The contents never are.
 */
const refusedClusterFields: Readonly<Record<string, string>> = {
  'certificate-authority': 'it names a file',
  'insecure-skip-tls-verify': 'it turns off the check of who answers',
  'proxy-url': 'it sends credentials through a proxy of its own',
};
const refusedUserFields: Readonly<Record<string, string>> = {
  exec: 'it names a program to run',
  'auth-provider': 'it names a plug-in to run',
  tokenFile: 'it names a file',
  'client-certificate': 'it names a file',
  'client-key': 'it names a file',
  username: 'basic authentication does not exist any more',
  password: 'basic authentication does not exist any more',
  as: 'it impersonates another user',
  'as-uid': 'it impersonates another user',
  'as-groups': 'it impersonates another user',
  'as-user-extra': 'it impersonates another user',
};
const readClusterFields = new Set(['server', 'certificate-authority-data', 'tls-server-name']);
const readUserFields = new Set(['token', 'client-certificate-data', 'client-key-data']);
const harmlessFields = new Set(['extensions', 'disable-compression']);

/** Throws KUBECONFIG_REFUSED that names the field at fault, why, and the cure. Opens no file and starts no program. */
export function parseKubeconfig({ text, context, source }: KubeconfigSource): ClusterConnection {
  const refuse = refuser(source);
  const root = readYaml(text, refuse);
  const names = entries(root, 'contexts', refuse).map((entry) => String(entry.name));
  const wanted = typeof context === 'function' ? context(names) : (context ?? stringField(root, 'current-context'));
  if (!wanted) throw refuse('contexts', 'no context is chosen and none is current');
  const chosen = named(root, 'contexts', 'context', wanted, refuse);
  const cluster = named(root, 'clusters', 'cluster', stringField(chosen, 'cluster'), refuse);
  const user = named(root, 'users', 'user', stringField(chosen, 'user'), refuse);
  allowOnly(cluster, 'cluster', readClusterFields, refusedClusterFields, refuse);
  allowOnly(user, 'user', readUserFields, refusedUserFields, refuse);

  const authority = pem(cluster, 'cluster', 'certificate-authority-data', refuse);
  const tlsServerName = stringField(cluster, 'tls-server-name');
  const namespace = stringField(chosen, 'namespace');
  return {
    server: readServer(cluster, refuse),
    ...(authority === undefined
      ? {}
      : { certificateAuthority: readCertificate(authority, 'cluster.certificate-authority-data', refuse) }),
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
    ...(namespace === undefined ? {} : { namespace }),
    credential: readCredential(user, refuse),
  };
}

/** A kubeconfig again, holding what was parsed and nothing else. `name` is that of its only context. */
export function sanitizedKubeconfig(connection: ClusterConnection, name: string): Secret {
  const { server, certificateAuthority, tlsServerName, namespace, credential } = connection;
  return new Secret(
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [
        {
          name,
          cluster: {
            server,
            ...(certificateAuthority && { 'certificate-authority-data': base64(certificateAuthority) }),
            ...(tlsServerName && { 'tls-server-name': tlsServerName }),
          },
        },
      ],
      contexts: [{ name, context: { cluster: name, user: name, ...(namespace && { namespace }) } }],
      users: [
        {
          name,
          user:
            credential.kind === 'token'
              ? { token: credential.token.reveal() }
              : {
                  'client-certificate-data': base64(credential.certificate),
                  'client-key-data': base64(credential.key.reveal()),
                },
        },
      ],
    }),
  );
}

type Refuse = (field: string, why: string) => Failure;

function refuser(source: string): Refuse {
  return (field, why) =>
    new Failure('KUBECONFIG_REFUSED', `kubeconfig ${source} is refused because of ${field}: ${why}; ${cure}`);
}

function readYaml(text: Secret, refuse: Refuse): Fields {
  // Anything the YAML parser says quotes the text, which holds credentials: only the line number is passed on.
  const document = parseDocument(text.reveal(), { prettyErrors: false, strict: true, uniqueKeys: true });
  const [mistake] = document.errors;
  if (mistake) {
    const line = text.reveal().slice(0, mistake.pos[0]).split('\n').length;
    throw refuse(`line ${line}`, 'it is not YAML');
  }
  let root: unknown;
  try {
    root = document.toJS({ maxAliasCount: 0 });
  } catch {
    throw refuse('its aliases', 'a kubeconfig has no use for YAML aliases');
  }
  if (!isFields(root)) throw refuse('its contents', 'it is empty or not a mapping');
  if (root.kind !== undefined && root.kind !== 'Config') throw refuse('kind', 'it is not Config');
  return root;
}

function readServer(cluster: Fields, refuse: Refuse): string {
  const server = stringField(cluster, 'server');
  if (!server || !URL.canParse(server)) throw refuse('cluster.server', 'it is missing or not a URL');
  const url = new URL(server);
  if (url.protocol !== 'https:') throw refuse('cluster.server', 'it is not https');
  if (url.username || url.password || url.search || url.hash) {
    throw refuse('cluster.server', 'it holds more than a host, a port and a path');
  }
  return url.href.replace(/\/+$/, '');
}

function readCredential(user: Fields, refuse: Refuse): ClusterCredential {
  const certificate = pem(user, 'user', 'client-certificate-data', refuse);
  const key = pem(user, 'user', 'client-key-data', refuse);
  if (certificate !== undefined && key !== undefined) {
    const pair = readCertificate(certificate, 'user.client-certificate-data', refuse);
    try {
      if (new X509Certificate(pair).checkPrivateKey(createPrivateKey(key))) {
        return { kind: 'clientCertificate', certificate: pair, key: new Secret(key) };
      }
    } catch {
      throw refuse('user.client-key-data', 'it is not an unencrypted private key in PEM');
    }
    throw refuse('user.client-key-data', 'it is not the key of the client certificate');
  }
  if (certificate !== undefined || key !== undefined) {
    throw refuse('user', 'client-certificate-data and client-key-data belong together');
  }
  const token = user.token;
  if (token === undefined) throw refuse('user', 'it holds neither a token nor a client certificate');
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw refuse('user.token', 'it is empty or has characters that no token has');
  }
  return { kind: 'token', token: new Secret(token) };
}

function readCertificate(text: string, field: string, refuse: Refuse): string {
  try {
    new X509Certificate(text);
    return text;
  } catch {
    throw refuse(field, 'it is not a certificate in PEM');
  }
}

function pem(from: Fields, where: string, field: string, refuse: Refuse): string | undefined {
  const value = from[field];
  if (value === undefined || value === null || value === '') return undefined;
  const compact = typeof value === 'string' ? value.replace(/\s+/g, '') : '';
  const decoded = Buffer.from(compact, 'base64').toString('utf8');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || !decoded.includes('-----BEGIN ')) {
    throw refuse(`${where}.${field}`, 'it is not PEM in base64');
  }
  return decoded;
}

function allowOnly(
  fields: Fields,
  where: string,
  read: ReadonlySet<string>,
  refused: Readonly<Record<string, string>>,
  refuse: Refuse,
): void {
  for (const [name, value] of Object.entries(fields)) {
    if (read.has(name) || harmlessFields.has(name) || value === null || value === '' || value === false) continue;
    const why = Object.hasOwn(refused, name) ? refused[name] : undefined;
    if (why) throw refuse(`${where}.${name}`, why);
    throw refuse(/^[a-zA-Z-]{1,40}$/.test(name) ? `${where}.${name}` : `a field of ${where}`, 'it is not known');
  }
}

function named(root: Fields, list: string, inner: string, name: string | undefined, refuse: Refuse): Fields {
  const found = entries(root, list, refuse).filter((entry) => entry.name === name);
  const [entry] = found;
  if (name === undefined || !entry) throw refuse(list, `the one that is referred to does not exist`);
  if (found.length > 1) throw refuse(list, 'two have the same name');
  const fields = entry[inner];
  if (!isFields(fields)) throw refuse(list, `an entry has no ${inner}`);
  return fields;
}

function entries(root: Fields, list: string, refuse: Refuse): readonly Fields[] {
  const value = root[list];
  if (!Array.isArray(value) || !value.every(isFields)) throw refuse(list, 'it is missing or not a list');
  return value;
}

function stringField(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
