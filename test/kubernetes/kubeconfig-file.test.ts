import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { stringify } from 'yaml';
import type { AmbientSettings } from '../../src/kubernetes/ambient-connection.ts';
import { ambientConnection } from '../../src/kubernetes/ambient-connection.ts';
import type { ClusterConnection } from '../../src/kubernetes/cluster-connection.ts';
import { kubeconfigFile } from '../../src/kubernetes/kubeconfig-file.ts';

let directory: string;
before(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kubeconfig-file-'));
});
after(() => rm(directory, { recursive: true, force: true }));

function kubeconfig(token: string, server = 'https://api.example'): string {
  return stringify({
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    clusters: [{ name: 'a', cluster: { server } }],
    users: [{ name: 'a', user: { token } }],
  });
}

/** As a mounted Secret is replaced: at once, never half. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

function tokenOf({ credential }: ClusterConnection): string | undefined {
  return credential.kind === 'token' ? credential.token.reveal() : undefined;
}

test('a kubeconfig file is read again when it changes, and only then', async () => {
  const file = path.join(directory, 'changing.yaml');
  await writeFile(file, kubeconfig('one'));
  const source = kubeconfigFile({ path: file });
  const first = await source.current();
  assert.equal(tokenOf(first), 'one');
  assert.equal(await source.current(), first);
  await replace(file, kubeconfig('one'));
  assert.equal(await source.current(), first, 'the same content must not cost new connections');
  await replace(file, kubeconfig('two'));
  assert.equal(tokenOf(await source.current()), 'two');
});

test('a connection that was refused is read again, and is the same when the file is', async () => {
  const file = path.join(directory, 'refused.yaml');
  await writeFile(file, kubeconfig('one'));
  const source = kubeconfigFile({ path: file });
  const first = await source.current();
  assert.equal(await source.current({ rejected: first }), first);
  await replace(file, kubeconfig('two'));
  assert.equal(tokenOf(await source.current({ rejected: first })), 'two');
});

test('while a new content cannot be used, what worked goes on working', async () => {
  const file = path.join(directory, 'broken.yaml');
  await writeFile(file, kubeconfig('one'));
  const source = kubeconfigFile({ path: file });
  const first = await source.current();
  await replace(file, 'users: [');
  assert.equal(await source.current(), first);
  await rm(file);
  assert.equal(await source.current(), first);
  await assert.rejects(source.current({ rejected: first }), (error: Error) => error.name === 'Error');
});

test('a file that never worked says what is wrong with it', async () => {
  const missing = kubeconfigFile({ path: path.join(directory, 'missing.yaml') });
  await assert.rejects(missing.current(), {
    code: 'KUBECONFIG_REFUSED',
    message: /missing\.yaml cannot be read: ENOENT/,
  });
});

test('the ambient cluster is that of KUBECONFIG, of the container, or of the home folder, in this order', async () => {
  const home = path.join(directory, 'home');
  const serviceAccountDirectory = path.join(directory, 'serviceaccount');
  await mkdir(path.join(home, '.kube'), { recursive: true });
  await mkdir(serviceAccountDirectory);
  await writeFile(path.join(home, '.kube', 'config'), kubeconfig('of-home'));
  await writeFile(path.join(serviceAccountDirectory, 'token'), 'of-container\n');
  await writeFile(path.join(serviceAccountDirectory, 'ca.crt'), 'ca');
  const file = path.join(directory, 'named.yaml');
  await writeFile(file, kubeconfig('of-file'));

  const ambient = async (settings: Partial<AmbientSettings>) => {
    const source = await ambientConnection({
      kubeconfig: undefined,
      serviceHost: undefined,
      servicePort: undefined,
      homeDirectory: home,
      serviceAccountDirectory,
      ...settings,
    });
    return source.current();
  };
  const inContainer = { serviceHost: '10.0.0.1', servicePort: '6443' };
  assert.equal(tokenOf(await ambient({ ...inContainer, kubeconfig: `/nowhere${path.delimiter}${file}` })), 'of-file');
  const container = await ambient(inContainer);
  assert.equal(tokenOf(container), 'of-container');
  assert.equal(container.server, 'https://10.0.0.1:6443');
  assert.equal(container.certificateAuthority, 'ca');
  assert.equal((await ambient({ ...inContainer, serviceHost: 'fd00::1' })).server, 'https://[fd00::1]:6443');
  assert.equal(tokenOf(await ambient({})), 'of-home');
  await assert.rejects(ambient({ homeDirectory: directory }), /no Kubernetes cluster is known/);
  await assert.rejects(ambient({ kubeconfig: '/nowhere' }), /KUBECONFIG names \/nowhere, which does not exist/);
});
