import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tenant } from '../../../src/domain/ids.ts';
import { directorOf, openWorld } from '../../flows/world.ts';

/** What clients of 2019 send, letter by letter: no variables, no selection set, a Runtime that they registered. */
const world = await openWorld();
const { api } = world;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function register(name: string): Promise<string> {
  const call = { tenant: 'tenant-a' as Tenant, signal: undefined };
  return directorOf(world).register({ name, description: '', labels: {} }, call);
}

const provision = (id: string, modules: string) => `
  mutation {
    provisionRuntime(
      id: "${id}"
      config: {
        clusterConfig: {
          gardenerConfig: {
            name: "era-2019"
            projectName: "dev"
            kubernetesVersion: "1.34.2"
            nodeCount: 3
            volumeSizeGB: 30
            machineType: "n1-standard-4"
            region: "europe-west3"
            provider: "gcp"
            seed: "gcp-eu1"
            targetSecret: "gcp-credentials"
            diskType: "pd-standard"
            workerCidr: "10.250.0.0/19"
            autoScalerMin: 2
            autoScalerMax: 4
            maxSurge: 4
            maxUnavailable: 1
            providerSpecificConfig: { gcpConfig: { zone: "europe-west3-a" } }
          }
        }
        kymaConfig: { version: "1.1.0", modules: ${modules} }
        credentials: { secretName: "gardener" }
      }
    )
  }`;

test('a Runtime lives its whole life in the words of 2019', async () => {
  const id = await register('era-2019');
  const provisioned = await api.ask<{ provisionRuntime: string }>(provision(id, 'ApiGateway'));
  assert.match(provisioned.provisionRuntime, uuid);
  await world.succeeded(provisioned.provisionRuntime);

  const operation = await api.ask(`
    query { runtimeOperationStatus(id: "${provisioned.provisionRuntime}") { operation state message runtimeID } }`);
  assert.deepEqual(operation, {
    runtimeOperationStatus: {
      operation: 'Provision',
      state: 'Succeeded',
      message: 'Operation succeeded.',
      runtimeID: id,
    },
  });

  const { runtimeStatus } = await api.ask<{ runtimeStatus: Answer }>(`
    query { runtimeStatus(id: "${id}") {
      lastOperationStatus { operation state message errors { message } }
      runtimeConnectionStatus { status errors { message } }
      runtimeConnectionConfig { kubeconfig }
      runtimeConfiguration {
        clusterConfig {
          ... on GardenerConfig {
            name projectName kubernetesVersion nodeCount volumeSizeGB diskType machineType region provider seed
            targetSecret workerCidr autoScalerMin autoScalerMax maxSurge maxUnavailable
            providerSpecificConfig {
              ... on GCPProviderConfig { zone }
              ... on AzureProviderConfig { vnetCidr }
              ... on AWSProviderConfig { zone vpcCidr publicCidr internalCidr }
            }
          }
          ... on GCPConfig {
            name projectName kubernetesVersion numberOfNodes bootDiskSizeGB machineType region zone
          }
        }
        kymaConfig { version modules }
        kubeconfig
        credentialsSecretName
      }
    } }`);
  assert.equal(runtimeStatus.runtimeConnectionStatus.status, 'Connected');
  const { clusterConfig, kymaConfig, kubeconfig } = runtimeStatus.runtimeConfiguration;
  assert.deepEqual(clusterConfig, {
    name: 'era-2019',
    projectName: 'dev',
    kubernetesVersion: '1.34.2',
    nodeCount: 3,
    volumeSizeGB: 30,
    diskType: 'pd-standard',
    machineType: 'n1-standard-4',
    region: 'europe-west3',
    provider: 'gcp',
    seed: 'gcp-eu1',
    targetSecret: 'gcp-credentials',
    workerCidr: '10.250.0.0/19',
    autoScalerMin: 2,
    autoScalerMax: 4,
    maxSurge: 4,
    maxUnavailable: 1,
    providerSpecificConfig: { zone: 'europe-west3-a' },
  });
  assert.deepEqual(kymaConfig, { version: '1.1.0', modules: ['ApiGateway'] });
  assert.ok(kubeconfig);
  const installed = world.control.inventory().clusters[0]?.modules.toSorted();
  assert.deepEqual(installed, ['APIGateway Ready', 'ApplicationConnector Ready', 'Istio Ready']);
  assert.equal(world.control.inventory().directorRuntimes[0]?.id, id);

  const cleanup = `mutation { cleanupRuntimeData(id: "${id}") { id message } }`;
  const early = await api.send(cleanup);
  assert.equal(early.errors[0]?.extensions?.code, 'CLUSTER_EXISTS');

  const deprovisioned = await api.ask<{ deprovisionRuntime: string }>(`mutation { deprovisionRuntime(id: "${id}") }`);
  await world.succeeded(deprovisioned.deprovisionRuntime);
  const { cleanupRuntimeData } = await api.ask<{ cleanupRuntimeData: object }>(cleanup);
  assert.deepEqual(cleanupRuntimeData, { id, message: `Successfully cleaned up data for Runtime with ID ${id}` });
  const gone = await api.send(`query { runtimeStatus(id: "${id}") { lastOperationStatus { state } } }`);
  assert.equal(gone.errors[0]?.extensions?.error_reason, 'err_db_not_found');
});

test('until December 2019 cleanupRuntimeData answered a text', async () => {
  const id = await register('era-2019-cleanup');
  await world.succeeded((await api.ask<{ provisionRuntime: string }>(provision(id, 'ApiGateway'))).provisionRuntime);
  await world.succeeded(await world.deprovision(id));
  assert.deepEqual(await api.ask(`mutation { cleanupRuntimeData(id: "${id}") }`), { cleanupRuntimeData: id });
});

test('modules are named by bare words or texts, by one or by a list', async () => {
  for (const [modules, answered] of [
    ['Serverless', ['Serverless']],
    ['"api-gateway"', ['api-gateway']],
    ['[ApiGateway, "serverless"]', ['ApiGateway', 'serverless']],
    ['[]', []],
  ] as const) {
    const id = await register('era-2019-modules');
    const { provisionRuntime } = await api.ask<{ provisionRuntime: string }>(provision(id, modules));
    const { runtimeStatus } = await api.ask<{ runtimeStatus: Answer }>(
      `{ runtimeStatus(id: "${id}") { runtimeConfiguration { kymaConfig { modules } } } }`,
    );
    assert.deepEqual(runtimeStatus.runtimeConfiguration.kymaConfig, { modules: answered });
    await world.succeeded(provisionRuntime);
    await world.succeeded(await world.deprovision(id));
  }
  const unknown = await api.send(provision(await register('era-2019-backup'), 'Backup'));
  assert.equal(unknown.errors[0]?.extensions?.code, 'KYMA_COMPONENT_INVALID');
  assert.match(unknown.errors[0]?.message ?? '', /modules\.0: there is no module "Backup" in Kyma 1\.1\.0; there is /);
  const wrong = await api.send(provision(crypto.randomUUID(), '[1]'));
  assert.equal(wrong.status, 422);
  assert.match(wrong.errors[0]?.message ?? '', /KymaModule must be a name/);
});

test('a cluster straight from Google is asked for in the words of 2019, and every mistake is told at once', async () => {
  const id = await register('my-cluster');
  const order = (kubernetesVersion: string, kyma: string, secretName = 'gcp-secret') => `
    mutation {
      provisionRuntime(
        id: "${id}"
        config: {
          clusterConfig: {
            gcpConfig: {
              name: "my-cluster"
              projectName: "my-project"
              kubernetesVersion: "${kubernetesVersion}"
              bootDiskSizeGB: 30
              numberOfNodes: 1
              machineType: "n1-standard-4"
              region: "europe-west3-a"
            }
          }
          kymaConfig: { version: ${kyma} }
          credentials: { secretName: "${secretName}" }
        }
      )
    }`;
  const { status, data, errors } = await api.send(order('1.13', '"1.5", modules: Backup'));
  assert.equal(status, 200);
  assert.deepEqual(data, { provisionRuntime: null });
  assert.match(
    errors[0]?.message ?? '',
    /kubernetesVersion: "1\.13" is not offered in europe-west3-a; offered are 1\.32 /,
  );
  assert.match(errors[0]?.message ?? '', /kymaConfig\.version/);
  const wrong = await api.send(order('1.34', '"1.1.0", modules: ApiGateway', 'gcp-provisioner'));
  assert.equal(wrong.errors[0]?.extensions?.code, 'CREDENTIALS_INVALID');
  const right = await api.ask<{ provisionRuntime: string }>(order('1.34', '"1.1.0", modules: ApiGateway'));
  await world.succeeded(right.provisionRuntime);
});

test('exactly one kind of cluster is asked for, and a Runtime without a name has an id', async () => {
  const id = crypto.randomUUID();
  const gcp = 'gcpConfig: { projectName: "p", region: "europe-west3" }';
  const gardener = `gardenerConfig: { provider: "gcp", region: "europe-west3", targetSecret: "gcp-credentials",
    workerCidr: "10.250.0.0/19", providerSpecificConfig: { gcpConfig: { zone: "europe-west3-a" } } }`;
  const send = async (cluster: string, argument = `id: "${id}"`) => {
    const { errors } = await api.send(
      `mutation { provisionRuntime(${argument} config: { clusterConfig: { ${cluster} } }) }`,
    );
    return errors[0]?.message;
  };
  assert.equal(
    await send(`${gcp} ${gardener}`),
    'config.clusterConfig: give either gardenerConfig or gcpConfig, not both',
  );
  assert.match((await send('administrators: []')) ?? '', /error: Cluster config with Gardener config not provided/);
  assert.match((await send(gardener, '')) ?? '', /^config\.runtimeInput: is missing; only a Runtime that the caller/);
});

interface Answer {
  readonly runtimeConnectionStatus: { readonly status: string };
  readonly runtimeConfiguration: {
    readonly clusterConfig: object;
    readonly kymaConfig: object;
    readonly kubeconfig: string | null;
  };
}
