import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildKubeconfig } from '../../landscape/kubernetes/kubeconfig.ts';
import { createCertificateAuthority } from '../../landscape/tls/certificate-authority.ts';
import { Secret } from '../../src/domain/secret.ts';
import { kubernetesClient } from '../../src/kubernetes/client.ts';
import { parseKubeconfig } from '../../src/kubernetes/kubeconfig.ts';
import { eventually } from '../harness/eventually.ts';
import type { BareApiServer } from './shoot-api-world.ts';

/** Kubernetes takes its time to start on a busy machine. */
const startPatience = { within: 120_000 };

/**
 * Starts `etcd` and `kube-apiserver` out of a folder, as Kubernetes' own test tools lay them out: fresh, on ports of
 * their own, with certificates made here, and with nothing in them but what an API server brings itself.
 */
export async function startRealApiServer({ assets }: { assets: string }): Promise<BareApiServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'real-api-server-'));
  const file = (name: string) => path.join(folder, name);
  const [etcdPort, peerPort, apiPort] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;

  const authority = createCertificateAuthority({ name: 'real-api-server' });
  const serving = authority.issueServerCertificate();
  const identity = { user: 'admin', groups: ['system:masters'], api: 'real', lifetimeSeconds: 3600 };
  const admin = authority.issueClientCertificate(identity);
  // For tokens of service accounts, of which there will be none; kube-apiserver insists on it.
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  await Promise.all([
    writeFile(file('ca.crt'), authority.certificate),
    writeFile(file('server.crt'), serving.certificate),
    writeFile(file('server.key'), serving.key, { mode: 0o600 }),
    writeFile(file('service-account.key'), privateKey, { mode: 0o600 }),
  ]);

  const etcd = launch(path.join(assets, 'etcd'), [
    ...['--name=test', `--data-dir=${file('etcd')}`, '--unsafe-no-fsync=true'],
    ...[`--listen-client-urls=${etcdUrl}`, `--advertise-client-urls=${etcdUrl}`],
    ...[
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=test=${peerUrl}`,
    ],
  ]);
  const api = launch(path.join(assets, 'kube-apiserver'), [
    ...[`--etcd-servers=${etcdUrl}`, '--bind-address=127.0.0.1', `--secure-port=${apiPort}`],
    ...[
      '--advertise-address=127.0.0.1',
      '--service-cluster-ip-range=10.0.0.0/24',
      `--cert-dir=${file('certificates')}`,
    ],
    ...[`--tls-cert-file=${file('server.crt')}`, `--tls-private-key-file=${file('server.key')}`],
    ...[`--client-ca-file=${file('ca.crt')}`, '--authorization-mode=RBAC'],
    ...['--service-account-issuer=https://kubernetes.default.svc'],
    `--service-account-key-file=${file('service-account.key')}`,
    `--service-account-signing-key-file=${file('service-account.key')}`,
    // No controller makes the service accounts that this plug-in waits for.
    '--disable-admission-plugins=ServiceAccount',
  ]);
  const stop = async () => {
    await api.stop();
    await etcd.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const kubeconfig = buildKubeconfig({
    name: 'real',
    server: `https://127.0.0.1:${apiPort}`,
    authority: authority.certificate,
    credential: { kind: 'certificate', certificate: admin.certificate, key: admin.key },
  });
  const waiting = new AbortController();
  try {
    await Promise.race([untilServing(kubeconfig, waiting.signal), etcd.ended, api.ended]);
  } catch (error) {
    waiting.abort();
    await stop();
    throw error;
  }
  return { kubeconfig, stop };
}

/** The namespace `default` is among the last that an API server makes for itself. */
async function untilServing(kubeconfig: string, signal: AbortSignal): Promise<void> {
  const connection = parseKubeconfig({ text: new Secret(kubeconfig), source: 'of the API server' });
  const client = kubernetesClient({ connection, fieldManager: 'test' });
  const reference = { apiVersion: 'v1', plural: 'namespaces', namespaced: false, name: 'default' };
  try {
    const answers = () => client.get(reference).catch(() => undefined);
    await eventually('the API server answers', async () => signal.aborted || answers(), startPatience);
  } finally {
    await client.close();
  }
}

interface Program {
  /** Rejects when it ends, with its last words. */
  readonly ended: Promise<never>;
  stop(): Promise<void>;
}

function launch(file: string, parameters: readonly string[]): Program {
  const child = spawn(file, [...parameters], { stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(-4_000);
  });
  const { promise: ended, reject } = Promise.withResolvers<never>();
  child.once('error', reject);
  child.once('exit', (code, signal) => reject(new Error(`${file} ended with ${code ?? signal}: ${words}`)));
  // Nobody may be waiting when it is stopped.
  ended.catch(() => undefined);
  return {
    ended,
    async stop() {
      const patience = setTimeout(() => child.kill('SIGKILL'), 10_000);
      child.kill('SIGTERM');
      await ended.catch(() => undefined);
      clearTimeout(patience);
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('there is no free port');
  return address.port;
}
