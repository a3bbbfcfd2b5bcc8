import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorld } from '../../flows/world.ts';
import { eventually } from '../../harness/eventually.ts';

/** What the environment broker sends: values inline, every field under the alias `result`, one fixed list of fields. */
const world = await openWorld();
const broker = world.as({ subAccount: 'sub-account-1' });
const { api } = world;

const operation = 'id operation state message runtimeID compassRuntimeID lastError { errMessage reason component }';
const configuration = `
  clusterConfig {
    name kubernetesVersion volumeSizeGB diskType machineType region provider seed targetSecret diskType workerCidr
    autoScalerMin autoScalerMax maxSurge maxUnavailable
    providerSpecificConfig {
      ... on GCPProviderConfig { zones }
      ... on AzureProviderConfig { vnetCidr }
      ... on AWSProviderConfig { awsZones { ... on AWSZone { name publicCidr internalCidr workerCidr } } vpcCidr }
    }
    oidcConfig { clientID groupsClaim issuerURL signingAlgs usernameClaim usernamePrefix }
  }
  kymaConfig { version }
  kubeconfig`;

test('the broker provisions on Azure, polls, reads the kubeconfig and removes', async () => {
  const { result } = await broker.ask<{ result: Record<string, unknown> }>(`mutation {
    result: provisionRuntime(config: {
      runtimeInput: {
        name: "broker", description: "", labels: { broker_instance_id: "1b6d", global_subaccount_id: "sub-account-1", }
      },
      clusterConfig: {
        gardenerConfig: {
          name: "c-4f2a1b0",
          kubernetesVersion: "1.34.2",
          machineType: "Standard_D4_v3",
          machineImage: "gardenlinux",
          machineImageVersion: "1877.9.0",
          region: "westeurope",
          provider: "azure",
          diskType: "Standard_LRS",
          volumeSizeGB: 50,
          targetSecret: "azure-credentials",
          workerCidr: "10.250.0.0/22",
          podsCidr: "10.96.0.0/13",
          servicesCidr: "10.104.0.0/13",
          autoScalerMin: 2,
          autoScalerMax: 10,
          maxSurge: 3,
          maxUnavailable: 0,
          enableKubernetesVersionAutoUpdate: false,
          enableMachineImageVersionAutoUpdate: false,
          purpose: "development",
          shootNetworkingFilterDisabled: true,
          euAccess: false,
          providerSpecificConfig: {
            azureConfig: {
              vnetCidr: "10.250.0.0/16",
              azureZones: [ { name: 1, cidr: "10.250.0.0/19", }, { name: 2, cidr: "10.250.32.0/19", }, ],
              enableNatGateway: true,
              idleConnectionTimeoutMinutes: 4,
            }
          }
          oidcConfig: {
            clientID: "9bd05ed7-a930-44e6-8c79-e6defeb7dec9",
            issuerURL: "https://kymatest.accounts400.ondemand.com",
            groupsClaim: "groups",
            signingAlgs: ["RS256"],
            usernameClaim: "sub",
            usernamePrefix: "-",
          }
        },
        administrators: ["admin@example.com",],
      },
    }) { ${operation} }
  }`);
  const { id, runtimeID, compassRuntimeID, ...rest } = result;
  assert.deepEqual(rest, {
    operation: 'Provision',
    state: 'InProgress',
    message: 'Provisioning started',
    lastError: null,
  });
  assert.equal(compassRuntimeID, runtimeID);
  const done = await eventually('the broker sees the end', async () => {
    const asked = await api.ask<{ result: { state: string } }>(
      `query { result: runtimeOperationStatus(id: "${id}") { ${operation} } }`,
    );
    return asked.result.state !== 'InProgress' && asked.result;
  });
  assert.equal(done.state, 'Succeeded');

  const status = await api.ask<{ result: Record<string, Record<string, unknown>> }>(`query {
    result: runtimeStatus(id: "${runtimeID}") {
      lastOperationStatus { ${operation} }
      runtimeConnectionStatus { status }
      runtimeConfiguration { ${configuration} }
    }
  }`);
  const { clusterConfig, kymaConfig, kubeconfig } = status.result.runtimeConfiguration ?? {};
  assert.deepEqual(clusterConfig, {
    name: 'c-4f2a1b0',
    kubernetesVersion: '1.34.2',
    volumeSizeGB: 50,
    diskType: 'Standard_LRS',
    machineType: 'Standard_D4_v3',
    region: 'westeurope',
    provider: 'azure',
    seed: 'az-eu1',
    targetSecret: 'azure-credentials',
    workerCidr: '10.250.0.0/22',
    autoScalerMin: 2,
    autoScalerMax: 10,
    maxSurge: 3,
    maxUnavailable: 0,
    providerSpecificConfig: { vnetCidr: '10.250.0.0/16' },
    oidcConfig: {
      clientID: '9bd05ed7-a930-44e6-8c79-e6defeb7dec9',
      groupsClaim: 'groups',
      issuerURL: 'https://kymatest.accounts400.ondemand.com',
      signingAlgs: ['RS256'],
      usernameClaim: 'sub',
      usernamePrefix: '-',
    },
  });
  assert.equal(kymaConfig, null);
  assert.match(String(kubeconfig), /client-certificate-data/);
  const configMaps = { apiVersion: 'v1', plural: 'configmaps', namespaced: true, namespace: 'garden-dev' };
  assert.ok(await world.garden.get({ ...configMaps, name: 'c-4f2a1b0' }));

  const upgrade = await api.ask<{
    result: { id: string };
  }>(`mutation { result: upgradeShoot(id: "${runtimeID}", config: {
    gardenerConfig: { machineType: "Standard_D8_v3", autoScalerMax: 12, oidcConfig: { clientID: "a", issuerURL: "https://b",
      groupsClaim: "groups", signingAlgs: ["RS256"], usernameClaim: "sub", usernamePrefix: "-", } },
    administrators: ["admin@example.com",] }) { ${operation} } }`);
  await world.succeeded(upgrade.result.id);
  const [pool] = (await world.shoot('c-4f2a1b0'))?.spec.provider.workers ?? [];
  assert.deepEqual([pool.machine.type, pool.maximum], ['Standard_D8_v3', 12]);
  const issuers = await world.garden.get({ ...configMaps, name: 'c-4f2a1b0' });
  assert.match(JSON.stringify(issuers?.data), /https:\/\/b\b/);

  const removed = await api.ask<{ result: string }>(`mutation { result: deprovisionRuntime(id: "${runtimeID}") }`);
  await world.succeeded(removed.result);
  await eventually('the ConfigMap is gone with its Shoot', async () => {
    return (await world.garden.get({ ...configMaps, name: 'c-4f2a1b0' })) === undefined;
  });

  const again = await api.ask<{ result: string }>(`mutation { result: deprovisionRuntime(id: "${runtimeID}") }`);
  assert.notEqual(again.result, removed.result);
  await world.succeeded(again.result);
  const unknown = await api.send(`mutation { result: deprovisionRuntime(id: "${crypto.randomUUID()}") }`);
  assert.equal(unknown.errors[0]?.extensions?.error_reason, 'err_db_not_found', 'the broker takes this for removed');
});

test('a refusal has a number from 400 to 499, by which the broker does not try again', async () => {
  const { data, errors } = await broker.send(`mutation { result: provisionRuntime(config: {
    runtimeInput: { name: "broker", description: "", labels: {} },
    clusterConfig: { gardenerConfig: {
      name: "c-1", kubernetesVersion: "1.34.2", machineType: "g_c4_m16", diskType: "ssd", volumeSizeGB: 50,
      region: "eu-de-1", provider: "openstack", targetSecret: "openstack-credentials", workerCidr: "10.250.0.0/22",
      autoScalerMin: 2, autoScalerMax: 4, maxSurge: 1, maxUnavailable: 0,
      providerSpecificConfig: { openStackConfig: { zones: ["eu-de-1a"], loadBalancerProvider: "f5" } }
    } } }) { ${operation} } }`);
  assert.deepEqual(data, { result: null });
  const { error_code, error_reason, error_component } = errors[0]?.extensions ?? {};
  assert.deepEqual([error_code, error_component], [400, 'provisioner']);
  assert.equal(error_reason, 'err_provisioner_invalid_input');
  const sentence = 'error: OpenStack mutation does not accept diskType or volumeSizeGb parameters';
  assert.ok(errors[0]?.message.includes(sentence));
});
