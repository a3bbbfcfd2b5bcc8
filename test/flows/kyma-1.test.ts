import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { HelmRelease } from '../../landscape/runtime-cluster/kyma-installer-components.ts';
import type { KymaConfigInput } from '../../src/api/generated/schema.ts';
import type { KubernetesClient, ResourceKind } from '../../src/kubernetes/kubernetes-client.ts';
import { retryMutation } from './control-documents.ts';
import { orderOf } from './orders.ts';
import { upgradeMutation } from './upgrade-documents.ts';
import { clusterClient, openWorld } from './world.ts';

const world = await openWorld();
const { api, control } = world;
const nothing = { shoots: [], clusters: [], directorRuntimes: [] };

const secrets: ResourceKind = { apiVersion: 'v1', plural: 'secrets', namespaced: true };
const configMaps: ResourceKind = { apiVersion: 'v1', plural: 'configmaps', namespaced: true };

const essentials = { component: 'cluster-essentials', namespace: 'kyma-system' };
const istio = { component: 'istio', namespace: 'istio-system' };
const agent = { component: 'compass-runtime-agent', namespace: 'compass-system' };

afterEach(() => assert.deepEqual(control.inventory(), nothing));

async function clusterOf(runtimeId: string): Promise<KubernetesClient> {
  return clusterClient((await world.runtime(runtimeId)).runtimeConfiguration.kubeconfig);
}

async function accepted(kymaConfig: KymaConfigInput) {
  return world.provision(orderOf({ kymaConfig }));
}

/** What the installer has installed, in order of name. */
async function releasesOf(cluster: KubernetesClient): Promise<readonly HelmRelease[]> {
  const { items } = await cluster.list(secrets, { labelSelector: 'owner=helm' });
  const read = ({ data }: Record<string, unknown>): HelmRelease =>
    JSON.parse(Buffer.from((data as { release: string }).release, 'base64').toString());
  return items.map(read).sort((one, other) => one.name.localeCompare(other.name));
}

test('Kyma 1 is installed with its configuration, connects, and is uninstalled before its cluster goes', async () => {
  const { id, runtimeID } = await accepted({
    version: '1.24.11',
    profile: 'Evaluation',
    configuration: [
      { key: 'global.isLocal', value: 'true' },
      { key: 'global.password', value: 'for-all-components', secret: true },
    ],
    components: [
      essentials,
      {
        ...istio,
        configuration: [
          { key: 'gateway.host', value: 'kyma.example.com' },
          { key: 'gateway.token', value: 'for-istio-only', secret: true },
        ],
      },
      agent,
    ],
  });
  await world.succeeded(id);
  const cluster = await clusterOf(runtimeID);
  const releases = await releasesOf(cluster);
  assert.deepEqual(
    releases.map(({ name, version }) => [name, version]),
    [
      ['cluster-essentials', '1.24.11'],
      ['compass-runtime-agent', '1.24.11'],
      ['istio', '1.24.11'],
    ],
  );
  const global = { 'global.isLocal': true, 'global.password': 'for-all-components' };
  assert.deepEqual(releases[0]?.values, global);
  assert.deepEqual(releases[2]?.values, {
    ...global,
    ...{ 'gateway.host': 'kyma.example.com', 'gateway.token': 'for-istio-only' },
  });
  const clear = JSON.stringify(await cluster.list(configMaps));
  for (const confidential of ['for-all-components', 'for-istio-only']) assert.ok(!clear.includes(confidential));

  const { runtimeConnectionStatus, runtimeConfiguration } = await world.runtime(runtimeID);
  assert.equal(runtimeConnectionStatus.status, 'Connected');
  assert.equal(runtimeConfiguration.kymaConfig?.profile, 'Evaluation');

  const deprovisionId = await world.deprovision(runtimeID);
  await world.succeeded(deprovisionId);
  const told = (await world.timeline(deprovisionId)).filter(({ type }) => type === 'Waiting');
  // Which it says only after the last component is gone.
  assert.match(told.map(({ message }) => message).join('\n'), /Removing the installer of Kyma/);
});

test('Kyma Lite of an early release comes with Tiller and the modules of 2019, and its agent reads a ConfigMap', async () => {
  const { id, runtimeID } = await accepted({ version: '1.11.0', modules: ['Backup', 'PrometheusOperator'] });
  await world.succeeded(id);
  const cluster = await clusterOf(runtimeID);
  const names = (await releasesOf(cluster)).map(({ name }) => name);
  assert.deepEqual(names, ['backup', 'cluster-essentials', 'compass-runtime-agent', 'istio', 'prometheus-operator']);
  const { kymaConfig } = (await world.runtime(runtimeID)).runtimeConfiguration;
  const components = kymaConfig?.components as { component: string }[];
  assert.deepEqual(
    components.map(({ component }) => component),
    ['cluster-essentials', 'istio', 'prometheus-operator', 'backup', 'compass-runtime-agent'],
    "in the release's order",
  );
  const deployments = { apiVersion: 'apps/v1', plural: 'deployments', namespaced: true } as const;
  assert.ok(await cluster.get({ ...deployments, namespace: 'kube-system', name: 'tiller-deploy' }));
  const configuration = { namespace: 'compass-system', name: 'compass-agent-configuration' };
  assert.ok(await cluster.get({ ...configMaps, ...configuration }));
  assert.equal((await world.runtime(runtimeID)).runtimeConnectionStatus.status, 'Connected');
  await world.succeeded(await world.deprovision(runtimeID));
});

test('a component that fails for good fails the operation with its own words; a retry goes on, and an upgrade works', async () => {
  const failing = { ...istio, configuration: [{ key: 'landscape.failures', value: '7' }] };
  const { id, runtimeID } = await accepted({ version: '1.23.0', components: [essentials, failing, agent] });
  const { message, lastError, stage } = await world.failed(id);
  assert.equal(stage, 'WaitingForInstallation');
  assert.match(
    message,
    /the installation of Kyma 1\.23\.0 failed at component istio \(2 of 3\): istio: Helm install error: timed out .* \(6 times\)/,
  );
  assert.deepEqual([lastError?.code, lastError?.component], ['KYMA_INSTALLATION_FAILED', 'kyma installer']);

  const retried = await api.ask<{ retryOperation: { id: string } }>(retryMutation, { id });
  await world.succeeded(retried.retryOperation.id);
  const cluster = await clusterOf(runtimeID);

  const config = { kymaConfig: { version: '1.24.11' } };
  const answer = await api.ask<{ upgradeRuntime: { id: string } }>(upgradeMutation, { id: runtimeID, config });
  await world.succeeded(answer.upgradeRuntime.id);
  const releases = await releasesOf(cluster);
  assert.deepEqual(
    releases.map(({ name, version, values }) => [name, version, values]),
    [
      ['cluster-essentials', '1.24.11', {}],
      ['compass-runtime-agent', '1.24.11', {}],
      ['istio', '1.24.11', { 'landscape.failures': '7' }],
    ],
  );
  assert.equal((await world.runtime(runtimeID)).runtimeConfiguration.kymaConfig?.version, '1.24.11');
  await world.succeeded(await world.deprovision(runtimeID));
});

test('what cannot be installed is refused before anything is stored, and the answer tells what can', async () => {
  const { errors } = await world.send(
    orderOf({
      kymaConfig: {
        version: '1.24.11',
        components: [
          { component: 'backup', namespace: 'kyma-system' },
          { ...istio, namespace: 'kyma-system' },
          { component: 'mine', namespace: 'mine', sourceURL: 'https://charts.example.com/mine.tgz' },
          { ...agent, configuration: [{ key: 'not a path', value: '1' }] },
        ],
      },
    }),
  );
  const problems = errors[0]?.extensions?.problems as { path: string; message: string }[];
  assert.deepEqual(
    problems.map(({ path }) => path.replace('config.kymaConfig.components.', '')),
    ['0.component', '1.namespace', '3.configuration.0.key', '2.sourceURL'],
  );
  assert.match(
    problems[0]?.message ?? '',
    /no component "backup" in Kyma 1\.24\.11; there is cluster-essentials, istio, prometheus-operator, service-catalog, compass-runtime-agent/,
  );
});
