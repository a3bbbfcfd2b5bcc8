import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aws, azure, type Changes, orderOf } from './orders.ts';
import { clusterClient, openWorld } from './world.ts';

const world = await openWorld();
const { control } = world;

const clouds: {
  name: string;
  order: Changes;
  spec: { nodes: string; zones: readonly string[] | undefined; infrastructure: object };
  answered: object;
}[] = [
  {
    name: 'azure with zones',
    order: { gardenerConfig: azure },
    spec: {
      nodes: '10.250.0.0/16',
      zones: ['1', '2'],
      infrastructure: { networks: { vnet: { cidr: '10.250.0.0/16' }, workers: '10.250.0.0/22' }, zoned: true },
    },
    answered: { vnetCidr: '10.250.0.0/16', azureZones: ['1', '2'] },
  },
  {
    name: 'azure without zones',
    order: {
      gardenerConfig: { ...azure, providerSpecificConfig: { azureConfig: { vnetCidr: '10.250.0.0/16' } } },
    },
    spec: {
      nodes: '10.250.0.0/16',
      zones: undefined,
      infrastructure: { networks: { vnet: { cidr: '10.250.0.0/16' }, workers: '10.250.0.0/22' }, zoned: false },
    },
    answered: { vnetCidr: '10.250.0.0/16', azureZones: null },
  },
  {
    name: 'aws with a list of zones',
    order: { gardenerConfig: aws },
    spec: {
      nodes: '10.250.0.0/16',
      zones: ['eu-central-1a'],
      infrastructure: {
        networks: {
          vpc: { cidr: '10.250.0.0/16' },
          zones: [
            { name: 'eu-central-1a', workers: '10.250.0.0/22', public: '10.250.32.0/20', internal: '10.250.48.0/20' },
          ],
        },
      },
    },
    answered: {
      vpcCidr: '10.250.0.0/16',
      zone: 'eu-central-1a',
      publicCidr: '10.250.32.0/20',
      internalCidr: '10.250.48.0/20',
      awsZones: [
        {
          name: 'eu-central-1a',
          workerCidr: '10.250.0.0/22',
          publicCidr: '10.250.32.0/20',
          internalCidr: '10.250.48.0/20',
        },
      ],
    },
  },
];

const [, , awsWithList] = clouds;
assert.ok(awsWithList);
clouds.push({
  ...awsWithList,
  name: 'aws with the one zone of 2020',
  order: {
    gardenerConfig: {
      ...aws,
      providerSpecificConfig: {
        awsConfig: {
          vpcCidr: '10.250.0.0/16',
          zone: 'eu-central-1a',
          publicCidr: '10.250.32.0/20',
          internalCidr: '10.250.48.0/20',
        },
      },
    },
  },
});

for (const { name, order, spec, answered } of clouds) {
  test(`a Runtime on ${name} is provisioned, answered as it was asked for, and deprovisioned`, async () => {
    const { id, runtimeID } = await world.provision(orderOf(order));
    await world.succeeded(id);
    const shoot = await world.shootOf(runtimeID);
    assert.ok(shoot);
    const { networking, provider } = shoot.spec;
    const { apiVersion, kind, ...infrastructure } = provider.infrastructureConfig;
    assert.match(
      apiVersion,
      new RegExp(`^${order.gardenerConfig?.provider}\\.provider\\.extensions\\.gardener\\.cloud/`),
    );
    assert.equal(kind, 'InfrastructureConfig');
    assert.deepEqual({ nodes: networking.nodes, zones: provider.workers[0].zones, infrastructure }, spec);
    const { runtimeConnectionStatus, runtimeConfiguration } = await world.runtime(runtimeID);
    assert.equal(runtimeConnectionStatus.status, 'Connected');
    assert.deepEqual(runtimeConfiguration.clusterConfig.providerSpecificConfig, answered);
    await world.succeeded(await world.deprovision(runtimeID));
    assert.deepEqual(control.inventory(), { shoots: [], clusters: [], directorRuntimes: [] });
  });
}

test('administrators get the role cluster-admin on the new cluster, each once', async () => {
  const administrators = ['ada@example.com', 'grace@example.com', 'ada@example.com'];
  const { id, runtimeID } = await world.provision(orderOf({ administrators }));
  await world.succeeded(id);
  const { runtimeConfiguration } = await world.runtime(runtimeID);
  const cluster = clusterClient(runtimeConfiguration.kubeconfig);
  const kind = { apiVersion: 'rbac.authorization.k8s.io/v1', plural: 'clusterrolebindings', namespaced: false };
  const { items } = await cluster.list(kind, { labelSelector: 'app=kyma,type=admin' });
  assert.deepEqual(
    items.map(({ metadata, roleRef, subjects }) => [metadata.name, roleRef, subjects]),
    ['ada@example.com', 'grace@example.com'].map((user, index) => [
      `administrator${index}`,
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    ]),
  );
  assert.ok(
    (await world.timeline(id)).some(
      (event) => event.stage === 'CreatingBindingsForOperators' && event.type === 'StageDone',
    ),
  );
  await world.succeeded(await world.deprovision(runtimeID));
});
