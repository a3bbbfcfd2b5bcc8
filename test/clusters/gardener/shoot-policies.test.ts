import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gardenerDriver } from '../../../src/clusters/gardener/gardener-driver.ts';
import { type ShootPolicySettings, shootPolicies } from '../../../src/clusters/gardener/policy/shoot-policies.ts';
import type { GardenerConfig } from '../../../src/domain/gardener-config.ts';
import { newOperationId } from '../../../src/domain/ids.ts';
import { readPath, readRecords } from '../../../src/domain/json.ts';
import type { Logger } from '../../../src/domain/logger.ts';
import { type GardenerWorld, openGardenerWorld } from '../../contract/gardener-world.ts';
import { eventually } from '../../harness/eventually.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { configs, newOrder } from './orders.ts';

const namespace = 'garden-dev';
const signal = AbortSignal.timeout(60_000);
const folder = temporaryFolder();
const core = (plural: string) => ({ apiVersion: 'v1', plural, namespaced: true });
const gardener = (plural: string, namespaced: boolean) => ({
  ...{ apiVersion: 'core.gardener.cloud/v1beta1', plural, namespaced },
});
/** The files that the documentation shows. */
const [windows, tenants, tolerations] = [
  ...readFileSync(new URL('../../../docs/shoot-policies.md', import.meta.url), 'utf8').matchAll(/```json\n(.*?)```/gs),
].map(([, json = ''], index) => write(`documented-${index}.json`, json));

let world: GardenerWorld;
before(async () => {
  world = await openGardenerWorld();
});
after(() => world[Symbol.asyncDispose]());

function write(name: string, contents: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, contents);
  return file;
}

async function driverWith(settings: ShootPolicySettings, log: Logger = silentLog) {
  const { client, informer } = world;
  const findPolicy = await shootPolicies({ settings, log });
  return gardenerDriver({ client, informer, project: 'dev', namespace, log: silentLog, findPolicy });
}

/** Has Gardener check the Shoot and make it; answers it as Gardener has it. */
async function make(settings: ShootPolicySettings, config: GardenerConfig, log?: Logger): Promise<unknown> {
  const driver = await driverWith(settings, log);
  const order = newOrder(config);
  assert.deepEqual(await driver.check(order), []);
  await driver.create(order, newOperationId(), signal);
  return world.client.get({ ...gardener('shoots', true), namespace, name: order.cluster.name });
}

function warnings(): { log: Logger; words: string[] } {
  const words: string[] = [];
  const log: Logger = { ...silentLog, warn: (_details: unknown, text?: string) => void words.push(text ?? '') };
  return { log, words };
}

describe('the maintenance window', () => {
  const ofShoot = (shoot: unknown) => readPath(shoot, 'spec', 'maintenance', 'timeWindow');

  test('of a cluster for production is that of its region', async () => {
    const shoot = await make({ maintenanceWindowsPath: windows }, { ...configs.gcp, purpose: 'production' });
    assert.deepEqual(ofShoot(shoot), { begin: '220000+0100', end: '020000+0100' });
  });

  test('of others is drawn by Gardener', async () => {
    const drawn = { begin: '220000+0000', end: '230000+0000' };
    assert.deepEqual(ofShoot(await make({ maintenanceWindowsPath: windows }, configs.gcp)), drawn);
  });

  test('of a region that the file does not know is drawn by Gardener, and that is logged', async () => {
    const { log, words } = warnings();
    await make({ maintenanceWindowsPath: windows }, { ...configs.azure, purpose: 'production' }, log);
    assert.match(words.join(), /no maintenance window for this region/);
  });

  test('is the new one once the file has changed, and the last good one while it is spoilt', async () => {
    const file = write('changing.json', '{ "europe-west3": { "begin": "010000+0000", "end": "020000+0000" } }');
    const findPolicy = await shootPolicies({ settings: { maintenanceWindowsPath: file }, log: silentLog });
    const order = newOrder({ ...configs.gcp, purpose: 'production' });
    assert.equal((await findPolicy(order)).maintenanceWindow?.begin, '010000+0000');
    writeFileSync(file, '{ "europe-west3": { "begin": "030000+0000", "end": "040000+0000" }, "b": {} }');
    assert.equal((await findPolicy(order)).maintenanceWindow?.begin, '010000+0000');
    writeFileSync(file, '{ "europe-west3": { "begin": "030000+0000", "end": "04:00" } }');
    assert.equal((await findPolicy(order)).maintenanceWindow?.begin, '010000+0000');
    writeFileSync(file, '{ "europe-west3": { "begin": "030000+0000",   "end": "040000+0000" } }');
    assert.equal((await findPolicy(order)).maintenanceWindow?.begin, '030000+0000');
  });

  const wrong = [
    ['{', /wrong\.json is not JSON/],
    ['{ "a": { "begin": "2200", "end": "230000+0000" } }', /a\.begin: must be a time such as 220000\+0100/],
    ['{ "a": { "begin": "220000+0000", "end": "222900+0000" } }', /a: must last from 30 minutes to 6 hours/],
    ['{ "a": { "begin": "220000+0000", "end": "220000-0601" } }', /a: must last from 30 minutes to 6 hours/],
    ['{ "a": { "begin": "220000+0000", "end": "230000+0000", "day": 1 } }', /a: .*day/],
  ] as const;
  for (const [contents, words] of wrong) {
    test(`is refused at the start when the file says ${contents}`, async () => {
      const maintenanceWindowsPath = write('wrong.json', contents);
      await assert.rejects(shootPolicies({ settings: { maintenanceWindowsPath }, log: silentLog }), words);
    });
  }
});

describe('audit logs', () => {
  const annotation = (shoot: unknown) =>
    readPath(shoot, 'metadata', 'annotations', 'custom.shoot.sapcloud.io/subaccountId');

  test('have the policy of the ConfigMap, which Gardener wants to see', async () => {
    const settings = { auditPolicyConfigMap: 'audit-policy' };
    const refusal = async () => (await (await driverWith(settings)).check(newOrder()))[0]?.message ?? '';
    assert.match(await refusal(), /configmaps "audit-policy" not found/);
    const metadata = { name: 'audit-policy', namespace };
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    await world.client.create(core('configmaps'), configMap);
    assert.match(await refusal(), /missing audit policy key/);
    await world.client.patch({ ...core('configmaps'), ...metadata }, { data: { policy: 'rules: []' } });
    const shoot = await make(settings, configs.gcp);
    const path = ['spec', 'kubernetes', 'kubeAPIServer', 'auditConfig', 'auditPolicy', 'configMapRef', 'name'];
    assert.equal(readPath(shoot, ...path), 'audit-policy');
  });

  test('go where the extension sends them, with the credentials of its Secret', async () => {
    const settings = { auditLogTenantsPath: tenants };
    const refusal = async () => (await (await driverWith(settings)).check(newOrder()))[0]?.message ?? '';
    assert.match(await refusal(), /secrets "auditlog-credentials" not found/);
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'auditlog-credentials', namespace } };
    await world.client.create(core('secrets'), secret);
    assert.match(await refusal(), /non-registered extension type: .*\("shoot-auditlog-service"\)/);
    const { apiVersion } = gardener('', false);
    await world.client.create(gardener('controllerregistrations', false), {
      ...{ apiVersion, kind: 'ControllerRegistration', metadata: { name: 'auditlog' } },
      spec: { resources: [{ kind: 'Extension', type: 'shoot-auditlog-service' }] },
    });
    const shoot = await make(settings, configs.gcp);
    const extension = readRecords(shoot, 'spec', 'extensions').find(({ type }) => type === 'shoot-auditlog-service');
    assert.deepEqual(extension?.providerConfig, {
      apiVersion: 'service.auditlog.extensions.gardener.cloud/v1alpha1',
      kind: 'AuditlogConfig',
      type: 'standard',
      tenantID: 'e7382275-e835-4549-94e1-3b1101e3a1fa',
      serviceURL: 'https://auditlog.example.com',
      secretReferenceName: 'auditlog-credentials',
    });
    assert.deepEqual(readPath(shoot, 'spec', 'resources'), [
      {
        name: 'auditlog-credentials',
        resourceRef: { apiVersion: 'v1', kind: 'Secret', name: 'auditlog-credentials' },
      },
    ]);
    assert.equal(annotation(shoot), undefined);
  });

  test('have the tenant of their region as an annotation', async () => {
    const shoot = await make({ auditLogTenantsPath: tenants }, configs.aws);
    assert.equal(annotation(shoot), '12d68c35-556b-4966-a061-235d4a060929');
  });

  test('have the tenant of the Seed that the caller names', async () => {
    const shoot = await make({ auditLogTenantsPath: tenants }, { ...configs.gcp, seed: 'gcp-eu1' });
    assert.equal(annotation(shoot), '0b9f4d1c-8a52-43cf-8a0e-3a7d8f2e9c11');
  });

  test('have the tenant of the Seed that Gardener chooses, once it has, before that of the region', async () => {
    const auditLogTenantsPath = write(
      'seeds.json',
      '{ "aws-eu1": "of the Seed", "aws": { "eu-central-1": "of the region" } }',
    );
    const { log, words } = warnings();
    const driver = await driverWith({ auditLogTenantsPath }, log);
    const settled = async (config: GardenerConfig) => {
      const order = newOrder(config);
      await driver.create(order, newOperationId(), signal);
      const { seed = '' } = await eventually('the Shoot has a Seed', async () => {
        const seen = await driver.observe(order, signal);
        return seen.seed !== undefined && seen;
      });
      const writes = () => world.landscape.control.requests('garden').filter(({ method }) => method !== 'GET').length;
      const before = writes();
      await driver.settle?.(order, seed, signal);
      const shoot = await world.client.get({ ...gardener('shoots', true), namespace, name: order.cluster.name });
      await eventually('the watch has seen it', () => {
        const watched = world.informer.get(order.cluster.name);
        return watched?.metadata.resourceVersion === shoot?.metadata.resourceVersion;
      });
      await driver.settle?.(order, seed, signal);
      return { tenant: annotation(shoot), writes: writes() - before };
    };
    assert.deepEqual(await settled(configs.aws), { tenant: 'of the Seed', writes: 1 });
    assert.deepEqual(words, []);
    assert.deepEqual(await settled(configs.azure), { tenant: undefined, writes: 0 });
    assert.deepEqual([...new Set(words)], ['no tenant for audit logs of this region; the cluster goes without']);
  });

  test('have the one tenant that is configured where the file knows none', async () => {
    const settings = { auditLogTenantsPath: tenants, auditLogTenant: 'everybody' };
    assert.equal(annotation(await make(settings, configs.azure)), 'everybody');
    assert.equal(annotation(await make({ auditLogTenant: 'everybody' }, configs.gcp)), 'everybody');
  });

  test('that go nowhere are logged', async () => {
    const { log, words } = warnings();
    const auditLogTenantsPath = write('regions.json', '{ "aws": { "eu-central-1": "of the region" } }');
    assert.equal(annotation(await make({ auditLogTenantsPath }, configs.azure, log)), undefined);
    assert.match(words.join(), /no tenant for audit logs of this region/);
  });
});

test('a region tolerates the taints that the operator names, each once', async () => {
  const onGcp = (region: string): GardenerConfig => ({
    ...configs.gcp,
    ...{ region, providerSpecificConfig: { gcpConfig: { zones: [`${region}-a`] } } },
  });
  const tolerationsPath = write(
    'more.json',
    '{ "europe-west3": ["ksa-assured-workload"], "asia-south1": ["unlisted"] }',
  );
  const ofShoot = (shoot: unknown) => readPath(shoot, 'spec', 'tolerations');
  const ksa = [{ key: 'ksa-assured-workload' }];
  assert.deepEqual(ofShoot(await make({ tolerationsPath }, onGcp('europe-west3'))), ksa);
  assert.deepEqual(ofShoot(await make({ tolerationsPath: tolerations }, onGcp('me-central2'))), ksa);
  const [problem] = await (await driverWith({ tolerationsPath })).check(newOrder(onGcp('asia-south1')));
  assert.match(problem?.message ?? '', /only the following tolerations are allowed/);
});

test('version 2 of the instance metadata service is the default of the operator, and the choice of the caller', async () => {
  const settings = { instanceMetadataV2: true };
  const { awsConfig } = configs.aws.providerSpecificConfig;
  assert.ok(awsConfig);
  const optionsOf = (shoot: unknown) =>
    readPath(readRecords(shoot, 'spec', 'provider', 'workers')[0], 'providerConfig', 'instanceMetadataOptions');
  assert.deepEqual(optionsOf(await make(settings, configs.aws)), {
    httpTokens: 'required',
    httpPutResponseHopLimit: 2,
  });
  const declined = { ...configs.aws, providerSpecificConfig: { awsConfig: { ...awsConfig, enableIMDSv2: false } } };
  assert.equal(optionsOf(await make(settings, declined)), undefined);
  assert.equal(optionsOf(await make({}, configs.aws)), undefined);
});
