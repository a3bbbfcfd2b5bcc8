import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Control } from '../../landscape/control/control.ts';
import type { KubeObject } from '../../landscape/kubernetes/resource-type.ts';
import type { Landscape } from '../../landscape/landscape.ts';
import type { ProvisionRuntimeInput } from '../../src/api/generated/schema.ts';
import { readConfig } from '../../src/config.ts';
import { Database } from '../../src/db/database.ts';
import type { Director } from '../../src/director/director.ts';
import { directorClient } from '../../src/director/director-client.ts';
import type { OperationEventType } from '../../src/domain/operation-event.ts';
import { Secret } from '../../src/domain/secret.ts';
import { kubernetesClient } from '../../src/kubernetes/client.ts';
import { parseKubeconfig } from '../../src/kubernetes/kubeconfig.ts';
import { kubeconfigFile } from '../../src/kubernetes/kubeconfig-file.ts';
import type { KubernetesClient, ResourceKind } from '../../src/kubernetes/kubernetes-client.ts';
import { createLog } from '../../src/observability/log.ts';
import { type Service, startService } from '../../src/service.ts';
import { atEnd } from '../harness/at-end.ts';
import { eventually } from '../harness/eventually.ts';
import { type GraphqlAnswer, type GraphqlClient, graphqlClient } from '../harness/graphql-client.ts';
import { testLandscape } from '../harness/landscape.ts';
import { type TestDatabase, testDatabase } from '../harness/postgres.ts';
import { databaseEnvironment } from '../harness/service-process.ts';
import { silentLog } from '../harness/silent-log.ts';
import {
  deprovisionMutation,
  type OperationAnswer,
  operationQuery,
  provisionMutation,
  type RuntimeAnswer,
  runtimeQuery,
} from './documents.ts';

export const shoots: ResourceKind = { apiVersion: 'core.gardener.cloud/v1beta1', plural: 'shoots', namespaced: true };
export const projectNamespace = 'garden-dev';

/** A running service, and what it has logged. */
export interface TestService extends Service {
  /** Lines of JSON. */
  readonly logged: readonly string[];
}

export interface Accepted {
  readonly id: string;
  readonly runtimeID: string;
}

/** A line of an operation's history. */
export interface TimelineEvent {
  readonly type: OperationEventType;
  readonly stage: string;
  readonly message: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** The service, its database and the world around it, for the tests of one file. */
export interface World {
  readonly landscape: Landscape;
  readonly control: Control;
  readonly database: TestDatabase;
  /** For looking at what is stored. */
  readonly stored: Database;
  /** Of the Garden. */
  readonly garden: KubernetesClient;
  /** The GraphQL API as tenant-a. */
  readonly api: GraphqlClient;
  as(caller: { tenant?: string; subAccount?: string }): GraphqlClient;
  /** Another service on the same database, as a replica or after a restart. */
  startService(environment?: Readonly<Record<string, string>>): Promise<TestService>;
  /** The service that was started first. */
  readonly service: TestService;
  /** Answers errors, too. */
  send(order: ProvisionRuntimeInput, id?: string): Promise<GraphqlAnswer<{ provisionRuntime: Accepted }>>;
  provision(order: ProvisionRuntimeInput, id?: string): Promise<Accepted>;
  /** Answers the operation's id. */
  deprovision(runtimeId: string): Promise<string>;
  operation(id: string): Promise<OperationAnswer>;
  /** Waits until the operation looks like that. */
  reaches(
    id: string,
    what: string,
    matches: (operation: OperationAnswer) => boolean,
    patience?: { within: number },
  ): Promise<OperationAnswer>;
  /** Waits until the operation has ended, one way or the other. */
  ended(id: string): Promise<OperationAnswer>;
  succeeded(id: string): Promise<OperationAnswer>;
  failed(id: string): Promise<OperationAnswer>;
  runtime(id: string): Promise<RuntimeAnswer>;
  /** How many rows each table of the API has; a refused request leaves none. */
  rowCounts(): Promise<Readonly<Record<'runtime' | 'operation' | 'operation_event' | 'registration_intent', number>>>;
  /** Does what a service does that starts more than ten minutes later: it removes what requests left behind. */
  sweep(): Promise<void>;
  /** The whole history of an operation; its numbers are without gaps. */
  timeline(operationId: string): Promise<readonly TimelineEvent[]>;
  shoot(name: string): Promise<KubeObject | undefined>;
  /** As somebody does who uses the dashboard; waits until it is gone. */
  deleteShoot(name: string): Promise<void>;
  /** The Shoot that was made for a Runtime. */
  shootOf(runtimeId: string): Promise<KubeObject | undefined>;
}

/** Opens a world in which nothing takes time; what is opened is closed when the file ends. */
export async function openWorld({
  environment: given = {},
}: {
  environment?: Readonly<Record<string, string>> | ((landscape: Landscape) => Readonly<Record<string, string>>);
} = {}): Promise<World> {
  const landscape = await testLandscape();
  const environment = typeof given === 'function' ? given(landscape) : given;
  const database = await testDatabase();
  const stored = new Database({ settings: { ...database.settings, poolSize: 2 }, log: silentLog });
  atEnd(() => stored.close());
  const connection = kubeconfigFile({ path: landscape.environment.APP_GARDENER_KUBECONFIG_PATH ?? '' });
  const garden = kubernetesClient({ connection, fieldManager: 'test', log: silentLog });
  atEnd(() => garden.close());

  const startOne = (more: Readonly<Record<string, string>> = {}) =>
    startTestService({ ...landscape.environment, ...databaseEnvironment(database.settings), ...environment, ...more });
  const service = await startOne();
  const as: World['as'] = ({ tenant = 'tenant-a', ...caller }) =>
    graphqlClient({ endpoint: `${service.url}/graphql`, tenant, ...caller });
  const api = as({});

  const world: World = {
    ...{ landscape, control: landscape.control, database, stored, garden, api, as, service, startService: startOne },
    send: (config, id) => api.send(provisionMutation, { id, config }),
    async provision(config, id) {
      const { provisionRuntime } = await api.ask<{ provisionRuntime: Accepted }>(provisionMutation, { id, config });
      return provisionRuntime;
    },
    async deprovision(id) {
      const { deprovisionRuntime } = await api.ask<{ deprovisionRuntime: string }>(deprovisionMutation, { id });
      return deprovisionRuntime;
    },
    async operation(id) {
      const answer = await api.ask<{ runtimeOperationStatus: OperationAnswer }>(operationQuery, { id });
      return answer.runtimeOperationStatus;
    },
    async reaches(id, what, matches, patience = { within: 120_000 }) {
      let last: OperationAnswer | undefined;
      const look = async () => {
        last = await world.operation(id);
        return matches(last) && last;
      };
      return eventually(`operation ${id} to reach: ${what}`, look, patience).catch((error) => {
        throw new Error(`${error.message}; it is ${JSON.stringify(last)}`, { cause: error });
      });
    },
    ended: (id) => world.reaches(id, 'its end', ({ state }) => state !== 'InProgress'),
    async succeeded(id) {
      const operation = await world.ended(id);
      assert.equal(operation.state, 'Succeeded', operation.message);
      return operation;
    },
    async failed(id) {
      const operation = await world.ended(id);
      assert.equal(operation.state, 'Failed', operation.message);
      return operation;
    },
    async runtime(id) {
      return (await api.ask<{ runtimeStatus: RuntimeAnswer }>(runtimeQuery, { id })).runtimeStatus;
    },
    async rowCounts() {
      const tables = ['runtime', 'operation', 'operation_event', 'registration_intent'] as const;
      const count = async (table: (typeof tables)[number]) => {
        const rows = await stored.kysely.selectFrom(table).selectAll().execute();
        return [table, rows.length] as const;
      };
      const counts = await Promise.all(tables.map(count));
      return Object.fromEntries(counts) as Record<(typeof tables)[number], number>;
    },
    async sweep() {
      await sql`UPDATE registration_intent SET recorded_at = now() - interval '11 minutes'`.execute(stored.kysely);
      const sweeper = await startOne();
      await eventually('the intents to be settled', async () => (await world.rowCounts()).registration_intent === 0);
      await sweeper.stop();
    },
    async timeline(operationId) {
      const { rows } = await sql<TimelineEvent & { sequence: number }>`
        SELECT sequence, type, stage, message, error FROM operation_event
        WHERE operation_id = ${operationId} ORDER BY sequence`.execute(stored.kysely);
      const expected = rows.map((_, index) => index + 1);
      assert.deepEqual(
        rows.map(({ sequence }) => sequence),
        expected,
        'the history has a gap',
      );
      return rows;
    },
    shoot: async (name) =>
      (await garden.get({ ...shoots, namespace: projectNamespace, name })) as KubeObject | undefined,
    async deleteShoot(name) {
      const reference = { ...shoots, namespace: projectNamespace, name };
      await garden.patch(reference, { metadata: { annotations: { 'confirmation.gardener.cloud/deletion': 'true' } } });
      await garden.delete(reference);
      await eventually('the Shoot is gone', async () => (await world.shoot(name)) === undefined);
    },
    async shootOf(runtimeId) {
      const { runtimeConfiguration } = await world.runtime(runtimeId);
      return world.shoot(runtimeConfiguration.clusterConfig.name);
    },
  };
  return world;
}

/** Uses a kubeconfig as its owner would. */
export function clusterClient(kubeconfig: string | null): KubernetesClient {
  assert.ok(kubeconfig, 'there is no kubeconfig');
  const connection = parseKubeconfig({ text: new Secret(kubeconfig), source: 'runtimeStatus' });
  const client = kubernetesClient({ connection, fieldManager: 'test' });
  atEnd(() => client.close());
  return client;
}

/** The Director as another client of it, such as a caller who registers Runtimes. */
export function directorOf({ landscape, control }: World): Director {
  const { client_id: clientId, client_secret, tokens_endpoint: tokensEndpoint } = control.credentials();
  const client = directorClient({
    url: landscape.addresses.director,
    readCredentials: async () => ({ clientId, clientSecret: new Secret(client_secret), tokensEndpoint }),
    log: silentLog,
  });
  atEnd(() => client.close());
  return client;
}

/** The service in this process, on ports of its own. */
async function startTestService(environment: Readonly<Record<string, string>>): Promise<TestService> {
  const config = readConfig({ APP_ADDRESS: '127.0.0.1:0', APP_METRICS_ADDRESS: '127.0.0.1:0', ...environment });
  const logged: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: (line) => void logged.push(line) } });
  const service = await startService({ config, log, signal: new AbortController().signal });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.stop();
    return stopped;
  };
  atEnd(stop);
  return { url: service.url, stop, logged };
}
