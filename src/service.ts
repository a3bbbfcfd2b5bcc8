import { compassRuntimeAgent } from './agent/compass-runtime-agent.ts';
import { buildGraphqlServer } from './api/graphql-server.ts';
import { gardenerDriver, shootInformer } from './clusters/gardener/gardener-driver.ts';
import { RuntimeClusterAccess } from './clusters/runtime-cluster-access.ts';
import type { Config } from './config.ts';
import { databaseTime } from './db/queries/database-time.ts';
import { removeIdempotencyKeys } from './db/queries/idempotency-keys.ts';
import { operationsInProgress } from './db/queries/operations-in-progress.ts';
import { crashAt } from './domain/crash-point.ts';
import type { Logger } from './domain/logger.ts';
import { Engine } from './engine/engine.ts';
import { deprovision } from './flows/deprovision.ts';
import { flows } from './flows/flows.ts';
import { planFlow } from './flows/plan-flow.ts';
import { provision } from './flows/provision.ts';
import type { Tools } from './flows/tools.ts';
import { ambientConnection } from './kubernetes/ambient-connection.ts';
import { kubernetesClient } from './kubernetes/client.ts';
import { kubeconfigFile } from './kubernetes/kubeconfig-file.ts';
import type { KubernetesClient } from './kubernetes/kubernetes-client.ts';
import { createMetrics } from './observability/metrics.ts';
import { startMetricsServer } from './observability/metrics-server.ts';
import { observeEngine } from './observability/observe-engine.ts';
import { observeUpstreamCalls } from './observability/observe-upstream-calls.ts';
import { connectDirector } from './service/connect-director.ts';
import { nameUpstreams } from './service/name-upstreams.ts';
import { observeConnection } from './service/observe-connection.ts';
import { openDatabase } from './service/open-database.ts';
import { openKyma } from './service/open-kyma.ts';
import { checkReadiness } from './service/readiness.ts';
import { repeat } from './service/repeat.ts';

/** The name under which this service owns fields of objects that it applies. */
const fieldManager = 'runtime-provisioner';
/** How long running stages get to end when the service stops, while open requests are answered; Kubernetes kills after 30 s. */
const graceSeconds = 15;

const keepKeysMilliseconds = 24 * 3600_000;
const cleanEveryMilliseconds = 600_000;

export interface Service {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Answers open requests, lets running stages hand over, and closes everything. */
  stop(): Promise<void>;
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

  const management = managementCluster({ config, resources, log });
  const crashPoint = crashAt(config.crashPlace);
  const { director, registrar } = connectDirector({
    ...{ config: config.director, database, management, resources, crashPoint, log },
  });

  const { namespace, project, kubeconfigPath } = config.gardener;
  const garden = kubernetesClient({ connection: kubeconfigFile({ path: kubeconfigPath }), fieldManager, log });
  resources.defer(() => garden.close());
  const informer = shootInformer({ client: garden, namespace, log });
  const gardener = gardenerDriver({
    ...{ client: garden, project, namespace, informer, log },
    // A wake fails only while the engine stops; whoever goes on with the operation looks by itself.
    onChange: (key) => void engine.wake(key).catch(() => undefined),
  });
  const drivers = { gardener };
  const access = new RuntimeClusterAccess({ drivers, fieldManager, log });
  resources.defer(() => access.close());

  const { catalogue, installers } = openKyma({ cataloguePath: config.kymaCataloguePath, resources, log });
  const tools: Tools = { clusters: drivers, access, installers, director, agent: compassRuntimeAgent };
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

  const server = await buildGraphqlServer({
    settings: {
      ...{ endpoint: config.apiEndpoint, playgroundEndpoint: config.playgroundApiEndpoint },
      ...{ playground: config.playground, introspection: config.introspection, limits: config.requestLimits },
    },
    log,
    dependencies: {
      ...{ database, drivers, catalogue, registrar, flows: { provision, deprovision } },
      planFlow: (name, runtime, planSignal) =>
        planFlow({ flow: { provision, deprovision }[name], runtime, tools, signal: planSignal }),
      observeConnection: (runtime, lookSignal) =>
        observeConnection({ ...{ runtime, access, director }, agent: compassRuntimeAgent, signal: lookSignal }),
      readiness: () => checkReadiness({ database, engine: engine.state, informer: informer.state }),
    },
  });

  const cleaning = repeat({
    everyMilliseconds: cleanEveryMilliseconds,
    work: () => removeIdempotencyKeys({ database, olderThanMillis: keepKeysMilliseconds }),
    onError: (error) => log.warn({ err: error }, 'cannot remove old idempotency keys'),
  });
  resources.defer(() => cleaning.stop());

  informer.start();
  resources.defer(() => informer.stop());
  await engine.start();
  const stopEngine = () => engine.stop({ graceSeconds });
  resources.defer(stopEngine);
  const metricsServer = await startMetricsServer({ address: config.metricsAddress, registry: metrics.registry, log });
  resources.defer(() => metricsServer.stop());
  const url = await server.listen(config.address);
  resources.defer(async () => {
    await Promise.all([server.close(), stopEngine()]);
  });

  log.info({ url, endpoint: config.apiEndpoint, metricsPort: metricsServer.port }, 'service is up');
  const running = resources.move();
  return { url, stop: () => running.disposeAsync() };
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
