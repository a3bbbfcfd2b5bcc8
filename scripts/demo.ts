// `npm run demo`: a landscape, the service and one Runtime carried through its life, with the commands to go on by hand.
// `-- --exit` deprovisions at the end and exits 0 only if every step succeeded; `-- --pace instant` skips the waiting.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startLandscape } from '../landscape/landscape.ts';
import { paceNames } from '../landscape/pace.ts';
import { removeDirectory } from '../src/db/embedded/data-directory.ts';
import { Secret } from '../src/domain/secret.ts';
import { kubernetesClient } from '../src/kubernetes/client.ts';
import { parseKubeconfig } from '../src/kubernetes/kubeconfig.ts';
import { provisionRuntime, runtimeStatusQuery } from './demo/documents.ts';
import { freePort } from './demo/free-port.ts';
import {
  call,
  followOperation,
  type OperationStatus,
  type ProvisionerApi,
  type RuntimeStatus,
} from './demo/provisioner-api.ts';
import { startService } from './demo/service-process.ts';
import { readOptions, refuseOptions } from './read-options.ts';

const usage = `usage: npm run demo -- [--exit] [--pace ${paceNames.join('|')}]
  --exit   deprovisions the Runtime in the end and exits, with 0 only if every step succeeded
  --pace   how long the clouds of the landscape take; demo (seconds) unless given`;
const options = readOptions({
  usage,
  options: { exit: { type: 'boolean', default: false }, pace: { type: 'string', default: 'demo' } },
});
const pace =
  paceNames.find((name) => name === options.pace) ??
  refuseOptions(`--pace ${options.pace}: ${paceNames.join(', ')} are possible`);
const directory = path.resolve('.data/demo');
const startedAt = Date.now();

process.exitCode = await runDemo();

async function runDemo(): Promise<number> {
  // The landscape keeps its clouds in memory, so what an earlier demo stored would describe clusters that are gone.
  await removeDirectory(path.join(directory, 'postgres'));
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('interrupted'));
  });
  // A terminal that was closed takes no more words; what runs is stopped all the same.
  process.stdout.on('error', () => undefined);

  say('Starting the landscape: a Garden, a Director and an artifact store on this machine');
  const landscape = await startLandscape({ directory: path.join(directory, 'landscape'), pace });
  let service: Awaited<ReturnType<typeof startService>> | undefined;
  try {
    const port = await freePort(3000);
    const origin = `http://127.0.0.1:${port}`;
    const logFile = path.join(directory, 'service.log');
    say(`Starting the service with an embedded PostgreSQL (log: ${relative(logFile)})`);
    service = await startService({
      origin,
      logFile,
      environment: {
        ...landscape.environment,
        APP_ADDRESS: `127.0.0.1:${port}`,
        APP_METRICS_ADDRESS: `127.0.0.1:${await freePort(9000)}`,
        APP_DATABASE_EMBEDDED_PATH: path.join(directory, 'postgres'),
      },
    });
    const api: ProvisionerApi = { endpoint: `${origin}/graphql`, tenant: 'demo' };
    const outcome = await Promise.race([carryThroughLife(api, origin), interrupted, service.exited]);
    if (outcome === 'stay') {
      const end = await Promise.race([interrupted, service.exited]);
      return end === 'interrupted' ? 0 : 1;
    }
    return outcome === 'finished' ? 0 : 1;
  } catch (error) {
    say(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    say('Stopping');
    await service?.stop();
    await landscape.stop();
  }
}

async function carryThroughLife(api: ProvisionerApi, origin: string): Promise<'stay' | 'finished'> {
  say(`Provisioning a Runtime: mutation provisionRuntime at ${api.endpoint}, tenant ${api.tenant}`);
  const accepted = await call<{ provisionRuntime: OperationStatus }>(api, provisionRuntime);
  const { id: operationId, runtimeID } = accepted.provisionRuntime;
  console.log(`          operation ${operationId}\n          Runtime   ${runtimeID}`);
  succeeded(await followOperation(api, operationId, showProgress));

  const { runtimeStatus } = await call<{ runtimeStatus: RuntimeStatus }>(api, runtimeStatusQuery, { id: runtimeID });
  const { clusterConfig, kubeconfig } = runtimeStatus.runtimeConfiguration;
  say(
    `Runtime is ${runtimeStatus.runtimeConnectionStatus.status}: Shoot ${clusterConfig.name} in ${clusterConfig.region}, Kubernetes ${clusterConfig.kubernetesVersion}`,
  );
  const kubeconfigFile = path.join(directory, 'runtime.kubeconfig');
  writeFileSync(kubeconfigFile, kubeconfig, { mode: 0o600 });
  await lookInside(kubeconfig);

  if (options.exit) {
    say('Deprovisioning the Runtime');
    const { deprovisionRuntime } = await call<{ deprovisionRuntime: string }>(
      api,
      'mutation ($id: String!) { deprovisionRuntime(id: $id) }',
      { id: runtimeID },
    );
    succeeded(await followOperation(api, deprovisionRuntime, showProgress));
    return 'finished';
  }
  explainHowToGoOn(api, origin, runtimeID, kubeconfigFile);
  return 'stay';
}

/** Uses the kubeconfig as its owner would. */
async function lookInside(kubeconfig: string): Promise<void> {
  const connection = parseKubeconfig({ text: new Secret(kubeconfig), source: 'runtimeStatus' });
  const cluster = kubernetesClient({ connection, fieldManager: 'demo' });
  try {
    const namespaces = await cluster.list({ apiVersion: 'v1', plural: 'namespaces', namespaced: false });
    say(`Namespaces of the new cluster: ${namespaces.items.map((item) => item.metadata.name).join(', ')}`);
    const istio = await cluster.discover('operator.kyma-project.io/v1alpha2', 'Istio');
    if (istio === undefined) throw new Error('the module istio is not installed');
    const installed = await cluster.list(istio);
    for (const { kind, metadata, status } of installed.items) {
      say(`Installed module: ${kind} ${metadata.namespace}/${metadata.name} is ${(status as { state: string }).state}`);
    }
  } finally {
    await cluster.close();
  }
}

function explainHowToGoOn(api: ProvisionerApi, origin: string, runtimeID: string, kubeconfigFile: string): void {
  const garden = path.join(directory, 'landscape', 'garden.kubeconfig');
  console.log(`
How to go on
  GraphQL endpoint   ${api.endpoint}   (header tenant: ${api.tenant})
  GraphiQL           ${origin}/
  curl               curl -s ${api.endpoint} -H 'content-type: application/json' -H 'tenant: ${api.tenant}' \\
                       -d '{"query":"{ runtimeStatus(id: \\"${runtimeID}\\") { lastOperationStatus { operation state message } } }"}'
  the new cluster    kubectl --kubeconfig ${relative(kubeconfigFile)} get namespaces
  the Garden         kubectl --kubeconfig ${relative(garden)} get shoots -A

Ctrl-C stops everything.`);
}

function showProgress(status: OperationStatus): void {
  const percent = status.progress === null ? '' : ` ${status.progress} %`;
  console.log(
    `          ${elapsed()}  ${status.state === 'InProgress' ? status.stage : status.state}${percent}  ${status.message}`,
  );
}

function succeeded(status: OperationStatus): void {
  if (status.state === 'Succeeded') return;
  throw new Error(`the operation ended ${status.state}: ${status.lastError.errMessage} (${status.lastError.reason})`);
}

function say(text: string): void {
  console.log(`[${elapsed()}] ${text}`);
}

function elapsed(): string {
  return `${((Date.now() - startedAt) / 1000).toFixed(1).padStart(5)} s`;
}

function relative(file: string): string {
  return path.relative(process.cwd(), file);
}
