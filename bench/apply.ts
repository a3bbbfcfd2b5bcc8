// How fast a large module is applied (200 objects, ten of them definitions of 300 KB each), beside what the API server
// takes at most: the same objects in a bare loop of concurrent PATCH requests, which waits for nothing but the namespace
// and asks for nothing twice. The server is a process of its own, and each run has a cluster of its own.
// `-- --rounds 15 --objects 200 --definitions 10 --definition-bytes 300000`
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { stringify } from 'yaml';
import type { KymaInstallation } from '../src/domain/kyma-config.ts';
import { Secret } from '../src/domain/secret.ts';
import { kubernetesClient } from '../src/kubernetes/client.ts';
import type { ClusterConnection } from '../src/kubernetes/cluster-connection.ts';
import { parseKubeconfig } from '../src/kubernetes/kubeconfig.ts';
import type { KubernetesObject } from '../src/kubernetes/kubernetes-client.ts';
import { objectPath } from '../src/kubernetes/resource-path.ts';
import { Artifacts } from '../src/kyma/artifacts.ts';
import { modulesInstaller } from '../src/kyma/modules/modules-installer.ts';
import { wellKnownKind } from '../src/kyma/modules/well-known-kinds.ts';
import { createLog } from '../src/observability/log.ts';
import { largeManifest, largeModuleResource } from './large-module.ts';
import { percentile } from './percentile.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    objects: { type: 'string', default: '200' },
    definitions: { type: 'string', default: '10' },
    'definition-bytes': { type: 'string', default: '300000' },
  },
});
const target = 0.8;
const rounds = Number(options.rounds);
const log = createLog({ level: 'warn' });
const fieldManager = 'runtime-provisioner';
await using resources = new AsyncDisposableStack();

const manifest = largeManifest({
  definitions: Number(options.definitions),
  definitionBytes: Number(options['definition-bytes']),
  objects: Number(options.objects),
});
const [apiVersion, kind] = [largeModuleResource.apiVersion, largeModuleResource.kind];
const { name, namespace } = largeModuleResource;
const resource: KubernetesObject = { apiVersion, kind, metadata: { name, namespace }, spec: { field0000: 'x' } };
const folder = mkdtempSync(path.join(os.tmpdir(), 'apply-bench-'));
resources.defer(() => rmSync(folder, { recursive: true }));
const hosts = new Set<string>();
const artifacts = new Artifacts({
  ...{ privateAddresses: 'refused', mirror: pathToFileURL(folder), log },
  trustedHosts: async () => ({ artifacts: hosts, redirects: hosts }),
  limits: { bytes: 64 * 1024 * 1024, cacheBytes: 256 * 1024 * 1024 },
});
resources.defer(() => artifacts.close());
const installer = modulesInstaller({ artifacts, fieldManager, warnings: 'accept', log });
const plannedModule = {
  ...{ name: 'bench', version: '1.0.0', namespace, requires: [], resource: largeModuleResource },
  manifest: publish('manifest.yaml', manifest),
  defaultResource: publish('resource.yaml', [resource]),
  manager: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'bench-manager', namespace },
};
const installation: KymaInstallation = {
  ...{ config: { version: '1.0.0', components: [] }, installer: 'modules' },
  plan: { version: 1, release: '1.0.0', modules: [plannedModule] },
};

const bareConnections = [2, 4, 8];
const connections = await startServers(1 + rounds * (1 + bareConnections.length));
const bytes = manifest.reduce((sum, object) => sum + JSON.stringify(object).length, 0);
console.log(`${manifest.length + 1} objects, ${(bytes / 1e6).toFixed(1)} MB as JSON, on ${os.cpus().length} cores`);
console.log(`the first one, with reading and checking the manifest: ${Math.round(await install(nextConnection()))} ms`);
const ours: number[] = [];
const bare = new Map(bareConnections.map((count): [number, number[]] => [count, []]));
for (let round = 0; round < rounds; round++) {
  ours.push(await install(nextConnection()));
  for (const [count, times] of bare) times.push(await patchAll(nextConnection(), count));
}
const median = (times: readonly number[]) => percentile(times, 50);
// What is slower is the doing of whatever else runs on the machine.
const fastest = (times: readonly number[]) => Math.min(...times);
const perSecond = (times: readonly number[]) => Math.round((manifest.length + 1) / (fastest(times) / 1_000));
const line = (what: string, times: readonly number[]) =>
  console.log(
    `${what.padEnd(34)} ${fastest(times).toFixed(0).padStart(6)} ${median(times).toFixed(0).padStart(8)} ${perSecond(times).toString().padStart(11)}`,
  );
console.log('milliseconds                      fastest   median   objects/s');
line('our installer, 2 connections', ours);
for (const [count, times] of bare) line(`a bare loop over ${count} connections`, times);
const best = Math.min(...[...bare.values()].map(fastest));
const ratio = best / fastest(ours);
console.log(`${(ratio * 100).toFixed(0)} % of the rate of the best bare loop; the target is ${target * 100} %`);
process.exitCode = ratio >= target ? 0 : 1;

/** As it is done for a Runtime: with the client of the service, and all in the safe order. */
async function install(connection: ClusterConnection): Promise<number> {
  const cluster = kubernetesClient({ connection, fieldManager, maxConnections: 2 });
  const startedAt = performance.now();
  await installer.install({ cluster, installation, signal: AbortSignal.timeout(120_000) });
  const took = performance.now() - startedAt;
  await cluster.close();
  return took;
}

/** The custom resource comes last, and again until its kind is served. */
async function patchAll(connection: ClusterConnection, count: number): Promise<number> {
  const { certificateAuthority: ca, credential } = connection;
  if (credential.kind !== 'clientCertificate' || ca === undefined) throw new Error('there is no client certificate');
  const url = new URL(connection.server);
  const connect = { ca, cert: credential.certificate, key: credential.key.reveal() };
  const pool = new Pool(url.origin, { connections: count, connect });
  const patch = async (object: KubernetesObject) => {
    const known = wellKnownKind(object) ?? { apiVersion, plural: `${kind.toLowerCase()}s`, namespaced: true };
    const { name: own = '', namespace: place } = object.metadata;
    const where = objectPath({ ...known, name: own, ...(place !== undefined && { namespace: place }) });
    const query = `fieldManager=${fieldManager}&fieldValidation=Strict&force=true`;
    const answer = await pool.request({
      ...{ method: 'PATCH', path: `${url.pathname}${where}?${query}`, body: JSON.stringify(object) },
      headers: { 'content-type': 'application/apply-patch+yaml' },
    });
    await answer.body.text();
    return answer.statusCode;
  };
  const startedAt = performance.now();
  const [first, ...others] = manifest;
  if (first) await patch(first);
  let next = 0;
  const worker = async () => {
    for (let object = others[next++]; object; object = others[next++]) {
      const status = await patch(object);
      if (status > 201) throw new Error(`${object.kind} ${object.metadata.name}: HTTP ${status}`);
    }
  };
  await Promise.all(Array.from({ length: count }, worker));
  while ((await patch(resource)) === 404);
  const took = performance.now() - startedAt;
  await pool.close();
  return took;
}

function publish(file: string, objects: readonly KubernetesObject[]) {
  const content = objects.map((object) => stringify(object)).join('---\n');
  const where = path.join(folder, 'bench.example.com', file);
  mkdirSync(path.dirname(where), { recursive: true });
  writeFileSync(where, content);
  return { url: `https://bench.example.com/${file}`, sha256: createHash('sha256').update(content).digest('hex') };
}

async function startServers(count: number): Promise<ClusterConnection[]> {
  const child = fork(fileURLToPath(new URL('apply-server.ts', import.meta.url)), [String(count)]);
  resources.defer(() => child.disconnect());
  const kubeconfigs = await new Promise<string[]>((resolve, reject) => {
    child.once('message', (message) => resolve(message as string[]));
    child.once('exit', (code) => reject(new Error(`the servers ended with ${code}`)));
  });
  return kubeconfigs.map((text) => parseKubeconfig({ text: new Secret(text), source: 'the benchmark' }));
}

function nextConnection(): ClusterConnection {
  const connection = connections.pop();
  if (!connection) throw new Error('there are too few servers');
  return connection;
}
