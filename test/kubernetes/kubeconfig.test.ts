import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { parse, stringify } from 'yaml';
import { createCertificateAuthority } from '../../landscape/tls/certificate-authority.ts';
import { Failure } from '../../src/domain/failures.ts';
import { Secret } from '../../src/domain/secret.ts';
import { parseKubeconfig, sanitizedKubeconfig } from '../../src/kubernetes/kubeconfig.ts';

const canary = 'canary-6f1d0c';
const authority = createCertificateAuthority({ name: 'test' });
const pair = authority.issueServerCertificate();
const otherPair = authority.issueServerCertificate();

const base64 = (text: string) => Buffer.from(text).toString('base64');

function kubeconfig({ cluster = {}, user = {}, ...root }: Record<string, object> = {}): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'c', user: 'u', namespace: 'garden-dev' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://api.example:6443/garden', ...cluster } }],
    users: [{ name: 'u', user: { token: `token-${canary}`, ...user } }],
    ...root,
  });
}

function read(text: string, context?: string) {
  return parseKubeconfig({ text: new Secret(text), source: 'test.yaml', ...(context !== undefined && { context }) });
}

function refusal(text: string): Failure {
  try {
    read(text);
  } catch (error) {
    assert.ok(error instanceof Failure);
    assert.equal(error.code, 'KUBECONFIG_REFUSED');
    return error;
  }
  throw new assert.AssertionError({ message: 'the kubeconfig was accepted' });
}

test('a token kubeconfig is read with its path prefix, and its token does not show', () => {
  const connection = read(kubeconfig());
  assert.equal(connection.server, 'https://api.example:6443/garden');
  assert.equal(connection.namespace, 'garden-dev');
  assert.ok(connection.credential.kind === 'token');
  assert.equal(connection.credential.token.reveal(), `token-${canary}`);
  assert.ok(!inspect(connection, { depth: 9 }).includes(canary));
  assert.ok(!JSON.stringify(connection).includes(canary));
});

test('a client certificate is read together with its key and authority', () => {
  const user = {
    token: undefined,
    'client-certificate-data': base64(pair.certificate),
    'client-key-data': base64(pair.key),
  };
  const connection = read(kubeconfig({ user, cluster: { 'certificate-authority-data': base64(pair.certificate) } }));
  assert.equal(connection.certificateAuthority, pair.certificate);
  assert.ok(connection.credential.kind === 'clientCertificate');
  assert.equal(connection.credential.key.reveal(), pair.key);
});

test('what is written again has nothing that was not parsed, and reads the same', () => {
  const extras = { cluster: { extensions: [{ name: 'x', extension: { note: 'dropped' } }], 'tls-server-name': 'api' } };
  const connection = read(kubeconfig(extras));
  const written = sanitizedKubeconfig(connection, 'c-1').reveal();
  assert.deepEqual(read(written), connection);
  assert.ok(!written.includes('dropped'));
  assert.deepEqual(Object.keys(parse(written)), [
    'apiVersion',
    'kind',
    'current-context',
    'clusters',
    'contexts',
    'users',
  ]);
});

test('the context can be chosen by name or among the names', () => {
  const contexts = [
    { name: 'a', context: { cluster: 'c', user: 'u' } },
    { name: 'b-external', context: { cluster: 'c', user: 'u', namespace: 'of-b' } },
  ];
  const text = new Secret(kubeconfig({ contexts }));
  assert.equal(parseKubeconfig({ text, source: 't', context: 'b-external' }).namespace, 'of-b');
  const context = (names: readonly string[]) => names.find((name) => name.endsWith('-external'));
  assert.equal(parseKubeconfig({ text, source: 't', context }).namespace, 'of-b');
});

test('a dangerous user of another context is never looked at', () => {
  const users = [
    { name: 'u', user: { token: 'harmless' } },
    { name: 'v', user: { exec: { command: 'sh' } } },
  ];
  assert.equal(read(kubeconfig({ users })).credential.kind, 'token');
});

describe('what a kubeconfig must not hold is refused by name, with the cure, and nothing happens', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'kubeconfig-'));
  const trace = path.join(directory, 'trace');
  const file = path.join(directory, 'secret.pem');
  writeFileSync(file, canary);
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

  const users: Record<string, object> = {
    exec: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: [trace] } },
    'auth-provider': { 'auth-provider': { name: 'gcp', config: { 'cmd-path': '/usr/bin/touch', 'cmd-args': trace } } },
    tokenFile: { tokenFile: file },
    'client-certificate': { 'client-certificate': file },
    'client-key': { 'client-key': file },
    username: { username: 'admin', password: canary },
    as: { as: 'system:admin' },
    'as-groups': { 'as-groups': ['system:masters'] },
    'as-user-extra': { 'as-user-extra': { a: ['b'] } },
    'plug-in-of-tomorrow': { 'plug-in-of-tomorrow': { command: 'touch' } },
  };
  for (const [field, user] of Object.entries(users)) {
    test(`user.${field}`, () => {
      const { message } = refusal(kubeconfig({ user }));
      assert.ok(message.includes(`user.${field}: `), message);
      assert.match(message, /kubectl config view --flatten --minify/);
      assert.ok(!message.includes(canary));
      assert.equal(existsSync(trace), false);
    });
  }

  const clusters: Record<string, object> = {
    'certificate-authority': { 'certificate-authority': file },
    'insecure-skip-tls-verify': { 'insecure-skip-tls-verify': true },
    'proxy-url': { 'proxy-url': 'http://169.254.169.254' },
    server: { server: 'http://api.example' },
  };
  for (const [field, cluster] of Object.entries(clusters)) {
    test(`cluster.${field}`, () => {
      assert.ok(refusal(kubeconfig({ cluster })).message.includes(`cluster.${field}: `));
    });
  }

  const servers = ['file:///etc/passwd', 'https://user:pw@api.example', 'https://api.example/?x=1', 'api', ''];
  for (const server of servers) {
    test(`server "${server}"`, () => {
      const { message } = refusal(kubeconfig({ cluster: { server } }));
      assert.ok(message.includes('cluster.server') && !message.includes('pw@'));
    });
  }
});

describe('what cannot be used is refused without quoting it', () => {
  const broken: Record<string, () => string> = {
    'text that is not YAML': () => `users: [ { ${canary}`,
    'a list': () => `- ${canary}`,
    nothing: () => '',
    'another kind': () => kubeconfig().replace('kind: Config', `kind: ${canary}`),
    'no context': () => kubeconfig({ contexts: [] }),
    'two users of one name': () =>
      kubeconfig({
        users: [
          { name: 'u', user: { token: canary } },
          { name: 'u', user: { token: canary } },
        ],
      }),
    'duplicate keys': () => `${kubeconfig()}\nkind: Config\n`,
    'no credential': () => kubeconfig({ user: { token: undefined } }),
    'a token with a line break (a second header)': () => kubeconfig({ user: { token: `${canary}\nx-injected: 1` } }),
    'a certificate that is none': () =>
      kubeconfig({ user: { 'client-certificate-data': base64(canary), 'client-key-data': base64(canary) } }),
    'a certificate without a key': () => kubeconfig({ user: { 'client-certificate-data': base64(pair.certificate) } }),
    "another certificate's key": () =>
      kubeconfig({
        user: {
          'client-certificate-data': base64(pair.certificate),
          'client-key-data': base64(otherPair.key),
        },
      }),
    'a key that is cut off': () =>
      kubeconfig({
        user: {
          'client-certificate-data': base64(pair.certificate),
          'client-key-data': base64(pair.key.slice(0, 90)),
        },
      }),
    'an authority that is none': () => kubeconfig({ cluster: { 'certificate-authority-data': canary } }),
    'aliases that multiply': () =>
      `a: &a [x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nkind: *c\n${canary}: 1`,
    'a prototype': () => `__proto__: { "current-context": a }\n${kubeconfig({ contexts: [] })}`,
  };
  for (const [what, text] of Object.entries(broken)) {
    test(what, () => {
      const { message, cause } = refusal(text());
      assert.match(message, /^kubeconfig test\.yaml is refused because of /);
      assert.ok(!message.includes(canary), message);
      assert.equal(cause, undefined, 'a cause could quote the text in a log');
    });
  }
});
