import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { ConnectionObservation } from '../../src/agent/runtime-agent.ts';
import type { ApiDependencies, RuntimeRegistrar } from '../../src/api/dependencies.ts';
import { buildGraphqlServer, type GraphqlServerSettings } from '../../src/api/graphql-server.ts';
import { defaultRequestLimits, type RequestLimits } from '../../src/api/request-limits.ts';
import type { ClusterDriver, ClusterOrder } from '../../src/clusters/cluster-driver.ts';
import type { ClusterWatches } from '../../src/clusters/cluster-watch.ts';
import { Database } from '../../src/db/database.ts';
import { ColumnCipher, parseEncryptionKey } from '../../src/db/encryption.ts';
import { migrate } from '../../src/db/migrate.ts';
import { Failure, type Problem } from '../../src/domain/failures.ts';
import { newRuntimeId, type RuntimeId, type Tenant } from '../../src/domain/ids.ts';
import type { KymaConfig } from '../../src/domain/kyma-config.ts';
import type { Logger } from '../../src/domain/logger.ts';
import { Secret } from '../../src/domain/secret.ts';
import { flowOf } from '../../src/flows/flows.ts';
import type { KymaCatalogue } from '../../src/kyma/kyma-installer.ts';
import { type TestDatabase, testDatabase } from '../harness/postgres.ts';
import { silentLog } from '../harness/silent-log.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows the shape that it asked for
  readonly data: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly errors: any[] | undefined;
}

export interface CallOptions {
  readonly tenant?: string | undefined;
  readonly subAccount?: string;
  readonly variables?: object;
}

/** The API over HTTP on a real database, with the outside world at the edge of its contracts. No engine: nothing moves. */
export async function apiUnderTest(test: TestContext, world: World = {}) {
  const testing = world.testing ?? (await testDatabase());
  const cipher = new ColumnCipher({ keys: [parseEncryptionKey('0123456789abcdef0123456789abcdef')] });
  const database = new Database({ settings: testing.settings, cipher, log: silentLog });
  await migrate({ database, log: silentLog });
  const dependencies: ApiDependencies = {
    database,
    drivers: { gardener: world.driver ?? clusterDriver(), gke: clusterDriver({ kind: 'gke' }) },
    catalogue: 'catalogue' in world ? catalogueOf(world.catalogue) : catalogueOf({ resolve: resolveAnything }),
    watches: world.watches ?? {},
    registrar: world.registrar,
    flowOf,
    planFlow: world.planFlow ?? (async () => []),
    checkReconnection: world.checkReconnection ?? (async () => undefined),
    observeConnection: world.observeConnection ?? (async () => ({ state: 'pending', message: 'no agent yet' })),
    searchForOrphans: world.searchForOrphans ?? (async () => undefined),
    readiness: world.readiness ?? (async () => [{ name: 'database', ready: true }]),
  };
  const settings = {
    ...{ endpoint: '/graphql', playgroundEndpoint: world.playgroundEndpoint ?? '/graphql' },
    ...world.settings,
    limits: { ...defaultRequestLimits, ...world.limits },
  };
  const server = await buildGraphqlServer({ settings, dependencies, log: world.log ?? silentLog });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= server.close().then(() => database.close());
    return stopped;
  };
  test.after(stop);

  async function call(
    query: string,
    { tenant = 'tenant-a', subAccount, variables }: CallOptions = {},
  ): Promise<Answer> {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(tenant && { tenant }),
        ...(subAccount && { 'sub-account': subAccount }),
      },
      body: JSON.stringify({ query, variables }),
    });
    const answer = (await response.json()) as Pick<Answer, 'data' | 'errors'>;
    return { status: response.status, headers: response.headers, data: answer.data, errors: answer.errors };
  }

  return { origin, call, database, testing, server, stop };
}

export interface World {
  /** The database of another API, to be a replica of it. */
  readonly testing?: TestDatabase;
  readonly driver?: ClusterDriver;
  readonly watches?: ClusterWatches;
  readonly catalogue?: Pick<KymaCatalogue, 'resolve'> | undefined;
  readonly registrar?: RuntimeRegistrar;
  readonly observeConnection?: () => Promise<ConnectionObservation>;
  readonly checkReconnection?: ApiDependencies['checkReconnection'];
  readonly planFlow?: ApiDependencies['planFlow'];
  readonly searchForOrphans?: ApiDependencies['searchForOrphans'];
  readonly readiness?: ApiDependencies['readiness'];
  readonly playgroundEndpoint?: string;
  readonly settings?: Pick<GraphqlServerSettings, 'playground' | 'introspection'>;
  readonly limits?: Partial<RequestLimits>;
  readonly log?: Logger;
}

export const kubeconfigText = 'apiVersion: v1\nkind: Config\n';

/** At the edge of the contract: what a driver says before there is a cluster. `orders` holds what it was asked about. */
export function clusterDriver({
  kind = 'gardener',
  check = () => [],
  issueKubeconfig = async () => ({ kubeconfig: new Secret(kubeconfigText), expiresAt: new Date(4e12) }),
}: {
  kind?: ClusterDriver['kind'];
  check?: (order: ClusterOrder) => readonly Problem[];
  issueKubeconfig?: ClusterDriver['issueKubeconfig'];
} = {}): ClusterDriver & { readonly orders: ClusterOrder[] } {
  const orders: ClusterOrder[] = [];
  const outOfReach = async () => {
    throw new Error('the API never does this');
  };
  return {
    kind,
    orders,
    complete: async ({ cluster }) => cluster,
    check: async (order) => {
      orders.push(order);
      return check(order);
    },
    create: outOfReach,
    checkChange: async ({ target }) => ({ problems: [], target, kept: [] }),
    planChange: outOfReach,
    change: outOfReach,
    observe: outOfReach,
    requestDeletion: outOfReach,
    checkHibernation: async () => undefined,
    changeHibernation: outOfReach,
    retry: outOfReach,
    remains: outOfReach,
    manifests: outOfReach,
    issueKubeconfig,
    wakeKey: () => 'none',
    owned: { search: outOfReach, exists: outOfReach, remove: outOfReach },
  };
}

/** A Director at the edge of the API: what it holds is `entries`. */
export function registrarOf(entries: Map<RuntimeId, Tenant>, database: () => Database): RuntimeRegistrar {
  return {
    register: async ({ tenant }) => {
      const intentId = crypto.randomUUID();
      await database().kysely.insertInto('registration_intent').values({ id: intentId, tenant }).execute();
      const id = newRuntimeId();
      entries.set(id, tenant);
      return { id, intentId };
    },
    preview: ({ runtimeInput }) => ({ ...runtimeInput }),
    verify: async ({ id, tenant }) => {
      if (entries.get(id) !== tenant)
        throw new Failure('DIRECTOR_RUNTIME_NOT_FOUND', `the Director does not know ${id}`);
    },
    withdraw: async ({ id }) => {
      entries.delete(id);
    },
  };
}

async function resolveAnything(config: KymaConfig) {
  return { installation: { config, installer: 'modules' as const, plan: { version: 1 } } };
}

/** Nothing here tells an upgrade from an installation. */
function catalogueOf(catalogue: World['catalogue']): ApiDependencies['catalogue'] {
  return catalogue && { ...catalogue, resolveUpgrade: ({ config, path }) => catalogue.resolve(config, path) };
}

/** The mutation of the tutorial, with parts of it replaced. */
export function provisionMutation(
  parts: { id?: string; runtimeInput?: string; gardener?: string; kyma?: string } = {},
) {
  const id = parts.id === undefined ? '' : `id: "${parts.id}"`;
  const runtimeInput = parts.runtimeInput ?? '{ name: "demo", description: "first runtime", labels: { team: "a" } }';
  const gardener = parts.gardener ?? tutorialGardenerConfig;
  const kyma =
    parts.kyma ??
    `kymaConfig: { version: "fast", components: [
      { component: "istio", namespace: "kyma-system" },
      { component: "application-connector", namespace: "kyma-system" } ] }`;
  return `mutation { provisionRuntime(${id} config: {
    runtimeInput: ${runtimeInput}
    clusterConfig: { gardenerConfig: { ${gardener} } }
    ${kyma}
  }) { id operation state message runtimeID } }`;
}

export const tutorialGardenerConfig = `
  kubernetesVersion: "1.34.2", provider: "gcp", targetSecret: "gcp-credentials", region: "europe-west3",
  machineType: "n2-standard-4", diskType: "pd-balanced", volumeSizeGB: 50, workerCidr: "10.250.0.0/22",
  autoScalerMin: 2, autoScalerMax: 4, maxSurge: 4, maxUnavailable: 1, purpose: "evaluation",
  providerSpecificConfig: { gcpConfig: { zones: ["europe-west3-a"] } }`;
