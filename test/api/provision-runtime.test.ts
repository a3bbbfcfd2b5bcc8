import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import type { RuntimeId, Tenant } from '../../src/domain/ids.ts';
import {
  apiUnderTest,
  clusterDriver,
  provisionMutation,
  registrarOf,
  tutorialGardenerConfig,
} from './api-under-test.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test('the mutation of the tutorial is accepted and its operation is in progress', async (t) => {
  const { call } = await apiUnderTest(t);
  const { status, data, errors } = await call(provisionMutation());
  assert.equal(errors, undefined);
  assert.equal(status, 200);
  const { id, runtimeID, ...rest } = data.provisionRuntime;
  assert.match(id, uuid);
  assert.match(runtimeID, uuid);
  assert.deepEqual(rest, { operation: 'Provision', state: 'InProgress', message: 'Provisioning started' });

  const asked = await call(
    `{ runtimeOperationStatus(id: "${id}") { id operation state message runtimeID compassRuntimeID stage progress
      startedAt stageStartedAt finishedAt errors { message } lastError { errMessage } } }`,
  );
  const operation = asked.data.runtimeOperationStatus;
  assert.equal(operation.runtimeID, runtimeID);
  assert.equal(operation.compassRuntimeID, null, 'nothing is registered');
  assert.equal(operation.stage, 'CreatingCluster');
  assert.equal(new Date(operation.startedAt).toISOString(), operation.startedAt);
  assert.equal(operation.finishedAt, null);
  assert.deepEqual([operation.errors, operation.lastError], [[], null]);
});

test('what is stored is what was asked for, with defaults filled in and a generated name', async (t) => {
  const driver = clusterDriver();
  const { call } = await apiUnderTest(t, { driver });
  const gardener = `provider: "azure", targetSecret: "azure-credentials", region: "westeurope", workerCidr: "10.1.0.0/22",
    autoScalerMin: 6, seed: "", machineImage: null
    providerSpecificConfig: { azureConfig: { vnetCidr: "10.1.0.0/16" } }`;
  const { data } = await call(provisionMutation({ gardener, kyma: '' }), { subAccount: 'sub-1' });
  const [order] = driver.orders;
  assert.ok(order);
  assert.deepEqual([order.tenant, order.subAccount], ['tenant-a', 'sub-1']);
  assert.match(order.cluster.name, /^([a-f][0-9a-f]{6}|c-\d[0-9a-f]{6})$/);
  assert.deepEqual(order.cluster.config, {
    name: order.cluster.name,
    provider: 'azure',
    targetSecret: 'azure-credentials',
    region: 'westeurope',
    workerCidr: '10.1.0.0/22',
    autoScalerMin: 6,
    autoScalerMax: 6,
    maxSurge: 1,
    maxUnavailable: 0,
    providerSpecificConfig: { azureConfig: { vnetCidr: '10.1.0.0/16' } },
  });
  const status = await call(
    `{ runtimeStatus(id: "${data.provisionRuntime.runtimeID}") { runtimeConfiguration { kymaConfig { version }
      clusterConfig { name autoScalerMax seed providerSpecificConfig { ... on AzureProviderConfig { vnetCidr zones } } } } } }`,
  );
  assert.deepEqual(status.data.runtimeStatus.runtimeConfiguration, {
    kymaConfig: null,
    clusterConfig: {
      name: order.cluster.name,
      autoScalerMax: 6,
      seed: null,
      providerSpecificConfig: { vnetCidr: '10.1.0.0/16', zones: null },
    },
  });
});

test('labels come through variables and literals alike', async (t) => {
  const { call, database } = await apiUnderTest(t);
  const viaVariable = provisionMutation({ runtimeInput: '{ name: "v", labels: $labels }' }).replace(
    'mutation {',
    'mutation ($labels: Labels) {',
  );
  const labels = { team: 'a', list: [1, true], nested: { depth: 2 } };
  const literal = provisionMutation({
    runtimeInput: '{ name: "l", labels: { team: "a", list: [1, true], nested: { depth: 2 } } }',
    gardener: tutorialGardenerConfig,
  });
  for (const [query, variables] of [[viaVariable, { labels }] as const, [literal, {}] as const]) {
    assert.equal((await call(query, { variables })).errors, undefined);
  }
  const rows = await database.kysely.selectFrom('runtime').select(['name', 'labels']).orderBy('name').execute();
  assert.deepEqual(rows, [
    { name: 'l', labels },
    { name: 'v', labels },
  ]);
});

test('every mistake is named at once, with its path', async (t) => {
  const driver = clusterDriver({
    check: () => [{ path: 'config.clusterConfig.gardenerConfig.workerCidr', message: '"10.250.0.0" is not a CIDR' }],
  });
  const { call } = await apiUnderTest(t, {
    driver,
    catalogue: {
      resolve: async (_, path) => ({
        problems: [{ path: `${path}.version`, message: '"slow" is unknown', code: 'KYMA_RELEASE_NOT_FOUND' }],
      }),
    },
  });
  const { data, errors, status } = await call(provisionMutation({ runtimeInput: '{ name: " " }' }));
  assert.equal(status, 200);
  assert.equal(data.provisionRuntime, null);
  const [error] = errors ?? [];
  assert.deepEqual(error.extensions, {
    error_code: 400,
    error_reason: 'err_provisioner_invalid_input',
    error_component: 'provisioner',
    code: 'INVALID_INPUT',
    actor: 'caller',
    retryable: false,
    problems: [
      { path: 'config.runtimeInput.name', message: 'must not be empty' },
      { path: 'config.clusterConfig.gardenerConfig.workerCidr', message: '"10.250.0.0" is not a CIDR' },
      { path: 'config.kymaConfig.version', message: '"slow" is unknown' },
    ],
  });
  for (const problem of error.extensions.problems)
    assert.ok(error.message.includes(`${problem.path}: ${problem.message}`));
});

test('a refusal of one kind has the code of that kind', async (t) => {
  const driver = clusterDriver({
    check: () => [
      { path: 'config.clusterConfig.gardenerConfig', message: 'Gardener says: no', code: 'CLUSTER_REJECTED' },
    ],
  });
  const { call } = await apiUnderTest(t, { driver });
  const { errors } = await call(provisionMutation());
  assert.equal(errors?.[0].extensions.code, 'CLUSTER_REJECTED');
  assert.match(errors?.[0].message, /Gardener says: no/);
});

const mistakes: { reason: string; gardener: string; problems: string[] }[] = [
  {
    reason: 'an empty text is no value for a field that must have one',
    gardener: tutorialGardenerConfig.replace('"europe-west3"', '" "').replace('"gcp-credentials"', '""'),
    problems: ['region: must not be empty', 'targetSecret: must not be empty'],
  },
  {
    reason: 'the AWS form of 2020 is complete or not given',
    gardener: tutorialGardenerConfig
      .replace('"gcp"', '"aws"')
      .replace(
        'gcpConfig: { zones: ["europe-west3-a"] }',
        'awsConfig: { vpcCidr: "10.250.0.0/16", zone: "eu-central-1a" }',
      ),
    problems: [
      'providerSpecificConfig.awsConfig.publicCidr: is missing',
      'providerSpecificConfig.awsConfig.internalCidr: is missing',
    ],
  },
  {
    reason: 'AWS needs a zone',
    gardener: tutorialGardenerConfig
      .replace('"gcp"', '"aws"')
      .replace('gcpConfig: { zones: ["europe-west3-a"] }', 'awsConfig: { vpcCidr: "10.250.0.0/16" }'),
    problems: ['providerSpecificConfig.awsConfig.awsZones: at least one zone is needed'],
  },
];

test('an input that cannot be stored is refused', async (t) => {
  const { call } = await apiUnderTest(t);
  for (const { reason, gardener, problems } of mistakes) {
    const { errors } = await call(provisionMutation({ gardener }));
    const found = errors?.[0].extensions.problems.map(
      ({ path, message }: { path: string; message: string }) =>
        `${path.replace('config.clusterConfig.gardenerConfig.', '')}: ${message}`,
    );
    assert.deepEqual(found, problems, reason);
  }
});

test('the AWS form of 2020 becomes one zone, and is answered in both forms', async (t) => {
  const { call } = await apiUnderTest(t);
  const gardener = tutorialGardenerConfig
    .replace('"gcp"', '"aws"')
    .replace(
      'gcpConfig: { zones: ["europe-west3-a"] }',
      'awsConfig: { vpcCidr: "10.250.0.0/16", zone: "eu-central-1a", publicCidr: "10.250.32.0/20", internalCidr: "10.250.48.0/20" }',
    );
  const { data } = await call(provisionMutation({ gardener }));
  const status = await call(
    `{ runtimeStatus(id: "${data.provisionRuntime.runtimeID}") { runtimeConfiguration { clusterConfig {
      providerSpecificConfig { ... on AWSProviderConfig {
        vpcCidr zone publicCidr internalCidr awsZones { ... on AWSZone { name publicCidr internalCidr workerCidr } } } } } } } }`,
  );
  const zone = { publicCidr: '10.250.32.0/20', internalCidr: '10.250.48.0/20' };
  assert.deepEqual(status.data.runtimeStatus.runtimeConfiguration.clusterConfig.providerSpecificConfig, {
    vpcCidr: '10.250.0.0/16',
    zone: 'eu-central-1a',
    ...zone,
    awsZones: [{ name: 'eu-central-1a', ...zone, workerCidr: '10.250.0.0/22' }],
  });
});

test('a name that the caller chose is refused when taken; one that we chose is chosen anew', async (t) => {
  const taken: string[] = [];
  const driver = clusterDriver({
    check: ({ cluster }) => {
      if (taken.length > 0 && cluster.name !== 'wanted') return [];
      taken.push(cluster.name);
      return [{ path: 'name', message: 'taken', code: 'CLUSTER_NAME_TAKEN' }];
    },
  });
  const { call } = await apiUnderTest(t, { driver });
  const named = await call(provisionMutation({ gardener: `name: "wanted", ${tutorialGardenerConfig}` }));
  assert.equal(named.errors?.[0].extensions.code, 'CLUSTER_NAME_TAKEN');
  taken.length = 0;
  const unnamed = await call(provisionMutation());
  assert.equal(unnamed.errors, undefined);
  const [, first, second] = driver.orders.map(({ cluster }) => cluster.name);
  assert.equal(first, taken[0]);
  assert.notEqual(second, first);
});

test('a cluster name that another Runtime of this service has is refused', async (t) => {
  const { call } = await apiUnderTest(t);
  const mutation = provisionMutation({ gardener: `name: "mine", ${tutorialGardenerConfig}` });
  assert.equal((await call(mutation)).errors, undefined);
  const { errors } = await call(mutation, { tenant: 'tenant-b' });
  assert.equal(errors?.[0].extensions.code, 'CLUSTER_NAME_TAKEN');
  assert.equal(errors?.[0].extensions.error_code, 400);
});

test('Kyma without a catalogue is refused with the way out', async (t) => {
  const { call } = await apiUnderTest(t, { catalogue: undefined });
  const { errors } = await call(provisionMutation());
  assert.equal(errors?.[0].extensions.code, 'NOT_SUPPORTED');
  assert.match(errors?.[0].message, /leave kymaConfig out/);
  assert.equal((await call(provisionMutation({ kyma: '' }))).errors, undefined);
});

function withDirector(entries: Map<RuntimeId, Tenant>) {
  let database: Database | undefined;
  const registrar = registrarOf(entries, () => {
    assert.ok(database);
    return database;
  });
  return {
    registrar,
    use: (used: Database) => {
      database = used;
    },
  };
}

test('with registration the Runtime has the id that the Director gave', async (t) => {
  const entries = new Map<RuntimeId, Tenant>();
  const { registrar, use } = withDirector(entries);
  const { call, database } = await apiUnderTest(t, { registrar });
  use(database);
  const { data } = await call(provisionMutation());
  const { id, runtimeID } = data.provisionRuntime;
  assert.deepEqual([...entries.keys()], [runtimeID]);
  const intents = await database.kysely.selectFrom('registration_intent').selectAll().execute();
  assert.deepEqual(intents, [], 'the intent ends with the storing');
  const status = await call(`{ runtimeOperationStatus(id: "${id}") { compassRuntimeID } }`);
  assert.equal(status.data.runtimeOperationStatus.compassRuntimeID, runtimeID);
});

test('a mistake in the input is found before anything is registered', async (t) => {
  const entries = new Map<RuntimeId, Tenant>();
  const { registrar, use } = withDirector(entries);
  const { call, database } = await apiUnderTest(t, { registrar });
  use(database);
  const noAgent = 'kymaConfig: { version: "fast", components: [{ component: "istio", namespace: "kyma-system" }] }';
  const { errors } = await call(provisionMutation({ kyma: noAgent }));
  assert.equal(errors?.[0].extensions.code, 'KYMA_COMPONENT_INVALID');
  assert.match(errors?.[0].message, /does not contain Compass Runtime Agent; add application-connector/);
  assert.equal(entries.size, 0);
});

test('a registration whose Runtime is refused afterwards is taken back', async (t) => {
  const entries = new Map<RuntimeId, Tenant>();
  const { registrar, use } = withDirector(entries);
  const { call, database } = await apiUnderTest(t, { registrar });
  use(database);
  const mutation = provisionMutation({ gardener: `name: "mine", ${tutorialGardenerConfig}` });
  const { data } = await call(mutation);
  const again = await call(mutation);
  assert.equal(again.errors?.[0].extensions.code, 'CLUSTER_NAME_TAKEN');
  assert.deepEqual([...entries.keys()], [data.provisionRuntime.runtimeID]);
});

test("a caller's own id must be a UUID that the Director knows in the tenant, and counts once", async (t) => {
  const known = '309051b6-0bac-44c8-8bae-3fc59c12bb5c' as RuntimeId;
  const { registrar } = withDirector(new Map([[known, 'tenant-a' as Tenant]]));
  const { call } = await apiUnderTest(t, { registrar });

  const malformed = await call(provisionMutation({ id: 'no-uuid' }));
  assert.equal(malformed.errors?.[0].extensions.code, 'INVALID_INPUT');
  assert.match(malformed.errors?.[0].message, /id: "no-uuid" is not a UUID/);
  const unknown = await call(provisionMutation({ id: crypto.randomUUID() }));
  assert.equal(unknown.errors?.[0].extensions.code, 'DIRECTOR_RUNTIME_NOT_FOUND');
  const foreign = await call(provisionMutation({ id: known }), { tenant: 'tenant-b' });
  assert.equal(foreign.errors?.[0].extensions.code, 'DIRECTOR_RUNTIME_NOT_FOUND');

  const { data } = await call(provisionMutation({ id: known.toUpperCase() }));
  assert.equal(data.provisionRuntime.runtimeID, known);
  const again = await call(provisionMutation({ id: known }));
  assert.match(
    again.errors?.[0].message,
    new RegExp(`^cannot provision runtime. Runtime ${known} already provisioned`),
  );
  assert.equal(again.errors?.[0].extensions.error_code, 3);
});

test('a text that cannot be stored is refused where it is, wherever it is', async (t) => {
  const { call } = await apiUnderTest(t);
  const runtimeInput = '{ name: "a", labels: { list: ["fine", "\\u0000"] } }';
  const { errors } = await call(provisionMutation({ runtimeInput }));
  assert.deepEqual(errors?.[0].extensions.problems, [
    { path: 'config.runtimeInput.labels.list.1', message: 'must not contain the character U+0000' },
  ]);
});
