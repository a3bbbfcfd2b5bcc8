import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Connector } from '../../landscape/director/connector.ts';
import { openDefinition } from '../../landscape/runtime-cluster/ensure.ts';
import type { AgentBackend } from '../../landscape/runtime-cluster/runtime-agent.ts';
import { createCertificateAuthority } from '../../landscape/tls/certificate-authority.ts';
import { compassRuntimeAgent as agent } from '../../src/agent/compass-runtime-agent.ts';
import type { AgentConfiguration, AgentTarget, ConnectionObservation } from '../../src/agent/runtime-agent.ts';
import type { RuntimeId } from '../../src/domain/ids.ts';
import type { KymaInstallation } from '../../src/domain/kyma-config.ts';
import { Secret } from '../../src/domain/secret.ts';
import { type DirectorWorld, startDirectorWorld, tenantA } from '../director/director-world.ts';
import { eventually } from '../harness/eventually.ts';
import { type KymaWorld, startKymaWorld, type TestCluster } from '../kyma/kyma-world.ts';

const connections = 'compassconnections.compass.kyma-project.io';
const connectionDefinition = openDefinition({
  group: 'compass.kyma-project.io',
  version: 'v1alpha1',
  kind: 'CompassConnection',
  plural: 'compassconnections',
  scope: 'Cluster',
});
const signal = new AbortController().signal;
const call = { tenant: tenantA };
let directorWorld: DirectorWorld;
let kyma: KymaWorld;
let installation: KymaInstallation;

before(async () => {
  directorWorld = await startDirectorWorld();
  const { director } = directorWorld;
  const connector = new Connector({
    director,
    authority: createCertificateAuthority({ name: 'agents' }),
    url: 'https://connector.local/graphql',
    directorURL: directorWorld.url,
  });
  const agentBackend: AgentBackend = {
    directorURL: directorWorld.url,
    exchange: async (_, token) => connector.exchange(token),
    synchronize: async (id) => director.runtimeCalled(id),
  };
  kyma = await startKymaWorld({ agentBackend });
  installation = await kyma.resolve();
});
after(() => Promise.all([kyma.stop(), directorWorld.stop()]));

async function clusterWithKyma(): Promise<TestCluster> {
  const cluster = kyma.newCluster();
  const target = kyma.target(cluster, installation);
  await kyma.installer.install(target);
  await eventually('Kyma is installed', async () => (await kyma.installer.observe(target)).state === 'installed');
  await eventually('CompassConnections are served', async () => {
    cluster.client.forgetDiscovery();
    return cluster.client.discover('compass.kyma-project.io/v1alpha1', 'CompassConnection');
  });
  return cluster;
}

function targetOf({ client }: TestCluster): AgentTarget {
  return { cluster: client, kyma: { installer: 'modules', version: 'fast' }, signal };
}

function register(): Promise<RuntimeId> {
  return directorWorld.client.register({ name: 'one', description: undefined, labels: {} }, call);
}

async function configuration(runtimeId: RuntimeId): Promise<AgentConfiguration> {
  return { runtimeId, tenant: tenantA, ...(await directorWorld.client.requestOneTimeToken(runtimeId, call)) };
}

function reaches(cluster: TestCluster, state: ConnectionObservation['state']): Promise<ConnectionObservation> {
  return eventually(`the agent is ${state}`, async () => {
    const seen = await agent.observe(targetOf(cluster));
    return seen.state === state && seen;
  });
}

test('an agent connects with a fresh token, and the Director knows', async () => {
  const cluster = await clusterWithKyma();
  const id = await register();
  await agent.configure(targetOf(cluster), await configuration(id));
  const seen = await reaches(cluster, 'connected');
  assert.deepEqual(seen, { state: 'connected', message: 'Runtime Agent is connected' });
  assert.equal(directorWorld.director.runtimes.require(tenantA, id).condition, 'CONNECTED');
});

test('a token that was used already fails, and another one heals it', async () => {
  const cluster = await clusterWithKyma();
  const id = await register();
  const used = await configuration(id);
  directorWorld.director.oneTimeTokens.use(used.token.reveal());
  await agent.configure(targetOf(cluster), used);
  const seen = await reaches(cluster, 'disconnected');
  assert.ok(seen.state === 'disconnected');
  assert.match(seen.error, /token is invalid, used or expired/);
  assert.doesNotMatch(JSON.stringify(seen), new RegExp(used.token.reveal()));
  await agent.configure(targetOf(cluster), await configuration(id));
  await reaches(cluster, 'connected');
});

test('all that the agent needs is written in one request, and the same again changes nothing', async () => {
  const cluster = kyma.newCluster();
  const given: AgentConfiguration = {
    runtimeId: '309051b6-0bac-44c8-8bae-3fc59c12bb5c' as RuntimeId,
    tenant: tenantA,
    token: new Secret('t0ken'),
    connectorURL: 'https://connector.local/graphql',
  };
  kyma.requests.length = 0;
  await agent.configure(targetOf(cluster), given);
  const writes = kyma.requests.filter((request) => request.endsWith('compass-agent-configuration'));
  assert.deepEqual(writes, ['patch /api/v1/namespaces/kyma-system/secrets/compass-agent-configuration']);
  const read = () => cluster.api.read('secrets', 'kyma-system', 'compass-agent-configuration');
  const data = Object.entries<string>(read()?.data).map(([key, value]) => [
    key,
    Buffer.from(value, 'base64').toString(),
  ]);
  assert.deepEqual(Object.fromEntries(data), {
    CONNECTOR_URL: 'https://connector.local/graphql',
    RUNTIME_ID: '309051b6-0bac-44c8-8bae-3fc59c12bb5c',
    TENANT: 'tenant-a',
    TOKEN: 't0ken',
  });
  assert.ok(cluster.api.read('namespaces', undefined, 'istio-system'), 'the agent needs it for its certificate');
  const version = read()?.metadata.resourceVersion;
  await agent.configure(targetOf(cluster), given);
  assert.equal(read()?.metadata.resourceVersion, version);
  await agent.configure(targetOf(cluster), { ...given, token: new Secret('other') });
  assert.notEqual(read()?.metadata.resourceVersion, version);
});

test('a Secret that somebody else wrote is taken over, and labels of namespaces stay', async () => {
  const cluster = await clusterWithKyma();
  const secrets = { apiVersion: 'v1', plural: 'secrets', namespaced: true };
  const metadata = { name: 'compass-agent-configuration', namespace: 'kyma-system' };
  await cluster.user.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data: { TOKEN: 'b2xk' } });
  await agent.configure(targetOf(cluster), await configuration(await register()));
  await reaches(cluster, 'connected');
  const namespace = cluster.api.read('namespaces', undefined, 'kyma-system');
  assert.equal(namespace?.metadata.labels?.['istio-injection'], 'enabled');
});

test('a CompassConnection is read as its state says, not its old errors', async () => {
  const cluster = await clusterWithKyma();
  const error = 'an old error';
  const cases: { status: object | undefined; state: ConnectionObservation['state']; pattern: RegExp }[] = [
    { status: undefined, state: 'pending', pattern: /no state yet/ },
    { status: { connectionState: 'Connected' }, state: 'pending', pattern: /connected, not synchronised yet/ },
    {
      status: { connectionState: 'Synchronized', connectionStatus: { error } },
      state: 'connected',
      pattern: /is connected"/,
    },
    {
      status: { connectionState: 'SynchronizationFailed', synchronizationStatus: { error: 'no Director' } },
      state: 'connected',
      pattern: /warning.*SynchronizationFailed.*no Director/,
    },
    {
      status: { connectionState: 'MetadataUpdateFailed' },
      state: 'connected',
      pattern: /warning.*MetadataUpdateFailed/,
    },
    {
      status: { connectionState: 'ResourceApplicationFailed' },
      state: 'connected',
      pattern: /warning.*ResourceApplication/,
    },
    {
      status: { connectionState: 'ConnectionFailed', connectionStatus: { error: 'token is invalid' } },
      state: 'disconnected',
      pattern: /token is invalid/,
    },
    {
      status: { connectionState: 'ConnectionMaintenanceFailed' },
      state: 'disconnected',
      pattern: /ConnectionMaintenanceFailed/,
    },
    { status: { connectionState: 'SomethingNew' }, state: 'pending', pattern: /SomethingNew/ },
  ];
  for (const { status, state, pattern } of cases) {
    const metadata = { name: 'compass-connection' };
    cluster.api.create(connections, { metadata, spec: {}, ...(status && { status }) });
    const seen = await agent.observe(targetOf(cluster));
    assert.equal(seen.state, state, JSON.stringify(status));
    assert.match(JSON.stringify(seen), pattern);
    cluster.api.remove(connections, undefined, 'compass-connection');
  }
});

test('an agent of an earlier Kyma gets what it reads, where it reads it, and connects', async () => {
  const cases: { version: string; namespace: string; kind: 'configmaps' | 'secrets' }[] = [
    { version: '1.12.0', namespace: 'compass-system', kind: 'configmaps' },
    { version: '1.13.0', namespace: 'compass-system', kind: 'secrets' },
    { version: '2.11.3', namespace: 'compass-system', kind: 'secrets' },
    { version: '2.12.0', namespace: 'kyma-system', kind: 'secrets' },
    { version: 'main', namespace: 'kyma-system', kind: 'secrets' },
  ];
  for (const { version, namespace, kind } of cases) {
    const cluster = kyma.newCluster();
    const target: AgentTarget = { ...targetOf(cluster), kyma: { installer: 'installer-cr', version } };
    cluster.api.create('namespaces', { metadata: { name: namespace } });
    const image = `landscape.example/compass-runtime-agent:${version}`;
    const template = { spec: { containers: [{ name: 'compass-runtime-agent', image }] } };
    const metadata = { name: 'compass-runtime-agent', namespace };
    cluster.api.create('customresourcedefinitions', connectionDefinition);
    cluster.api.create('deployments', { metadata, spec: { replicas: 1, template } });
    const given = await configuration(await register());
    const mark = { name: 'operation/1', tokenRequestedAt: new Date('2026-11-20T09:41:00Z') };
    await agent.configure(target, { ...given, mark });
    const written = cluster.api.read(kind, namespace, 'compass-agent-configuration');
    const token = kind === 'configmaps' ? given.token.reveal() : Buffer.from(given.token.reveal()).toString('base64');
    assert.equal(written?.data?.TOKEN, token, version);
    assert.deepEqual(await agent.configurationMark(target), mark);
    await eventually(
      `the agent of ${version} to connect`,
      async () => (await agent.observe(target)).state === 'connected',
    );
    const { connection, certificate } = await agent.look(target);
    assert.ok(connection?.established && certificate);
    assert.equal(await agent.obstacle(target), undefined);
    await agent.configure(target, given);
    assert.equal(await agent.configurationMark(target), undefined, 'a mark that is not given again is taken away');
  }
});

test('an agent that is gone, or crashes, is told as that, whatever it said before', async () => {
  const cluster = await clusterWithKyma();
  const target = targetOf(cluster);
  assert.equal(await agent.obstacle(target), undefined);
  await agent.configure(target, await configuration(await register()));
  await reaches(cluster, 'connected');
  cluster.api.write('deployments', 'kyma-system', 'compass-runtime-agent', ({ status }) => {
    status.conditions = [
      { type: 'Available', status: 'False', message: 'Deployment does not have minimum availability.' },
    ];
  });
  const warning = async () => {
    const seen = await agent.observe(target);
    return seen.state === 'connected' ? seen.warning : seen.state;
  };
  const head =
    'Runtime Agent was connected, but does not run now: its Deployment kyma-system/compass-runtime-agent is not available: ';
  assert.equal(await warning(), `${head}Deployment does not have minimum availability.`);
  const { labels } =
    cluster.api.read('deployments', 'kyma-system', 'compass-runtime-agent')?.spec.template.metadata ?? {};
  const pods: { status: object; told: string }[] = [
    {
      status: { state: { waiting: { reason: 'ContainerCreating' } } },
      told: 'Deployment does not have minimum availability.',
    },
    {
      status: { state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } } },
      told: 'ImagePullBackOff: no such image',
    },
    {
      status: {
        restartCount: 4,
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
        lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
      },
      told: 'CrashLoopBackOff after 4 restarts, exit code 137: back-off',
    },
  ];
  for (const { status, told } of pods) {
    const metadata = { name: 'agent', namespace: 'kyma-system', labels };
    cluster.api.create('pods', { metadata, spec: {}, status: { containerStatuses: [status] } });
    assert.equal(await warning(), `${head}${told}`);
    cluster.api.remove('pods', 'kyma-system', 'agent');
  }
  cluster.api.remove('deployments', 'kyma-system', 'compass-runtime-agent');
  const error = 'its Deployment kyma-system/compass-runtime-agent does not exist';
  assert.deepEqual(await agent.observe(target), { state: 'disconnected', message: 'Runtime Agent is gone', error });
  assert.match((await agent.obstacle(target)) ?? '', /^there is no Runtime Agent in the cluster/);
});

test('while nothing is reported, the reason is told', async () => {
  const bare = kyma.newCluster();
  const message = async (cluster: TestCluster) => {
    const seen = await agent.observe(targetOf(cluster));
    assert.equal(seen.state, 'pending');
    return seen.message;
  };
  assert.match(await message(bare), /Deployment kyma-system\/compass-runtime-agent does not exist/);
  assert.match(
    await message(await clusterWithKyma()),
    /not tried to connect yet; its Deployment .* is not started yet/,
  );
  // An agent that runs, on a cluster where it has nowhere to report.
  bare.api.create('namespaces', { metadata: { name: 'kyma-system' } });
  const metadata = { name: 'compass-runtime-agent', namespace: 'kyma-system' };
  bare.api.create('deployments', { metadata, spec: { replicas: 1 } });
  const deployment = () => bare.api.read('deployments', 'kyma-system', 'compass-runtime-agent');
  await eventually('the agent runs', () => deployment()?.status?.availableReplicas === 1);
  assert.equal(await message(bare), 'Runtime Agent has not tried to connect yet');
  bare.api.write('deployments', 'kyma-system', 'compass-runtime-agent', ({ status }) => {
    status.conditions = [{ type: 'Available', status: 'False', message: 'ImagePullBackOff' }];
  });
  assert.match(await message(bare), /is not available: ImagePullBackOff/);
});
