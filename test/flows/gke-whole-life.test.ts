import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installationLabel, ownerLabel, tenantLabel } from '../../src/clusters/gke/gke-order.ts';
import type { Tenant } from '../../src/domain/ids.ts';
import type { ResourceKind } from '../../src/kubernetes/kubernetes-client.ts';
import { eventually } from '../harness/eventually.ts';
import { clusterClient, directorOf, openWorld } from './world.ts';

/** Clusters straight from GKE, through the API, from the oldest call on. */
const world = await openWorld();
const { api, control } = world;

function register(name: string): Promise<string> {
  const call = { tenant: 'tenant-a' as Tenant, signal: undefined };
  return directorOf(world).register({ name, description: '', labels: {} }, call);
}

/** Letter by letter what the first clients sent, but for the versions. */
const provision = (id: string, { region = 'europe-west3-a', name = 'runtime-1', nodes = 1 } = {}) => `
  mutation { provisionRuntime(id: "${id}" config: {
    clusterConfig: { gcpConfig: { name: "${name}" projectName: "my-project" kubernetesVersion: "1.34"
      bootDiskSizeGB: 30 numberOfNodes: ${nodes} machineType: "n1-standard-4" region: "${region}" } }
    kymaConfig: { version: "1.1.0" modules: ApiGateway }
    credentials: { secretName: "gcp-secret" }
  }) }`;

const statusQuery = `query ($id: String!) { runtimeStatus(id: $id) {
  lastOperationStatus { operation state message }
  runtimeConnectionStatus { status }
  runtimeConfiguration {
    credentialsSecretName kubeconfig
    clusterConfig {
      name provider region
      ... on GCPConfig { projectName kubernetesVersion numberOfNodes bootDiskSizeGB machineType region zone location totalNumberOfNodes }
      ... on GardenerConfig { targetSecret }
    }
  } } }`;

interface Status {
  readonly runtimeStatus: {
    readonly runtimeConnectionStatus: { readonly status: string };
    readonly runtimeConfiguration: {
      readonly credentialsSecretName: string;
      readonly kubeconfig: string;
      readonly clusterConfig: Readonly<Record<string, unknown>>;
    };
  };
}

const namespaced = (plural: string): ResourceKind => ({ apiVersion: 'v1', plural, namespaced: true });
const services = namespaced('services');
const claims = namespaced('persistentvolumeclaims');

test('a Runtime on GKE lives its whole life, from the oldest call to a project in which nothing is left', async () => {
  const id = await register('runtime-1');
  const { provisionRuntime } = await api.ask<{ provisionRuntime: string }>(provision(id));
  await world.succeeded(provisionRuntime);
  const skipped = (await world.timeline(provisionRuntime)).filter(({ type }) => type === 'StageSkipped');
  assert.ok(skipped.some(({ stage }) => stage === 'WaitingForClusterDomain'));

  const { runtimeStatus } = await api.ask<Status>(statusQuery, { id });
  assert.equal(runtimeStatus.runtimeConnectionStatus.status, 'Connected');
  const { clusterConfig, kubeconfig, credentialsSecretName } = runtimeStatus.runtimeConfiguration;
  assert.deepEqual(clusterConfig, {
    ...{ name: 'runtime-1', provider: 'gcp', region: 'europe-west3-a', projectName: 'my-project' },
    ...{ kubernetesVersion: '1.34', numberOfNodes: 1, bootDiskSizeGB: 30, machineType: 'n1-standard-4' },
    ...{ zone: null, location: 'europe-west3-a', totalNumberOfNodes: 1 },
  });
  assert.equal(credentialsSecretName, 'gcp-secret');
  const [cluster, ...others] = control.googleInventory().clusters;
  assert.deepEqual(others, []);
  assert.deepEqual(Object.keys(cluster?.labels ?? {}), [ownerLabel, installationLabel, tenantLabel]);
  assert.equal(cluster?.labels[ownerLabel], id);

  // What the user holds is good in this cluster alone; it is no token of Google's.
  assert.doesNotMatch(kubeconfig, /ya29\.|private_key/);
  const user = clusterClient(kubeconfig);
  await user.create(services, {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default' } },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  });
  await user.create(claims, {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data', namespace: 'default' } },
    spec: { accessModes: ['ReadWriteOnce'] },
  });
  // Left alone, these would make the disk again, or hold it.
  await user.create(
    { apiVersion: 'apps/v1', plural: 'statefulsets', namespaced: true },
    {
      ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db', namespace: 'default' } },
      spec: { serviceName: 'db', volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
    },
  );
  await user.create(namespaced('pods'), {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'db-0', namespace: 'default' } },
    spec: { containers: [], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
  });
  // Nobody ever claimed this one, so nobody will let go of it.
  await user.create(
    { apiVersion: 'v1', plural: 'persistentvolumes', namespaced: false },
    {
      ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'spare' } },
      spec: { persistentVolumeReclaimPolicy: 'Delete', nfs: { server: 'nfs.example.com', path: '/' } },
    },
  );
  await eventually(
    'the cloud to have a load balancer and a disk',
    () => control.googleInventory().resources.length === 2,
  );

  const deprovisioning = await world.deprovision(id);
  await world.succeeded(deprovisioning);
  assert.deepEqual(control.googleInventory(), { clusters: [], resources: [] });
  const deleted = control.requests('cluster').filter(({ method }) => method === 'DELETE');
  for (const rest of ['statefulsets/db', 'pods/db-0']) {
    assert.ok(
      deleted.some(({ path }) => path.endsWith(`/namespaces/default/${rest}`)),
      rest,
    );
  }
  const words = (await world.timeline(deprovisioning)).map(({ message }) => message).join('\n');
  assert.match(words, /load balancer of Service default\/web, disk of PersistentVolumeClaim default\/data/);
});

test('a region has as many nodes in each of its zones, and the caller reads how many that makes', async () => {
  const id = await register('regional');
  control.setGkeFate('regional', { kind: 'stuck' });
  const { provisionRuntime } = await api.ask<{ provisionRuntime: string }>(
    provision(id, { name: 'regional', region: 'europe-west3', nodes: 2 }),
  );
  await world.reaches(provisionRuntime, 'the number of nodes', ({ message }) =>
    /a cluster of 6 nodes \(2 in each of 3 zones of europe-west3\)/.test(message),
  );
  control.liftGkeFate('regional');
  await world.succeeded(provisionRuntime);
  const { runtimeStatus } = await api.ask<Status>(statusQuery, { id });
  assert.equal(runtimeStatus.runtimeConfiguration.clusterConfig.totalNumberOfNodes, 6);
});

test('the same name is free in another location, taken in the same one, and refused where there is no location', async () => {
  const [first, second, third] = [await register('twin-1'), await register('twin-2'), await register('twin-3')];
  const { provisionRuntime: one } = await api.ask<{ provisionRuntime: string }>(provision(first, { name: 'twin' }));
  const { provisionRuntime: two } = await api.ask<{ provisionRuntime: string }>(
    provision(second, { name: 'twin', region: 'europe-west3-b' }),
  );
  await Promise.all([world.succeeded(one), world.succeeded(two)]);
  const refused = await api.send(provision(third, { name: 'twin' }));
  assert.equal(refused.errors[0]?.extensions?.code, 'CLUSTER_NAME_TAKEN');
  const { errors } = await api.send(provision(third, { region: 'europe-west33' }));
  const { error_component: component, error_reason: reason } = errors[0]?.extensions ?? {};
  assert.deepEqual([component, reason], ['google kubernetes engine', 'badRequest']);
});

test('a cluster that fails for want of machines says so, and a retry makes it anew', async () => {
  const id = await register('sold-out');
  control.setGkeFate('sold-out', { kind: 'failed' });
  const { provisionRuntime } = await api.ask<{ provisionRuntime: string }>(provision(id, { name: 'sold-out' }));
  const { lastError } = await world.failed(provisionRuntime);
  assert.match(lastError?.errMessage ?? '', /does not have enough resources available/);
  assert.deepEqual(
    [lastError?.code, lastError?.actor, lastError?.component, lastError?.reason],
    ['CLUSTER_FAILED_PROVIDER', 'provider', 'google kubernetes engine', 'GCE_STOCKOUT'],
  );
  assert.match(lastError?.nextStep ?? '', /^Send retryOperation later; .* in another zone/);
  control.liftGkeFate('sold-out');
  const { retryOperation } = await api.ask<{ retryOperation: { id: string } }>(
    'mutation ($id: String!) { retryOperation(id: $id) { id } }',
    { id: provisionRuntime },
  );
  await world.succeeded(retryOperation.id);
  const made = control.googleInventory().clusters.filter(({ name }) => name === 'sold-out');
  assert.deepEqual(
    made.map(({ status }) => status),
    ['RUNNING'],
  );
});

test('a Runtime whose cluster failed is deprovisioned', async () => {
  const id = await register('broken');
  control.setGkeFate('broken', { kind: 'failed', code: 'GCE_QUOTA_EXCEEDED', message: "Quota 'CPUS' exceeded." });
  const { provisionRuntime } = await api.ask<{ provisionRuntime: string }>(provision(id, { name: 'broken' }));
  assert.equal((await world.failed(provisionRuntime)).lastError?.code, 'CLUSTER_FAILED');
  await world.succeeded(await world.deprovision(id));
  assert.ok(!control.googleInventory().clusters.some(({ name }) => name === 'broken'));
});

test('Kubernetes is upgraded and nodes are added with upgradeRuntime; what only Gardener can do is refused with the reason', async () => {
  const id = await register('upgraded');
  const { provisionRuntime } = await api.ask<{ provisionRuntime: string }>(provision(id, { name: 'upgraded' }));
  await world.succeeded(provisionRuntime);
  const upgrade = (kubernetesVersion: string) =>
    api.send<{ upgradeRuntime: { id: string } }>(
      `mutation ($id: String!, $config: UpgradeRuntimeInput!) { upgradeRuntime(id: $id, config: $config) { id } }`,
      { id, config: { clusterConfig: { kubernetesVersion } } },
    );
  const tooFar = await upgrade('1.36');
  assert.match(
    tooFar.errors[0]?.message ?? '',
    /clusterConfig\.kubernetesVersion: 1\.36 is not offered; the cluster has 1\.34/,
  );
  const accepted = await upgrade('1.35');
  await world.succeeded(accepted.data?.upgradeRuntime.id ?? '');
  const { version } = control.googleInventory().clusters.find(({ name }) => name === 'upgraded') ?? {};
  assert.match(version ?? '', /^1\.35\./);
  const { runtimeStatus } = await api.ask<Status>(statusQuery, { id });
  assert.equal(runtimeStatus.runtimeConfiguration.clusterConfig.kubernetesVersion, '1.35');

  const resize = (numberOfNodes: number) =>
    api.send<{ upgradeRuntime: { id: string } }>(
      `mutation ($id: String!, $config: UpgradeRuntimeInput!) { upgradeRuntime(id: $id, config: $config) { id } }`,
      { id, config: { clusterConfig: { numberOfNodes } } },
    );
  assert.match((await resize(0)).errors[0]?.message ?? '', /clusterConfig\.numberOfNodes: 0 is not between 1 and 1000/);
  await world.succeeded((await resize(3)).data?.upgradeRuntime.id ?? '');
  const resized = (await api.ask<Status>(statusQuery, { id })).runtimeStatus.runtimeConfiguration;
  assert.deepEqual([resized.clusterConfig.numberOfNodes, resized.clusterConfig.totalNumberOfNodes], [3, 3]);
  const nodes = { apiVersion: 'v1', plural: 'nodes', namespaced: false };
  assert.equal((await clusterClient(resized.kubeconfig).list(nodes)).items.length, 3);

  const refusals = {
    'upgradeShoot(id: $id, config: { gardenerConfig: { machineType: "n1-standard-8" } }) { id }':
      /not made through Gardener; only upgradeRuntime/,
    'hibernateRuntime(id: $id) { id }': /Google Kubernetes Engine cannot be hibernated: Google does not offer that/,
    'wakeUpRuntime(id: $id) { id }': /never woken up/,
  };
  for (const [mutation, words] of Object.entries(refusals)) {
    const { errors } = await api.send(`mutation ($id: String!) { ${mutation} }`, { id });
    assert.equal(errors[0]?.extensions?.code, 'NOT_SUPPORTED', mutation);
    assert.match(errors[0]?.message ?? '', words);
  }
});

test('a dry run shows the request that Google would get, and sends it not', async () => {
  const before = control.googleInventory().clusters.length;
  const { planProvision } = await api.ask<{ planProvision: { changes: readonly Record<string, unknown>[] } }>(`query {
    planProvision(config: { runtimeInput: { name: "dry" } credentials: { secretName: "gcp-secret" }
      clusterConfig: { gcpConfig: { name: "dry" projectName: "my-project" region: "europe-west3" } } }) {
      changes { action to subject manifest } } }`);
  const planned = planProvision.changes.find(({ to }) => to === 'gke');
  assert.equal(planned?.subject, 'cluster dry');
  assert.match(
    JSON.stringify(planned?.manifest),
    /"initialNodeCount":1,.*"machineType":"n2-standard-4","diskSizeGb":50/,
  );
  assert.equal(control.googleInventory().clusters.length, before);
});
