import { compassRuntimeAgent } from './agent/compass-runtime-agent.ts';
import { buildGraphqlServer } from './api/graphql-server.ts';
import { gardenerDriver, shootInformer } from './clusters/gardener/gardener-driver.ts';
import { gardenerOff } from './clusters/gardener/gardener-off.ts';
import { shootPolicies } from './clusters/gardener/policy/shoot-policies.ts';
import { shootWatch } from './clusters/gardener/shoot-watch.ts';
import { RuntimeClusterAccess } from './clusters/runtime-cluster-access.ts';
import type { Config } from './config-shape.ts';
import { findUnadoptedKyma } from './db/queries/configuration-changes.ts';
import { databaseTime } from './db/queries/database-time.ts';
import { removeIdempotencyKeys } from './db/queries/idempotency-keys.ts';
import { findInstallation } from './db/queries/installation.ts';
import { removeKeptKubeconfigs } from './db/queries/kept-kubeconfigs.ts';
import { operationsInProgress } from './db/queries/operations-in-progress.ts';
import { crashAt } from './domain/crash-point.ts';
import type { Logger } from './domain/logger.ts';
import { orphanSources } from './domain/orphan.ts';
import { Engine } from './engine/engine.ts';
import { flowOf, flows } from './flows/flows.ts';
import { planFlow } from './flows/plan-flow.ts';
import { checkReconnection } from './flows/reconnection/check-reconnection.ts';
import type { Tools } from './flows/tools.ts';
import { ambientConnection } from './kubernetes/ambient-connection.ts';
import { kubernetesClient } from './kubernetes/client.ts';
import { kubeconfigFile } from './kubernetes/kubeconfig-file.ts';
import type { KubernetesClient } from './kubernetes/kubernetes-client.ts';
import { RequestBudget } from './kubernetes/request-budget.ts';
import { createMetrics } from './observability/metrics.ts';
import { startMetricsServer } from './observability/metrics-server.ts';
import { observeEngine } from './observability/observe-engine.ts';
import { observeUpstreamCalls } from './observability/observe-upstream-calls.ts';
import { connectDirector } from './service/connect-director.ts';
import { connectGke } from './service/connect-gke.ts';
import { nameUpstreams } from './service/name-upstreams.ts';
import { observeConnection } from './service/observe-connection.ts';
import { openDatabase } from './service/open-database.ts';
import { openKyma } from './service/open-kyma.ts';
import { checkReadiness } from './service/readiness.ts';
import { repeat } from './service/repeat.ts';
import { searchForOrphans } from './service/search-for-orphans.ts';
import { watchForLostClusters } from './service/watch-for-lost-clusters.ts';

/** The name under which this service owns fields of objects that it applies. */
const fieldManager = 'runtime-provisioner';
/** How long running stages get to end when the service stops, while open requests are answered; Kubernetes kills after 30 s. */
const graceSeconds = 15;

/** More than operations are at work at once: a Garden that takes its time with theirs must not hold up new requests. */
const gardenConnections = 256;

const keepKeysMilliseconds = 24 * 3600_000;
const cleanEveryMilliseconds = 600_000;
const forgetEveryMilliseconds = 60_000;

export interface Service {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /**
   * Takes no more operations, is not ready any more and lets running stages hand over; answers requests until
   * `serveUntil` resolves, then those that are open, and closes everything.
   */
  stop(options?: { readonly serveUntil?: Promise<void> }): Promise<void>;
}

/** Puts everything together and starts it. When a part cannot start, what has started is stopped again. */
export async function startService({
  config,
  log,
  signal,
}: {
  config: Config;
  log: Logger;
  /** Ends a start that waits, such as for the database. */
  signal: AbortSignal;
}): Promise<Service> {
  await using resources = new AsyncDisposableStack();
  const database = await openDatabase({ config: config.database, resources, signal, log });

  const installation = await findInstallation({ database });
  const management = managementCluster({ config, resources, log });
  const crashPoint = crashAt(config.crashPlace);
  const { director, registrar, unregisters, owned } = await connectDirector({
    ...{ config: config.director, database, management, resources, installation, crashPoint, log },
  });

  const { namespace, project, kubeconfigPath, requests, autoUpdate, policy } = config.gardener;
  const garden = kubernetesClient({
    ...{ connection: kubeconfigFile({ path: kubeconfigPath }), budget: new RequestBudget(requests), fieldManager, log },
    maxConnections: gardenConnections,
  });
  resources.defer(() => garden.close());
  const informer = shootInformer({ client: garden, namespace, log });
  const gardener = gardenerDriver({
    ...{ client: garden, project, namespace, informer, installation, log },
    autoUpdateKubernetesVersion: autoUpdate.kubernetesVersion,
    autoUpdateMachineImageVersion: autoUpdate.machineImageVersion,
    findPolicy: await shootPolicies({ settings: policy, log }),
    // A wake fails only while the engine stops; whoever goes on with the operation looks by itself.
    onChange: (key) => void engine.wake(key).catch(() => undefined),
  });
  const gke = connectGke({
    ...{ config: config.gke, management, resources, installation, log },
    onChange: (key) => void engine.wake(key).catch(() => undefined),
  });
  const { enabled } = config.gardener;
  const drivers = { gardener: enabled ? gardener : gardenerOff(gardener), gke };
  const watches = enabled ? { gardener: shootWatch({ informer }) } : {};
  const access = new RuntimeClusterAccess({ drivers, fieldManager, log });
  resources.defer(() => access.close());

  const { catalogue, installers } = openKyma({ config: config.kyma, database, fieldManager, resources, log });
  const { serviceBrokerPrefix } = config;
  const tools: Tools = {
    ...{ clusters: drivers, access, installers, director, unregisters, serviceBrokerPrefix },
    attemptedKyma: (runtimeId) => findUnadoptedKyma({ database, runtimeId }),
    agent: compassRuntimeAgent,
  };
  const acceptedSince = config.enqueueInProgressOperations ? undefined : await databaseTime({ database });
  const engine = new Engine({
    ...{ database, flows, tools, deadlines: config.deadlines, acceptedSince, crashPoint, log },
  });
  const metrics = createMetrics({
    operationsInProgress: () => operationsInProgress({ database }),
    engine: () => engine.state,
    log,
  });
  observeEngine({ events: engine.events, metrics, log });
  resources.defer(observeUpstreamCalls({ metrics, nameOf: nameUpstreams(config) }));

  const orphans = searchForOrphans({
    ...{ database, installation, unregisters, everyMilliseconds: config.orphanSearchMilliseconds, log },
    owned: { gardener: enabled ? gardener.owned : undefined, gke: gke.owned, director: owned },
    onCount: (counts) => {
      for (const where of orphanSources) metrics.orphans.set({ where }, counts[where]);
    },
  });
  resources.defer(() => orphans.stop());

  const server = await buildGraphqlServer({
    settings: {
      ...{ endpoint: config.apiEndpoint, playgroundEndpoint: config.playgroundApiEndpoint },
      ...{ playground: config.playground, introspection: config.introspection, limits: config.requestLimits },
    },
    log,
    dependencies: {
      ...{ database, drivers, watches, catalogue, registrar, flowOf },
      planFlow: ({ kind, ...request }) => planFlow({ flow: flowOf(kind), tools, ...request }),
      observeConnection: (runtime, lookSignal) =>
        observeConnection({ ...{ runtime, access, director }, agent: compassRuntimeAgent, signal: lookSignal }),
      checkReconnection: (runtime, checkSignal) => checkReconnection({ runtime, tools, signal: checkSignal }),
      searchForOrphans: orphans.look,
      readiness: () =>
        checkReadiness({ database, engine: engine.state, informer: enabled ? informer.state : undefined }),
      isStopping: () => engine.state.phase === 'stopping' || engine.state.phase === 'stopped',
    },
  });

  const cleaning = repeat({
    everyMilliseconds: cleanEveryMilliseconds,
    work: () => removeIdempotencyKeys({ database, olderThanMillis: keepKeysMilliseconds }),
    onError: (error) => log.warn({ err: error }, 'cannot remove old idempotency keys'),
  });
  resources.defer(() => cleaning.stop());
  const forgetting = repeat({
    everyMilliseconds: forgetEveryMilliseconds,
    work: () => removeKeptKubeconfigs({ database }),
    onError: (error) => log.warn({ err: error }, 'cannot remove old kubeconfigs'),
  });
  resources.defer(() => forgetting.stop());

  if (enabled) informer.start();
  resources.defer(() => informer.stop());
  const losses = watchForLostClusters({
    ...{ database, drivers, watches, log },
    onCount: (lost) => metrics.clustersLost.set(lost),
  });
  resources.defer(() => losses.stop());
  engine.events.on('operation:failed', ({ operation, error }) => {
    if (error.code === 'CLUSTER_LOST') losses.check(operation.runtimeId);
  });
  await engine.start();
  let engineStopped: Promise<void> | undefined;
  const stopEngine = () => (engineStopped ??= engine.stop({ graceSeconds }));
  resources.defer(stopEngine);
  const metricsServer = await startMetricsServer({ address: config.metricsAddress, registry: metrics.registry, log });
  resources.defer(() => metricsServer.stop());
  const url = await server.listen(config.address);
  resources.defer(async () => {
    await Promise.all([server.close(), stopEngine()]);
  });

  log.info({ url, endpoint: config.apiEndpoint, metricsPort: metricsServer.port }, 'service is up');
  const running = resources.move();
  return {
    url,
    async stop({ serveUntil } = {}) {
      // From now on this replica is not ready, and the others have its operations.
      stopEngine().catch(() => undefined); // It is told when all is closed.
      await serveUntil;
      await running.disposeAsync();
    },
  };
}

/** The cluster that holds our own Secrets, found when it is needed first: without a Director nobody needs it. */
function managementCluster({
  config,
  resources,
  log,
}: {
  config: Config;
  resources: AsyncDisposableStack;
  log: Logger;
}): () => Promise<KubernetesClient> {
  let client: KubernetesClient | undefined;
  resources.defer(() => client?.close());
  return async () => {
    client ??= kubernetesClient({ connection: await ambientConnection(config.ambient), fieldManager, log });
    return client;
  };
}
