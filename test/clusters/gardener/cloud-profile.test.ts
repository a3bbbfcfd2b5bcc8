import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { checkOffer } from '../../../src/clusters/gardener/checks/check-offer.ts';
import { choices } from '../../../src/clusters/gardener/cloud-profile/choices.ts';
import { readCloudProfile } from '../../../src/clusters/gardener/cloud-profile/cloud-profile.ts';
import { cloudProfiles } from '../../../src/clusters/gardener/cloud-profile/cloud-profiles.ts';
import { completeConfig } from '../../../src/clusters/gardener/complete-config.ts';
import { gardenerDriver } from '../../../src/clusters/gardener/gardener-driver.ts';
import { providers } from '../../../src/clusters/gardener/providers/providers.ts';
import type { GardenerConfig } from '../../../src/domain/gardener-config.ts';
import { newOperationId } from '../../../src/domain/ids.ts';
import { readPath, readRecords } from '../../../src/domain/json.ts';
import { type GardenerWorld, openGardenerWorld } from '../../contract/gardener-world.ts';
import { eventually } from '../../harness/eventually.ts';
import { silentLog } from '../../harness/silent-log.ts';
import { configs, newOrder, orderOf } from './orders.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const day = 24 * 3600_000;
const at = (days: number) => new Date(now + days * day).toISOString();

/** Written in the newer forms of the API where there are two. */
const spec = {
  type: 'gcp',
  kubernetes: {
    versions: [
      {
        version: '1.36.0',
        lifecycle: [{ classification: 'preview' }, { classification: 'supported', startTime: at(9) }],
      },
      { version: '1.35.2', lifecycle: [{ classification: 'supported', startTime: at(1) }] },
      {
        version: '1.35.1',
        lifecycle: [{ classification: 'preview' }, { classification: 'supported', startTime: at(-1) }],
      },
      { version: '1.34.3' },
      { version: '1.33.1', classification: 'supported', expirationDate: at(-1) },
      {
        version: '1.33.0',
        lifecycle: [{ classification: 'supported' }, { classification: 'expired', startTime: at(-2) }],
      },
    ],
  },
  machineImages: [
    {
      name: 'gardenlinux',
      versions: [
        { version: '1877.9.0', capabilityFlavors: [{ architecture: ['amd64'] }, { architecture: ['arm64'] }] },
        { version: '1877.8.0', architectures: ['arm64'] },
        { version: '1877.7.0' },
      ],
    },
  ],
  machineTypes: [
    { name: 'huge', cpu: '64', gpu: '0', memory: '256Gi', architecture: 'amd64' },
    { name: 'gpu', cpu: '4', gpu: '1', memory: '16Gi', architecture: 'amd64' },
    { name: 'arm', cpu: '4', gpu: '0', memory: '16Gi', capabilities: { architecture: ['arm64'] } },
    { name: 'small', cpu: '2', gpu: '0', memory: '8192Mi', architecture: 'amd64' },
    { name: 'fitting', cpu: '4', gpu: '0', memory: '16384Mi', architecture: 'amd64' },
    { name: 'rare', cpu: '4', gpu: '0', memory: '16Gi', architecture: 'amd64' },
    { name: 'retired', cpu: '4', gpu: '0', memory: '16Gi', architecture: 'amd64', usable: false },
  ],
  volumeTypes: [
    { name: 'ssd', class: 'premium' },
    { name: 'disk', class: 'standard' },
    { name: 'tape', usable: false },
  ],
  regions: [
    {
      name: 'europe-west3',
      zones: [
        { name: 'europe-west3-a' },
        { name: 'europe-west3-b', unavailableMachineTypes: ['rare'], unavailableVolumeTypes: ['ssd'] },
      ],
    },
  ],
};
const profile = readCloudProfile(spec, 'CloudProfile', now);
const provider = providers.gcp;
const inZones = (...zones: string[]) => ({ providerSpecificConfig: { gcpConfig: { zones } } });
const { machineType: _, diskType: __, volumeSizeGB: ___, ...open } = configs.gcp;
const fitting: GardenerConfig = { ...open, kubernetesVersion: '1.35.1', machineType: 'fitting', diskType: 'disk' };

const cases: readonly { changes: Partial<GardenerConfig>; says: RegExp | undefined }[] = [
  { changes: {}, says: undefined },
  { changes: { kubernetesVersion: '1.35' }, says: undefined },
  { changes: { kubernetesVersion: '1' }, says: undefined },
  { changes: { kubernetesVersion: '1.36.0' }, says: undefined },
  { changes: { kubernetesVersion: '1.36' }, says: /has only previews, .*: 1\.36\.0$/ },
  { changes: { kubernetesVersion: '1.35.2' }, says: /"1\.35\.2" is not offered.* 1\.35\.1, 1\.36\.0, 1\.34\.3$/ },
  { changes: { kubernetesVersion: '1.33.1' }, says: /not any more/ },
  { changes: { kubernetesVersion: '1.33.0' }, says: /not any more/ },
  { changes: { kubernetesVersion: 'newest' }, says: /"newest" is not offered/ },
  { changes: { machineType: 'rare' }, says: undefined },
  {
    changes: { machineType: 'rare', ...inZones('europe-west3-a', 'europe-west3-b') },
    says: /machineType "rare" is not offered in zone europe-west3-b of region europe-west3; .* are huge, gpu, small, fitting$/,
  },
  { changes: { machineType: 'arm' }, says: /architecture arm64/ },
  { changes: { machineType: 'retired' }, says: /"retired" is not offered; offered are / },
  { changes: { diskType: 'tape' }, says: /diskType "tape" is not offered; offered are ssd, disk$/ },
  {
    changes: { diskType: 'ssd', ...inZones('europe-west3-b') },
    says: /diskType "ssd" is not offered in zone europe-west3-b of region europe-west3; .* are disk$/,
  },
  { changes: { machineImage: 'gardenlinux' }, says: undefined },
  { changes: { machineImage: 'gardenlinux', machineImageVersion: '1877.9.0' }, says: undefined },
  { changes: { machineImage: 'gardenlinux', machineImageVersion: '1877.7' }, says: undefined },
  { changes: { machineImage: 'gardenlinux', machineImageVersion: '1877.8.0' }, says: /are 1877\.9\.0, 1877\.7\.0$/ },
];

describe('an order is measured by what the CloudProfile offers', () => {
  for (const { changes, says } of cases) {
    test(`${JSON.stringify(changes)} ${says === undefined ? 'is offered' : `is refused: ${says}`}`, () => {
      const found = checkOffer({ config: { ...fitting, ...changes }, provider, profile });
      if (says === undefined) assert.deepEqual(found, []);
      else {
        assert.equal(found.length, 1, JSON.stringify(found));
        assert.match(found[0]?.message ?? '', says);
        assert.equal(
          found[0]?.path,
          Object.keys(changes).findLast((name) => name !== 'providerSpecificConfig'),
        );
      }
    });
  }
});

describe('a list of choices', () => {
  test('has what is most like the given one first, and is short', () => {
    const many = Array.from({ length: 30 }, (_unused, index) => `type-${index}`);
    assert.match(choices('type-17x', many), /^type-17, .* and 20 more$/);
  });
  test('of versions has the nearest ones first', () => {
    assert.equal(choices('1.34.9', ['1.36.0', '1.34.2', '1.34.10', '1.33.0']), '1.34.10, 1.34.2, 1.33.0, 1.36.0');
  });
  test('takes no time for a name as long as a book', () => {
    const many = Array.from({ length: 500 }, (_unused, index) => `type-${index}`);
    assert.match(choices('x'.repeat(500_000), many), /and 490 more$/);
  });
});

describe('what a caller leaves open', () => {
  const complete = (changes: Partial<GardenerConfig>, offered = profile) =>
    completeConfig({ config: { ...open, ...changes }, provider, profile: offered });

  test('is the smallest machine that is large enough and has no GPU, and the first disk, of those in every zone', () => {
    const { machineType, diskType, volumeSizeGB } = complete(inZones('europe-west3-a', 'europe-west3-b'));
    assert.deepEqual([machineType, diskType, volumeSizeGB], ['fitting', 'disk', 50]);
  });
  test('is the customary one where it is offered', () => {
    const machineTypes = [{ name: 'n2-standard-4', cpus: 4, memoryGi: 16, gpus: 0, architecture: 'amd64' }];
    const { machineType, diskType } = complete({}, { ...profile, machineTypes, volumeTypes: ['ssd', 'pd-balanced'] });
    assert.deepEqual([machineType, diskType], ['n2-standard-4', 'pd-balanced']);
  });
  test('is the customary one where nobody knows what is offered', () => {
    const { machineType, diskType } = completeConfig({ config: open, provider, profile: undefined });
    assert.deepEqual([machineType, diskType], ['n2-standard-4', 'pd-balanced']);
  });
  test('stays as it is where the caller did say', () => {
    const { machineType, diskType, volumeSizeGB } = complete({ machineType: 'a', diskType: 'b', volumeSizeGB: 7 });
    assert.deepEqual([machineType, diskType, volumeSizeGB], ['a', 'b', 7]);
  });
  test('is no disk where machines bring theirs', () => {
    const config = completeConfig({ config: configs.openstack, provider: providers.openstack, profile });
    assert.deepEqual([config.diskType, config.volumeSizeGB], [undefined, undefined]);
  });
});

describe('the CloudProfiles of a Garden', () => {
  const namespace = 'garden-dev';
  const profileKind = { apiVersion: 'core.gardener.cloud/v1beta1', plural: 'cloudprofiles', namespaced: false };
  const namespacedKind = { ...profileKind, plural: 'namespacedcloudprofiles', namespaced: true };
  let world: GardenerWorld;
  let time = now;
  before(async () => {
    world = await openGardenerWorld();
  });
  after(() => world[Symbol.asyncDispose]());

  const open = () => cloudProfiles({ client: world.client, namespace, log: silentLog, clock: { now: () => time } });
  const reads = () =>
    world.landscape.control.requests('garden').filter(({ path }) => path.includes('cloudprofiles/gcp')).length;
  const forbidReading = () =>
    world.landscape.control.addFault({
      target: 'garden',
      method: 'GET',
      path: 'cloudprofiles/',
      action: {
        kind: 'status',
        status: 403,
        body: { kind: 'Status', code: 403, reason: 'Forbidden', message: 'User "p" cannot get resource' },
      },
    });

  test('are read once for all who ask, and again when they are ten seconds old', async () => {
    const profiles = open();
    const from = reads();
    await Promise.all([profiles.find('gcp'), profiles.find('gcp'), profiles.find('gcp')]);
    time += 9_999;
    await profiles.find('gcp');
    assert.equal(reads(), from + 1);
    time += 2;
    await profiles.find('gcp');
    assert.equal(reads(), from + 2);
  });

  test('are read again before an order is refused, so that what was just added counts', async () => {
    const order = orderOf({ ...configs.gcp, name: 'added', machineType: 'brand-new' });
    assert.equal((await world.driver.check(order)).length, 1);
    const reference = { ...profileKind, name: 'gcp' };
    const machineTypes = readRecords(await world.client.get(reference), 'spec', 'machineTypes');
    const added = { name: 'brand-new', cpu: '4', gpu: '0', memory: '16Gi', architecture: 'amd64', usable: true };
    await world.client.patch(reference, { spec: { machineTypes: [...machineTypes, added] } });
    await eventually('the order is right', async () => (await world.driver.check(order)).length === 0);
  });

  test('are asked also when something else is wrong with an order, so that all is told at once', async () => {
    const order = newOrder({ ...configs.gcp, region: 'europe-west33', machineType: 'n2-standrd-4', autoScalerMin: 0 });
    const problems = await world.driver.check(order);
    assert.deepEqual(
      problems.map(({ path }) => path.split('.').at(-1)),
      ['autoScalerMin', 'zones', 'region', 'machineType'],
    );
    assert.match(problems[2]?.message ?? '', /region "europe-west33" is not offered; offered are europe-west3, /);
  });

  test('that do not exist are told as such, whatever else would follow from it', async () => {
    const openStackConfig = { zones: ['eu-de-1a'], loadBalancerProvider: 'f5', cloudProfileName: 'none' };
    const { kubernetesVersion, ...config } = configs.openstack;
    const problems = await world.driver.check(newOrder({ ...config, providerSpecificConfig: { openStackConfig } }));
    assert.deepEqual(
      problems.map(({ path }) => path.split('.').at(-1)),
      ['providerSpecificConfig'],
    );
    assert.match(problems[0]?.message ?? '', /cloudprofile\.core\.gardener\.cloud "none" not found/);
  });

  test('of the project are found, whole, by their name; the Shoot says of which kind its own is', async () => {
    const name = 'our-cloud';
    const { apiVersion } = namespacedKind;
    const parent = { kind: 'CloudProfile', name: 'converged-cloud-kyma' };
    const added = { name: 'g_c4_m16_x', cpu: '4', gpu: '0', memory: '16Gi', architecture: 'amd64', usable: true };
    await world.client.create(namespacedKind, {
      ...{ apiVersion, kind: 'NamespacedCloudProfile', metadata: { name, namespace } },
      spec: { parent, machineTypes: [added] },
    });
    const { openStackConfig } = configs.openstack.providerSpecificConfig;
    assert.ok(openStackConfig);
    const order = newOrder({
      ...configs.openstack,
      machineType: 'g_c4_m16_x',
      providerSpecificConfig: { openStackConfig: { ...openStackConfig, cloudProfileName: name } },
    });
    assert.deepEqual(await world.driver.check(order), []);
    const wrong = {
      ...order,
      cluster: { ...order.cluster, config: { ...order.cluster.config, machineType: 'g_c4_m17' } },
    };
    assert.match((await world.driver.check(wrong))[0]?.message ?? '', /offered are g_c4_m16, .*g_c4_m16_x/);
    await world.driver.create(order, newOperationId(), AbortSignal.timeout(10_000));
    const shoots = { ...namespacedKind, plural: 'shoots' };
    const shoot = await world.client.get({ ...shoots, namespace, name: order.cluster.name });
    assert.deepEqual(readPath(shoot, 'spec', 'cloudProfile'), { kind: 'NamespacedCloudProfile', name });
  });

  test('that may not be read leave the judgement to Gardener', async () => {
    time += 60_000;
    forbidReading();
    try {
      assert.equal(await open().find('gcp'), undefined);
      const { client, informer } = world;
      const bare = gardenerDriver({ client, informer, project: 'dev', namespace, log: silentLog });
      const [problem] = await bare.check(orderOf({ ...configs.gcp, name: 'unread', machineType: 'abacus-1' }));
      assert.match(problem?.message ?? '', /machine\.type: Unsupported value: "abacus-1"/);
      const { config } = await bare.complete(orderOf({ ...configs.gcp, machineType: undefined }));
      assert.equal(config.machineType, 'n2-standard-4');
    } finally {
      world.landscape.control.clearFaults();
    }
  });
});
