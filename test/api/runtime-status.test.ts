import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ConnectionObservation } from '../../src/agent/runtime-agent.ts';
import type { ClusterDriver } from '../../src/clusters/cluster-driver.ts';
import type { Database } from '../../src/db/database.ts';
import { Failure, recordError } from '../../src/domain/failures.ts';
import { Secret } from '../../src/domain/secret.ts';
import {
  apiUnderTest,
  clusterDriver,
  kubeconfigText,
  provisionMutation,
  registrarOf,
  type World,
} from './api-under-test.ts';

/** A provisioned Runtime that is registered in the Director. */
async function provisioned(t: Parameters<typeof apiUnderTest>[0], world: World = {}, mutation = provisionMutation()) {
  let database: Database | undefined;
  const registrar = registrarOf(new Map(), () => {
    assert.ok(database);
    return database;
  });
  const api = await apiUnderTest(t, { registrar, ...world });
  database = api.database;
  const { data, errors } = await api.call(mutation);
  assert.equal(errors, undefined);
  const { id, runtimeID } = data.provisionRuntime;
  const finish = (change: object) =>
    api.database.kysely
      .updateTable('operation')
      .set({ stage: 'Finished', ended_at: new Date(), ...change })
      .where('id', '=', id)
      .execute();
  return { ...api, operationId: id, runtimeId: runtimeID, finish };
}

test('the fields of 2020 and of the last version are there, selected directly and in fragments', async (t) => {
  const { call, runtimeId, operationId } = await provisioned(t);
  const shape = 'name kubernetesVersion machineType diskType volumeSizeGB region provider seed targetSecret workerCidr';
  const numbers = 'autoScalerMin autoScalerMax maxSurge maxUnavailable';
  const { data, errors } = await call(`{ runtimeStatus(id: "${runtimeId}") {
    lastOperationStatus { id operation state message runtimeID compassRuntimeID }
    runtimeConnectionStatus { status errors { message } }
    runtimeConfiguration {
      clusterConfig { ${shape} ... on GardenerConfig { ${numbers} purpose
        providerSpecificConfig { ... on GCPProviderConfig { zones } ... on AzureProviderConfig { vnetCidr } } } }
      kymaConfig { version profile components { component namespace configuration { key value secret } sourceURL } }
      kubeconfig } } }`);
  assert.equal(errors, undefined);
  const { name, ...cluster } = data.runtimeStatus.runtimeConfiguration.clusterConfig;
  assert.match(name, /^[a-z]/);
  assert.deepEqual(cluster, {
    kubernetesVersion: '1.34.2',
    machineType: 'n2-standard-4',
    diskType: 'pd-balanced',
    volumeSizeGB: 50,
    region: 'europe-west3',
    provider: 'gcp',
    seed: null,
    targetSecret: 'gcp-credentials',
    workerCidr: '10.250.0.0/22',
    autoScalerMin: 2,
    autoScalerMax: 4,
    maxSurge: 4,
    maxUnavailable: 1,
    purpose: 'evaluation',
    providerSpecificConfig: { zones: ['europe-west3-a'] },
  });
  const component = { namespace: 'kyma-system', configuration: null, sourceURL: null };
  assert.deepEqual(data.runtimeStatus.runtimeConfiguration.kymaConfig, {
    version: 'fast',
    profile: null,
    components: [
      { component: 'istio', ...component },
      { component: 'application-connector', ...component },
    ],
  });
  assert.equal(data.runtimeStatus.runtimeConfiguration.kubeconfig, kubeconfigText);
  assert.deepEqual(data.runtimeStatus.lastOperationStatus, {
    id: operationId,
    operation: 'Provision',
    state: 'InProgress',
    message: 'Provisioning started',
    runtimeID: runtimeId,
    compassRuntimeID: runtimeId,
  });
});

test('a confidential entry is never answered', async (t) => {
  const entry = '{ key: "k", value: "hunter2", secret: true }, { key: "open", value: "seen" }';
  const mutation = provisionMutation({
    kyma: `kymaConfig: { version: "fast", components: [
      { component: "application-connector", namespace: "kyma-system", configuration: [${entry}] }] }`,
  });
  const { call, runtimeId } = await provisioned(t, {}, mutation);
  const { data } = await call(
    `{ runtimeStatus(id: "${runtimeId}") { runtimeConfiguration { kymaConfig { components { configuration { key value secret } } } } } }`,
  );
  assert.deepEqual(data.runtimeStatus.runtimeConfiguration.kymaConfig.components[0].configuration, [
    { key: 'k', value: null, secret: true },
    { key: 'open', value: 'seen', secret: false },
  ]);
});

test('a kubeconfig is issued only when it is selected, and once for both fields', async (t) => {
  let issued = 0;
  const driver = clusterDriver({
    issueKubeconfig: async ({ role, lifetimeSeconds }) => {
      issued += 1;
      assert.deepEqual([role, lifetimeSeconds], ['admin', 3600]);
      return { kubeconfig: new Secret(`number ${issued}`), expiresAt: new Date(4e12) };
    },
  });
  const { call, runtimeId } = await provisioned(t, { driver });
  await call(`{ runtimeStatus(id: "${runtimeId}") { runtimeConfiguration { clusterConfig { name } } } }`);
  assert.equal(issued, 0);
  const { data } = await call(
    `{ runtimeStatus(id: "${runtimeId}") { runtimeConnectionConfig { kubeconfig } runtimeConfiguration { kubeconfig } } }`,
  );
  assert.equal(data.runtimeStatus.runtimeConnectionConfig.kubeconfig, 'number 1');
  assert.equal(data.runtimeStatus.runtimeConfiguration.kubeconfig, 'number 1');
});

const unavailable: ClusterDriver['issueKubeconfig'] = async () => {
  throw new Failure('KUBECONFIG_UNAVAILABLE', 'Gardener does not issue a kubeconfig now');
};

test('a kubeconfig that cannot be issued nulls its own field alone', async (t) => {
  const { call, runtimeId, finish } = await provisioned(t, { driver: clusterDriver({ issueKubeconfig: unavailable }) });
  const query = `{ runtimeStatus(id: "${runtimeId}") { lastOperationStatus { state } runtimeConfiguration { kubeconfig clusterConfig { region } } } }`;
  const configuration = { kubeconfig: null, clusterConfig: { region: 'europe-west3' } };

  const while_ = await call(query);
  assert.equal(while_.errors, undefined, 'nothing is wrong while the cluster is being made');
  assert.deepEqual(while_.data.runtimeStatus.runtimeConfiguration, configuration);

  await finish({ state: 'Succeeded' });
  const { status, data, errors } = await call(query);
  assert.equal(status, 200);
  assert.deepEqual(data.runtimeStatus, {
    lastOperationStatus: { state: 'Succeeded' },
    runtimeConfiguration: configuration,
  });
  assert.equal(errors?.length, 1);
  assert.deepEqual(errors?.[0].path, ['runtimeStatus', 'runtimeConfiguration', 'kubeconfig']);
  assert.equal(errors?.[0].extensions.code, 'KUBECONFIG_UNAVAILABLE');
});

test('a Runtime that is gone has its history and no kubeconfig', async (t) => {
  const { call, runtimeId, database } = await provisioned(t);
  await database.kysely.updateTable('runtime').set({ deleted_at: new Date() }).where('id', '=', runtimeId).execute();
  const { data, errors } = await call(
    `{ runtimeStatus(id: "${runtimeId}") { lastOperationStatus { operation } runtimeConnectionStatus { status } runtimeConfiguration { kubeconfig } } }`,
  );
  assert.equal(errors, undefined);
  assert.deepEqual(data.runtimeStatus, {
    lastOperationStatus: { operation: 'Provision' },
    runtimeConnectionStatus: { status: 'Pending' },
    runtimeConfiguration: { kubeconfig: null },
  });
});

const connections: { reason: string; seen: () => Promise<ConnectionObservation>; status: object }[] = [
  {
    reason: 'a connected agent',
    seen: async () => ({ state: 'connected', message: 'Synchronized' }),
    status: { status: 'Connected', errors: null },
  },
  {
    reason: 'a warning is passed on, and the agent is connected all the same',
    seen: async () => ({ state: 'connected', message: 'ok', warning: 'metadata update failed' }),
    status: { status: 'Connected', errors: [{ message: 'metadata update failed' }] },
  },
  {
    reason: 'the reason for a lost connection is in errors',
    seen: async () => ({ state: 'disconnected', message: 'lost', error: 'token expired' }),
    status: { status: 'Disconnected', errors: [{ message: 'token expired' }] },
  },
  {
    reason: 'an agent that says nothing yet',
    seen: async () => ({ state: 'pending', message: 'not there' }),
    status: { status: 'Pending', errors: null },
  },
  {
    reason: 'a cluster that does not answer is not taken for a lost connection, and its error is not shown',
    seen: async () => {
      throw new Error('connect ECONNREFUSED 10.0.0.1:443');
    },
    status: {
      status: 'Pending',
      errors: [{ message: 'the connection cannot be looked up now: the cluster does not answer' }],
    },
  },
];

describe('the connection of the agent is told as it is seen in the cluster', () => {
  for (const { reason, seen, status } of connections) {
    test(reason, async (t) => {
      const { call, runtimeId } = await provisioned(t, { observeConnection: seen });
      const { data } = await call(
        `{ runtimeStatus(id: "${runtimeId}") { runtimeConnectionStatus { status errors { message } } } }`,
      );
      assert.deepEqual(data.runtimeStatus.runtimeConnectionStatus, status);
    });
  }
});

test('a status that is asked for often costs the cluster one look, and tells when that was', async (t) => {
  let looks = 0;
  const { call, runtimeId, finish } = await provisioned(t, {
    observeConnection: async () => {
      looks += 1;
      return { state: 'connected', message: 'Synchronized' };
    },
  });
  const ask = async (): Promise<{ status: string; observedAt: string }> => {
    const query = `{ runtimeStatus(id: "${runtimeId}") { runtimeConnectionStatus { status observedAt } } }`;
    return (await call(query)).data.runtimeStatus.runtimeConnectionStatus;
  };
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, ask));
  assert.equal(first?.status, 'Connected');
  assert.equal(new Date(first.observedAt).toISOString(), first.observedAt);
  for (const one of [...others, await ask()]) assert.deepEqual(one, first);
  assert.equal(looks, 1);
  await finish({ state: 'Succeeded' });
  assert.equal((await ask()).status, 'Connected');
  assert.equal(looks, 2, 'what an operation has done meanwhile is looked at');
});

test('a Runtime that is not registered has no connection to look for', async (t) => {
  const observeConnection = async () => assert.fail('nothing is to be looked at');
  const { call, runtimeId } = await provisioned(t, { registrar: undefined, observeConnection });
  const { data } = await call(
    `{ runtimeStatus(id: "${runtimeId}") { runtimeConnectionStatus { status errors { message } } } }`,
  );
  assert.deepEqual(data.runtimeStatus.runtimeConnectionStatus, { status: 'Pending', errors: null });
});

test('a failed operation tells why, who must act and whether trying again can help', async (t) => {
  const { call, operationId, finish } = await provisioned(t);
  const failure = new Failure('CLUSTER_FAILED', 'cluster provisioning failed', { reason: 'ERR_INFRA_QUOTA_EXCEEDED' });
  await finish({ state: 'Failed', message: failure.message, last_error: JSON.stringify(recordError(failure)) });
  const { data } = await call(`{ runtimeOperationStatus(id: "${operationId}") { state stage message errors { message }
    lastError { errMessage reason component code actor retryable } finishedAt } }`);
  const { finishedAt, ...status } = data.runtimeOperationStatus;
  assert.ok(finishedAt);
  assert.deepEqual(status, {
    state: 'Failed',
    stage: 'Finished',
    message: 'cluster provisioning failed',
    errors: [{ message: 'cluster provisioning failed' }],
    lastError: {
      errMessage: 'cluster provisioning failed',
      reason: 'ERR_INFRA_QUOTA_EXCEEDED',
      component: 'gardener',
      code: 'CLUSTER_FAILED',
      actor: 'caller',
      retryable: false,
    },
  });
});
