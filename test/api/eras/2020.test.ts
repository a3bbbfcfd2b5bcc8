import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWorld } from '../../flows/world.ts';

/** What clients of mid-2020 send: components, one zone on AWS, fragments as if `clusterConfig` were a union. */
const world = await openWorld();
const { api } = world;

const provision = `mutation {
  result: provisionRuntime(config: {
    runtimeInput: { name: "era-2020", description: "AWS", labels: { label: ["value1", "value2"] } }
    clusterConfig: {
      gardenerConfig: {
        kubernetesVersion: "1.34.2"
        volumeSizeGB: 50
        machineType: "m5.xlarge"
        region: "eu-central-1"
        provider: "aws"
        purpose: "testing"
        licenceType: "TestDevelopmentAndDemo"
        targetSecret: "aws-credentials"
        diskType: "gp2"
        workerCidr: "10.250.0.0/19"
        autoScalerMin: 2
        autoScalerMax: 4
        maxSurge: 4
        maxUnavailable: 1
        enableKubernetesVersionAutoUpdate: true
        enableMachineImageVersionAutoUpdate: false
        allowPrivilegedContainers: true
        providerSpecificConfig: {
          awsConfig: {
            zone: "eu-central-1b"
            vpcCidr: "10.250.0.0/16"
            publicCidr: "10.250.96.0/22"
            internalCidr: "10.250.112.0/22"
          }
        }
      }
    }
    kymaConfig: {
      version: "regular"
      components: [
        { component: "istio", namespace: "kyma-system" }
        { component: "application-connector", namespace: "kyma-system", configuration: [] }
      ]
      configuration: []
    }
  }) { id operation state message runtimeID }
}`;

test('a Runtime of 2020 on AWS is provisioned, shown and removed', async () => {
  const { result } = await api.ask<{ result: Record<string, string> }>(provision);
  const { id = '', runtimeID = '', ...rest } = result;
  assert.deepEqual(rest, { operation: 'Provision', state: 'InProgress', message: 'Provisioning started' });
  await world.succeeded(id);

  const { runtimeStatus } = await api.ask<{ runtimeStatus: Answer }>(`{ runtimeStatus(id: "${runtimeID}") {
    lastOperationStatus { id operation state message runtimeID }
    runtimeConnectionStatus { status errors { message } }
    runtimeConfiguration {
      kubeconfig
      clusterConfig {
        __typename
        ... on GardenerConfig {
          name kubernetesVersion volumeSizeGB diskType machineType region provider purpose licenceType seed targetSecret
          workerCidr autoScalerMin autoScalerMax maxSurge maxUnavailable
          enableKubernetesVersionAutoUpdate enableMachineImageVersionAutoUpdate allowPrivilegedContainers
          providerSpecificConfig { ... on AWSProviderConfig { zone vpcCidr publicCidr internalCidr } }
        }
        ... on GCPConfig { name projectName numberOfNodes }
      }
      kymaConfig { version components { component namespace configuration { key value secret } sourceURL }
        configuration { key value secret } }
    }
  } }`);
  const { clusterConfig, kymaConfig } = runtimeStatus.runtimeConfiguration;
  const { name, ...cluster } = clusterConfig;
  assert.match(String(name), /^[a-z][a-z0-9-]{6,8}$/);
  assert.deepEqual(cluster, {
    __typename: 'GardenerConfig',
    kubernetesVersion: '1.34.2',
    volumeSizeGB: 50,
    diskType: 'gp2',
    machineType: 'm5.xlarge',
    region: 'eu-central-1',
    provider: 'aws',
    purpose: 'testing',
    licenceType: 'TestDevelopmentAndDemo',
    seed: 'aws-eu1',
    targetSecret: 'aws-credentials',
    workerCidr: '10.250.0.0/19',
    autoScalerMin: 2,
    autoScalerMax: 4,
    maxSurge: 4,
    maxUnavailable: 1,
    enableKubernetesVersionAutoUpdate: true,
    enableMachineImageVersionAutoUpdate: false,
    allowPrivilegedContainers: true,
    providerSpecificConfig: {
      zone: 'eu-central-1b',
      vpcCidr: '10.250.0.0/16',
      publicCidr: '10.250.96.0/22',
      internalCidr: '10.250.112.0/22',
    },
  });
  assert.equal(kymaConfig.version, 'regular');
  const shoot = await world.shoot(String(name));
  assert.deepEqual(shoot?.spec.provider.infrastructureConfig.networks.zones, [
    { name: 'eu-central-1b', workers: '10.250.0.0/19', public: '10.250.96.0/22', internal: '10.250.112.0/22' },
  ]);
  assert.equal(shoot?.metadata.annotations?.['kcp.provisioner.kyma-project.io/licence-type'], 'TestDevelopmentAndDemo');

  const upgrade = await api.send(`mutation { result: upgradeRuntime(id: "${runtimeID}", config: {
    kymaConfig: { version: "fast", components: [{ component: "istio", namespace: "kyma-system" }] } }) {
    id operation state message runtimeID } }`);
  assert.equal(upgrade.errors[0]?.extensions?.code, 'KYMA_COMPONENT_INVALID');
  assert.equal((await world.operation(id)).state, 'Succeeded', 'nothing else began');
  await world.succeeded(await world.deprovision(runtimeID));
});

test('what clients of 2020 match on is what it was', async () => {
  world.control.setShootFate('*', { kind: 'stuck' });
  const { result } = await api.ask<{ result: { id: string; runtimeID: string } }>(provision);
  const deprovision = `mutation { result: deprovisionRuntime(id: "${result.runtimeID}") }`;
  const busy = await api.send(deprovision);
  world.control.liftShootFate('*');
  const sentence = `cannot start new operation for ${result.runtimeID} Runtime while previous one is in progress`;
  assert.ok(busy.errors[0]?.message.startsWith(sentence), JSON.stringify(busy));
  assert.equal(busy.errors[0]?.extensions?.error_code, 400);
  await world.succeeded(result.id);

  const disk = await api.send(provision.replace('diskType: "gp2"', 'machineImageVersion: "1.2.3"'));
  assert.match(disk.errors[0]?.message ?? '', /error: Machine Image Version passed while Machine Image is empty/);
  const missing = await api.send(provision.replace('targetSecret: "aws-credentials"', ''));
  assert.equal(missing.status, 422);
  assert.match(missing.errors[0]?.message ?? '', /"GardenerConfigInput\.targetSecret" of required type "String!"/);
  const unknown = await api.send(`{ runtimeOperationStatus(id: "${result.runtimeID}") { state } }`);
  const notFound = `failed to get Runtime Operation Status, Operation not found for id: ${result.runtimeID}`;
  assert.equal(unknown.errors[0]?.message, notFound);
  const stranger = await world.as({ tenant: '' }).send(deprovision);
  assert.equal(stranger.errors[0]?.message, 'tenant header is empty');
  await world.succeeded(await world.deprovision(result.runtimeID));
});

interface Answer {
  readonly runtimeConfiguration: {
    readonly clusterConfig: Readonly<Record<string, unknown>>;
    readonly kymaConfig: Readonly<Record<string, unknown>>;
  };
}
