import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { graphqlClient } from '../harness/graphql-client.ts';
import { orderOf } from './orders.ts';
import { openWorld, projectNamespace, shoots } from './world.ts';

const world = await openWorld();
const { control, garden } = world;

const statusQuery = `query ($id: String!) { runtimeStatus(id: $id) {
  clusterStatus { state message lostAt drift { field ours theirs kind } }
} }`;

interface ClusterStatus {
  readonly state: string;
  readonly message: string | null;
  readonly lostAt: string | null;
  readonly drift: readonly object[] | null;
}

async function clusterStatus(id: string): Promise<ClusterStatus> {
  const answer = await world.api.ask<{ runtimeStatus: { clusterStatus: ClusterStatus } }>(statusQuery, { id });
  return answer.runtimeStatus.clusterStatus;
}

const reaches = (id: string, state: string) =>
  eventually(`the cluster is ${state}`, async () => {
    const seen = await clusterStatus(id);
    return seen.state === state && seen;
  });

async function provisioned(name: string): Promise<string> {
  const { id, runtimeID } = await world.provision(orderOf({ gardenerConfig: { name } }));
  await world.succeeded(id);
  return runtimeID;
}

const reference = (name: string) => ({ ...shoots, namespace: projectNamespace, name });

async function listed(filter: string): Promise<readonly string[]> {
  const query = `{ runtimes(filter: ${filter}) { nodes { id lostAt } } }`;
  const { runtimes } = await world.api.ask<{ runtimes: { nodes: { id: string; lostAt: string | null }[] } }>(query);
  return runtimes.nodes.map(({ id, lostAt }) => `${id} ${lostAt === null ? 'there' : 'lost'}`);
}

test('a Shoot that somebody else changed is told field by field, without asking the Garden', async () => {
  const id = await provisioned('drifting');
  assert.deepEqual(await clusterStatus(id), { state: 'Ready', message: null, lostAt: null, drift: [] });
  const spec = (await world.shoot('drifting'))?.spec;
  const workers = [{ ...spec.provider.workers[0], maximum: 9 }];
  await garden.patch(reference('drifting'), { spec: { purpose: 'development', provider: { workers } } });
  const drift = await eventually('the change is told', async () => {
    const seen = await clusterStatus(id);
    return seen.drift?.length === 2 && seen.drift;
  });
  assert.deepEqual(drift, [
    { field: 'purpose', ours: 'evaluation', theirs: 'development', kind: 'Changed' },
    { field: 'autoScalerMax', ours: '4', theirs: '9', kind: 'Changed' },
  ]);
  control.clearRequests();
  for (let count = 0; count < 5; count += 1) await clusterStatus(id);
  assert.deepEqual(control.requests('garden'), []);

  const { upgradeShoot } = await world.api.ask<{ upgradeShoot: { id: string } }>(
    `mutation ($id: String!) { upgradeShoot(id: $id, config: {
      gardenerConfig: { autoScalerMax: 9, purpose: "development", machineType: "n2-standard-8" } }) { id } }`,
    { id },
  );
  await world.succeeded(upgradeShoot.id);
  assert.deepEqual((await reaches(id, 'Ready')).drift, [], 'what was made the configuration is no drift any more');
  const { hibernateRuntime } = await world.api.ask<{ hibernateRuntime: { id: string } }>(
    'mutation ($id: String!) { hibernateRuntime(id: $id) { id } }',
    { id },
  );
  await world.succeeded(hibernateRuntime.id);
  assert.deepEqual((await reaches(id, 'Hibernated')).drift, []);
});

test('the versions that a cluster has got are told, whoever chose them', async () => {
  const gardenerConfig = { name: 'versions', kubernetesVersion: undefined, machineImage: undefined };
  const { id, runtimeID } = await world.provision(orderOf({ gardenerConfig }));
  await world.succeeded(id);
  const query = `query ($id: String!) { runtimeStatus(id: $id) {
    clusterStatus { kubernetesVersion machineImage machineImageVersion }
    runtimeConfiguration { clusterConfig { kubernetesVersion } }
  } }`;
  const { runtimeStatus } = await world.api.ask<{
    runtimeStatus: { clusterStatus: object; runtimeConfiguration: { clusterConfig: object } };
  }>(query, { id: runtimeID });
  const { kubernetes, provider } = (await world.shoot('versions'))?.spec ?? {};
  const { name, version } = provider.workers[0].machine.image;
  assert.ok(kubernetes.version && name && version, 'Gardener has chosen all of them');
  assert.deepEqual(runtimeStatus, {
    clusterStatus: { kubernetesVersion: kubernetes.version, machineImage: name, machineImageVersion: version },
    runtimeConfiguration: { clusterConfig: { kubernetesVersion: null } },
  });
});

test('a Shoot that somebody else deleted ends in a lost Runtime, on which nothing but deprovisioning is accepted', async () => {
  const id = await provisioned('deleted');
  await world.deleteShoot('deleted');
  const { lostAt, message, drift } = await reaches(id, 'Lost');
  assert.ok(lostAt && Date.parse(lostAt));
  assert.match(message ?? '', /Deprovision the Runtime/);
  assert.equal(drift, null);
  assert.deepEqual(await listed('{ lost: true }'), [`${id} lost`]);
  assert.ok(!(await listed('{ lost: false }')).some((line) => line.startsWith(id)));

  const mutations = [
    'hibernateRuntime(id: $id) { id }',
    'wakeUpRuntime(id: $id) { id }',
    'upgradeShoot(id: $id, config: { gardenerConfig: { autoScalerMax: 7 } }) { id }',
    'upgradeRuntime(id: $id, config: { kymaConfig: { version: "fast" } }) { id }',
    'reconnectRuntimeAgent(id: $id)',
  ];
  for (const mutation of mutations) {
    const { errors } = await world.api.send(`mutation ($id: String!) { ${mutation} }`, { id });
    assert.equal(errors[0]?.extensions?.code, 'CLUSTER_LOST', `${mutation}: ${JSON.stringify(errors)}`);
  }

  await world.succeeded(await world.deprovision(id));
  assert.equal((await clusterStatus(id)).state, 'Absent');
  assert.deepEqual(await listed('{ lost: true }'), []);
});

test('a Shoot that comes back is not lost any more; one that is not seen, but there, never is', async () => {
  const id = await provisioned('returning');
  const shoot = await world.shoot('returning');
  assert.ok(shoot);
  await world.deleteShoot('returning');
  await reaches(id, 'Lost');
  const { namespace, name, labels, annotations = {} } = shoot.metadata;
  const { 'confirmation.gardener.cloud/deletion': _, ...kept } = annotations;
  const { apiVersion, kind, spec } = shoot;
  await garden.create(shoots, {
    ...{ apiVersion, kind, spec },
    metadata: { namespace, name, labels, annotations: kept },
  } as Parameters<typeof garden.create>[1]);
  await reaches(id, 'Ready');
  // The mark goes with the next look at all clusters, such as that of a service which starts.
  const other = await world.startService();
  await eventually('the mark is gone', async () => (await listed('{ lost: true }')).length === 0);
  await other.stop();
  await world.succeeded(await world.deprovision(id));
});

test('a Shoot that was deleted while no service ran is missed by the next one', async () => {
  const id = await provisioned('unwatched');
  await world.service.stop();
  await world.deleteShoot('unwatched');
  const next = await world.startService();
  const api = graphqlClient({ endpoint: `${next.url}/graphql`, tenant: 'tenant-a' });
  await eventually('the cluster is lost', async () => {
    const answer = await api.ask<{ runtimeStatus: { clusterStatus: ClusterStatus } }>(statusQuery, { id });
    return answer.runtimeStatus.clusterStatus.state === 'Lost';
  });
});
