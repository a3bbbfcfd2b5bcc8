import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UpgradeShootInput } from '../../src/api/generated/schema.ts';
import type { KubernetesClient } from '../../src/kubernetes/kubernetes-client.ts';
import { eventually } from '../harness/eventually.ts';
import { type ControlledOperation, cancelMutation, controlledQuery, retryMutation } from './control-documents.ts';
import { orderOf } from './orders.ts';
import {
  administratorsQuery,
  planUpgradeShootQuery,
  type ShootChangeAnswer,
  upgradeShootMutation,
} from './shoot-change-documents.ts';
import { clusterClient, openWorld, projectNamespace, shoots } from './world.ts';

const world = await openWorld();
const { control } = world;
const bindings = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  plural: 'clusterrolebindings',
  namespaced: false,
} as const;

interface RuntimeUnderTest {
  readonly id: string;
  readonly name: string;
  send(
    config: UpgradeShootInput,
    dryRun?: boolean,
  ): ReturnType<typeof world.api.send<{ upgradeShoot: ShootChangeAnswer }>>;
  ask(config: UpgradeShootInput, dryRun?: boolean): Promise<ShootChangeAnswer>;
  edit(patch: object): Promise<unknown>;
  cluster(): Promise<KubernetesClient>;
}

async function provisioned(name: string, administrators: readonly string[] = []): Promise<RuntimeUnderTest> {
  const order = orderOf({ kymaConfig: null, gardenerConfig: { name, kubernetesVersion: '1.34.2' } });
  const { clusterConfig } = order;
  const { id, runtimeID } = await world.provision({ ...order, clusterConfig: { ...clusterConfig, administrators } });
  await world.succeeded(id);
  const runtime: RuntimeUnderTest = {
    id: runtimeID,
    name,
    send: (config, dryRun) => world.api.send(upgradeShootMutation, { id: runtimeID, config, dryRun }),
    ask: async (config, dryRun) =>
      (
        await world.api.ask<{ upgradeShoot: ShootChangeAnswer }>(upgradeShootMutation, {
          id: runtimeID,
          config,
          dryRun,
        })
      ).upgradeShoot,
    edit: (patch) => world.garden.patch({ ...shoots, namespace: projectNamespace, name }, patch),
    cluster: async () => clusterClient((await world.runtime(runtimeID)).runtimeConnectionConfig.kubeconfig),
  };
  return runtime;
}

const boundUsers = async (cluster: KubernetesClient) => {
  const { items } = await cluster.list(bindings, { labelSelector: 'app=kyma,type=admin' });
  const found = items.map(({ metadata, subjects }) => [(subjects as { name: string }[])[0]?.name, metadata.name]);
  return Object.fromEntries(found.toSorted());
};

test('a change goes through its stages, and the Runtime is configured so as soon as Gardener was told', async () => {
  const runtime = await provisioned('change-a');
  control.setShootFate('change-a', { kind: 'stuck', during: 'Reconcile' });
  const { id, message, operation, state } = await runtime.ask({
    gardenerConfig: { machineType: 'n2-standard-8', autoScalerMax: 9 },
  });
  assert.deepEqual(
    { message, operation, state },
    {
      message: 'Starting Gardener Shoot upgrade',
      operation: 'UpgradeShoot',
      state: 'InProgress',
    },
  );
  const waiting = await world.reaches(
    id,
    "Gardener's work",
    ({ stage, progress }) => stage === 'WaitingForShootUpgrade' && progress !== null,
  );
  assert.match(waiting.message, /^Reconcile Processing, \d+ %/);
  const { clusterConfig } = (await world.runtime(runtime.id)).runtimeConfiguration;
  assert.deepEqual([clusterConfig.machineType, clusterConfig.autoScalerMax], ['n2-standard-8', 9]);
  const second = await runtime.send({ gardenerConfig: { machineType: 'n2-standard-16' } });
  assert.match(second.errors[0]?.message ?? '', new RegExp(`while previous one is in progress: UpgradeShoot ${id}$`));
  control.liftShootFate();
  assert.equal((await world.succeeded(id)).message, 'Operation succeeded.');
  assert.deepEqual(
    (await world.timeline(id)).filter(({ type }) => type !== 'Waiting').map(({ type, stage }) => `${type} ${stage}`),
    [
      'Accepted UpdatingShoot',
      'StageDone UpdatingShoot',
      'StageStarted WaitingForShootNewVersion',
      'StageDone WaitingForShootNewVersion',
      'StageStarted WaitingForShootUpgrade',
      'StageDone WaitingForShootUpgrade',
      'StageSkipped CreatingBindingsForOperators',
      'Succeeded Finished',
    ],
  );
  const shoot = await world.shoot('change-a');
  assert.equal(shoot?.spec.provider.workers[0].machine.type, 'n2-standard-8');

  // What the cluster is already is not sent again; nothing at all is fine, too.
  for (const gardenerConfig of [{ machineType: 'n2-standard-8' }, {}]) {
    await world.succeeded((await runtime.ask({ gardenerConfig })).id);
    assert.equal((await world.shoot('change-a'))?.metadata.generation, shoot?.metadata.generation);
  }
  await world.succeeded(await world.deprovision(runtime.id));
});

test('what somebody else has changed is put right when it is asked for, and left alone otherwise', async () => {
  const runtime = await provisioned('change-b');
  const ours = (await world.shoot('change-b'))?.spec.provider.workers[0];
  await runtime.edit({
    spec: { kubernetes: { version: '1.34.3' }, provider: { workers: [{ ...ours, maximum: 11, maxSurge: 3 }] } },
  });
  const { id, message } = await runtime.ask({
    gardenerConfig: { autoScalerMax: ours.maximum, kubernetesVersion: '1.34.2', purpose: 'testing' },
  });
  await world.succeeded(id);
  const spec = (await world.shoot('change-b'))?.spec;
  const [{ maximum, maxSurge }] = spec.provider.workers;
  assert.deepEqual([maximum, maxSurge, spec.purpose, spec.kubernetes.version], [ours.maximum, 3, 'testing', '1.34.3']);
  assert.equal(message, 'Starting Gardener Shoot upgrade. Kubernetes stays at 1.34.3, which is newer than 1.34.2');
  const { clusterConfig } = (await world.runtime(runtime.id)).runtimeConfiguration;
  assert.equal(clusterConfig.kubernetesVersion, '1.34.3');
  await world.succeeded(await world.deprovision(runtime.id));
});

test('administrators are exactly those given, and whoever stays is bound throughout', async () => {
  const runtime = await provisioned('change-c', ['ann@example.com', 'bob@example.com', 'cyd@example.com']);
  const cluster = await runtime.cluster();
  const firstBinding = async (user: string) =>
    (await cluster.list(bindings)).items.find(({ subjects }) => JSON.stringify(subjects).includes(user));
  const before = await firstBinding('cyd@example.com');
  const theirs = {
    apiVersion: bindings.apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'operators', labels: { app: 'kyma', type: 'admin' } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'operator' }],
  };
  await cluster.create(bindings, theirs);
  const generation = (await world.shoot('change-c'))?.metadata.generation;

  const administrators = ['cyd@example.com', 'dan@example.com', 'dan@example.com'];
  const { id } = await runtime.ask({ gardenerConfig: {}, administrators });
  await world.succeeded(id);
  assert.deepEqual(await boundUsers(cluster), {
    'cyd@example.com': 'administrator2',
    'dan@example.com': 'administrator0',
    operator: 'operators',
  });
  const after = await firstBinding('cyd@example.com');
  assert.deepEqual([after?.metadata.uid, after?.subjects], [before?.metadata.uid, before?.subjects]);
  assert.equal((await world.shoot('change-c'))?.metadata.generation, generation, 'the Shoot was not touched');
  const stages = (await world.timeline(id)).filter(({ type }) => type === 'StageSkipped').map(({ stage }) => stage);
  assert.deepEqual(stages, ['UpdatingShoot', 'WaitingForShootNewVersion', 'WaitingForShootUpgrade']);

  await world.succeeded((await runtime.ask({ gardenerConfig: { purpose: 'testing' } })).id);
  const stored = async () =>
    (
      await world.api.ask<{ runtimeStatus: { runtimeConfiguration: { administrators: string[] } } }>(
        administratorsQuery,
        {
          id: runtime.id,
        },
      )
    ).runtimeStatus.runtimeConfiguration.administrators;
  assert.deepEqual(await stored(), ['cyd@example.com', 'dan@example.com'], 'left out means unchanged');
  await world.succeeded((await runtime.ask({ gardenerConfig: {}, administrators: [] })).id);
  assert.deepEqual([await stored(), await boundUsers(cluster)], [[], { operator: 'operators' }]);
  await world.succeeded(await world.deprovision(runtime.id));
});

test('every mistake is told at once at its path, and nothing is stored', async () => {
  const runtime = await provisioned('change-d');
  const counts = await world.rowCounts();
  const before = await world.shoot('change-d');
  const { errors } = await runtime.send({
    gardenerConfig: {
      kubernetesVersion: '1.33.6',
      purpose: '',
      autoScalerMin: 0,
      exposureClassName: 'internet',
      workerCidr: '10.250.4.0/22',
      providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-b'] }, awsConfig: { vpcCidr: '10.0.0.0/16' } },
    },
    administrators: ['ann@example.com', ' '],
  });
  const [{ extensions, message } = { extensions: undefined, message: '' }] = errors;
  assert.equal(extensions?.code, 'INVALID_INPUT', message);
  const problems = extensions?.problems as { path: string; message: string }[];
  assert.deepEqual(problems.map(({ path }) => path).toSorted(), [
    'config.administrators.1',
    'config.gardenerConfig.autoScalerMin',
    'config.gardenerConfig.exposureClassName',
    'config.gardenerConfig.kubernetesVersion',
    'config.gardenerConfig.providerSpecificConfig.awsConfig',
    'config.gardenerConfig.providerSpecificConfig.gcpConfig.zones',
    'config.gardenerConfig.purpose',
    'config.gardenerConfig.workerCidr',
  ]);
  assert.deepEqual(await world.rowCounts(), counts);
  const only = async (gardenerConfig: UpgradeShootInput['gardenerConfig']) =>
    (await runtime.send({ gardenerConfig })).errors[0];
  const cases = [
    [
      { machineType: 'n2-standard-5' },
      'INVALID_INPUT',
      /machineType "n2-standard-5" is not offered; offered are n2-standard-2, n2-standard-4/,
    ],
    [
      { kubernetesVersion: '1.36.0' },
      'INVALID_INPUT',
      /1\.36\.0 leaves out a minor version: the cluster has 1\.34\.2, so that 1\.35 comes next/,
    ],
    [{ targetSecret: 'aws-credentials' }, 'INVALID_INPUT', /only a binding of the same credentials can take its place/],
  ] as const;
  for (const [gardenerConfig, code, words] of cases) {
    const error = await only(gardenerConfig);
    assert.equal(error?.extensions?.code, code, String(error?.message));
    assert.match(error?.message ?? '', words);
  }
  assert.deepEqual(await world.rowCounts(), counts);
  assert.deepEqual(await world.shoot('change-d'), before);
  const stranger = world.as({ tenant: 'tenant-b' });
  const answer = await stranger.send(upgradeShootMutation, { id: runtime.id, config: { gardenerConfig: {} } });
  assert.equal(answer.errors[0]?.extensions?.code, 'NOT_FOUND');
  await world.succeeded(await world.deprovision(runtime.id));
});

test('a dry run shows exactly what would be sent, and changes nothing', async () => {
  const runtime = await provisioned('change-e', ['ann@example.com']);
  const config = {
    gardenerConfig: { kubernetesVersion: '1.35', volumeSizeGB: 100, oidcConfig: issuer('https://one.example.com') },
    administrators: ['bob@example.com'],
  };
  const [before, counts] = [await world.shoot('change-e'), await world.rowCounts()];
  const dry = await runtime.ask(config, true);
  assert.deepEqual([dry.id, dry.state], ['', 'Pending']);
  const { planUpgradeShoot } = await world.api.ask<{ planUpgradeShoot: ShootChangeAnswer['plan'] }>(
    planUpgradeShootQuery,
    {
      id: runtime.id,
      config,
    },
  );
  assert.deepEqual(planUpgradeShoot, dry.plan);
  const changes = dry.plan?.changes ?? [];
  assert.deepEqual(
    changes.map(({ stage, action, to, subject }) => `${stage}: ${action} ${subject} at ${to}`),
    [
      'UpdatingShoot: Change ConfigMap change-e at gardener',
      'UpdatingShoot: Change Shoot change-e at gardener',
      'CreatingBindingsForOperators: Create ClusterRoleBinding administrator0 at cluster',
    ],
  );
  assert.deepEqual(changes[1]?.fields, [
    { field: 'kubernetesVersion', from: '1.34.2', to: '1.35' },
    { field: 'volumeSizeGB', from: '50', to: '100' },
    { field: 'oidcConfig', from: null, to: 'change-e' },
  ]);
  assert.deepEqual([await world.shoot('change-e'), await world.rowCounts()], [before, counts]);

  await world.succeeded((await runtime.ask(config)).id);
  const { kubernetes, provider } = (await world.shoot('change-e'))?.spec ?? {};
  const planned = changes[1]?.manifest as { spec: Record<'kubernetes' | 'provider', Record<string, unknown>> };
  assert.deepEqual(planned.spec.kubernetes, {
    version: '1.35',
    kubeAPIServer: { structuredAuthentication: kubernetes.kubeAPIServer.structuredAuthentication },
  });
  assert.deepEqual(planned.spec.provider.workers, provider.workers);
  await world.succeeded(await world.deprovision(runtime.id));
});

test('a failure of the cluster is told in the words of old, and a retry makes Gardener go on', async () => {
  const runtime = await provisioned('change-f');
  control.setShootFate('change-f', { kind: 'failed', during: 'Reconcile', codes: ['ERR_INFRA_QUOTA_EXCEEDED'] });
  const { id } = await runtime.ask({ gardenerConfig: { autoScalerMin: 3 } });
  const { lastError, stage } = await world.failed(id);
  assert.match(stage, /^WaitingForShoot/);
  assert.match(
    lastError?.errMessage ?? '',
    /^Gardener Shoot cluster upgrade failed\. Last Shoot state: Failed, Shoot description: /,
  );
  assert.deepEqual([lastError?.reason, lastError?.actor], ['ERR_INFRA_QUOTA_EXCEEDED', 'caller']);
  control.liftShootFate();
  const { retryOperation } = await world.api.ask<{ retryOperation: { id: string } }>(retryMutation, { id });
  await world.succeeded(retryOperation.id);
  assert.equal((await world.shoot('change-f'))?.spec.provider.workers[0].minimum, 3);
  await world.succeeded(await world.deprovision(runtime.id));
});

test('a change that is cancelled says what goes on without it', async () => {
  const runtime = await provisioned('change-h');
  control.setShootFate('change-h', { kind: 'stuck', during: 'Reconcile' });
  const { id } = await runtime.ask({ gardenerConfig: { autoScalerMin: 3 } });
  await world.reaches(id, "Gardener's work", ({ stage }) => stage === 'WaitingForShootUpgrade');
  await world.api.ask(cancelMutation, { id });
  const ended = async () => {
    const { runtimeOperationStatus } = await world.api.ask<{ runtimeOperationStatus: ControlledOperation }>(
      controlledQuery,
      { id },
    );
    return runtimeOperationStatus.state === 'Failed' && runtimeOperationStatus.cancellation;
  };
  const cancellation = await eventually('the cancellation', ended);
  assert.ok(
    cancellation?.residue.includes('cluster change-h (gardener): goes on to change, if it was told to: autoScalerMin'),
  );
  control.liftShootFate();
  const { retryOperation } = await world.api.ask<{ retryOperation: { id: string } }>(retryMutation, { id });
  await world.succeeded(retryOperation.id);
  await world.succeeded(await world.deprovision(runtime.id));
});

test('Gardener that is away is waited for, and a Shoot that is gone is told', async () => {
  const runtime = await provisioned('change-g');
  const fault = control.addFault({ target: 'garden', action: { kind: 'status', status: 503 } });
  const dry = await runtime.send({ gardenerConfig: { autoScalerMax: 6 } }, true);
  assert.equal(dry.errors[0]?.extensions?.code, 'CLUSTER_PROVIDER_UNAVAILABLE');
  const { id } = await runtime.ask({ gardenerConfig: { autoScalerMax: 6 } });
  await world.reaches(id, 'a try that failed', ({ lastError }) => lastError !== null);
  control.removeFault(fault);
  await world.succeeded(id);
  assert.equal((await world.shoot('change-g'))?.spec.provider.workers[0].maximum, 6);

  const reference = { ...shoots, namespace: projectNamespace, name: 'change-g' };
  await world.garden.patch(reference, {
    metadata: { annotations: { 'confirmation.gardener.cloud/deletion': 'true' } },
  });
  await world.garden.delete(reference);
  await eventually('the Shoot to be gone', async () => (await world.shoot('change-g')) === undefined);
  const { errors } = await runtime.send({ gardenerConfig: { autoScalerMax: 7 } });
  assert.equal(errors[0]?.extensions?.code, 'CLUSTER_LOST');
  await world.succeeded(await world.deprovision(runtime.id));
});

function issuer(issuerURL: string) {
  return {
    clientID: 'kyma',
    groupsClaim: 'groups',
    issuerURL,
    signingAlgs: ['RS256'],
    usernameClaim: 'sub',
    usernamePrefix: '-',
  };
}
