import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CheckedChange } from '../../../../src/clusters/cluster-driver.ts';
import type { GardenerConfig, GardenerProvider } from '../../../../src/domain/gardener-config.ts';
import { newOperationId } from '../../../../src/domain/ids.ts';
import { type GardenerWorld, openGardenerWorld } from '../../../contract/gardener-world.ts';
import { configs } from '../orders.ts';
import { type LiveShoot, liveShoot, meddle, namespace, signal } from './live-shoot.ts';

let world: GardenerWorld;
const live = new Map<GardenerProvider, LiveShoot>();
before(async () => {
  world = await openGardenerWorld();
  for (const provider of ['gcp', 'azure', 'aws', 'openstack'] as const)
    live.set(provider, await liveShoot(world, provider));
});
after(() => world[Symbol.asyncDispose]());

interface Case {
  readonly on: GardenerProvider;
  readonly asked: Partial<GardenerConfig>;
  readonly at: string;
  readonly says: RegExp;
}

const of = (provider: GardenerProvider) => configs[provider].providerSpecificConfig;
const aws = of('aws').awsConfig ?? { vpcCidr: '', awsZones: [] };
const [zoneA, zoneB] = aws.awsZones;
const azure = of('azure').azureConfig ?? { vnetCidr: '' };
const openStack = of('openstack').openStackConfig ?? { zones: [], loadBalancerProvider: '' };

// biome-ignore format: a table
const cases: readonly Case[] = [
  { on: 'gcp', asked: { name: 'other' }, at: 'name', says: /^name cannot be changed from t-\w+ to other: the name is chosen when the cluster is made$/ },
  { on: 'gcp', asked: { region: 'europe-west1' }, at: 'region', says: /Gardener does not allow the region to change/ },
  { on: 'gcp', asked: { seed: 'gcp-eu1' }, at: 'seed', says: /^seed cannot be changed from nothing to gcp-eu1: Gardener does not allow the Seed to change$/ },
  { on: 'gcp', asked: { podsCidr: '100.80.0.0/12' }, at: 'podsCidr', says: /the range of Pods/ },
  { on: 'gcp', asked: { exposureClassName: 'internet' }, at: 'exposureClassName', says: /Gardener does not allow the exposure class to change/ },
  { on: 'gcp', asked: { controlPlaneFailureTolerance: 'zone' }, at: 'controlPlaneFailureTolerance', says: /chosen when the cluster is made/ },
  { on: 'gcp', asked: { kubernetesVersion: '1.33.6' }, at: 'kubernetesVersion', says: /^kubernetesVersion 1\.33\.6 is older than 1\.34\.2: Kubernetes cannot be downgraded$/ },
  { on: 'gcp', asked: { kubernetesVersion: '1.36' }, at: 'kubernetesVersion', says: /leaves out a minor version: the cluster has 1\.34\.2, so that 1\.35 comes next$/ },
  { on: 'gcp', asked: { kubernetesVersion: '1.35.9' }, at: 'kubernetesVersion', says: /"1\.35\.9" is not offered, or not any more; offered are 1\.35\.1/ },
  { on: 'gcp', asked: { machineType: 'abacus-1' }, at: 'machineType', says: /"abacus-1" is not offered; offered are / },
  { on: 'gcp', asked: { machineImage: 'flatcar' }, at: 'machineImage', says: /"flatcar" is not offered; offered are ubuntu, gardenlinux/ },
  { on: 'gcp', asked: { diskType: 'floppy' }, at: 'diskType', says: /"floppy" is not offered; offered are / },
  { on: 'gcp', asked: { volumeSizeGB: 0 }, at: 'volumeSizeGB', says: /volumeSizeGB 0 must be a whole number of at least 1/ },
  { on: 'gcp', asked: { autoScalerMin: 0 }, at: 'autoScalerMin', says: /at least 1/ },
  { on: 'gcp', asked: { autoScalerMin: 5 }, at: 'autoScalerMax', says: /autoScalerMax 4 must be a whole number of at least autoScalerMin, 5/ },
  { on: 'gcp', asked: { maxSurge: 0, maxUnavailable: 0 }, at: 'maxSurge', says: /nodes could never be replaced/ },
  { on: 'gcp', asked: { purpose: 'fun' }, at: 'purpose', says: /use one of evaluation, testing, development, production/ },
  { on: 'gcp', asked: { workerCidr: '10.250.0.0/23' }, at: 'workerCidr', says: /^workerCidr cannot be changed from 10\.250\.0\.0\/22 to 10\.250\.0\.0\/23: nodes have addresses in it/ },
  { on: 'gcp', asked: { workerCidr: '10.250.4.0/22' }, at: 'workerCidr', says: /can only be made larger/ },
  { on: 'aws', asked: { workerCidr: '10.250.0.0/18' }, at: 'workerCidr', says: /AWS cannot change a subnet that is in use; add a zone instead/ },
  { on: 'openstack', asked: { workerCidr: '10.250.0.0/21' }, at: 'workerCidr', says: /OpenStack cannot change a subnet that is in use/ },
  { on: 'openstack', asked: { diskType: 'ssd' }, at: 'diskType', says: /OpenStack mutation does not accept diskType or volumeSizeGb parameters/ },
  { on: 'gcp', asked: { providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-b', 'europe-west3-a'] } } }, at: 'providerSpecificConfig.gcpConfig.zones', says: /zones can only be added, after those that there are/ },
  { on: 'gcp', asked: { providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a', 'europe-west3-x'] } } }, at: 'providerSpecificConfig.gcpConfig.zones', says: /zone "europe-west3-x" does not exist in region europe-west3, whose zones are / },
  { on: 'aws', asked: { providerSpecificConfig: { awsConfig: { ...aws, vpcCidr: '10.248.0.0/14' } } }, at: 'providerSpecificConfig.awsConfig.vpcCidr', says: /the network of a cluster on AWS stays as it was made/ },
  { on: 'aws', asked: { providerSpecificConfig: { awsConfig: { ...aws, awsZones: zoneA && zoneB ? [{ ...zoneA, publicCidr: '10.250.128.0/20' }, zoneB] : [] } } }, at: 'providerSpecificConfig.awsConfig.awsZones', says: /^cannot change shoot network zone eu-central-1a public CIDR from 10\.250\.32\.0\/20 to 10\.250\.128\.0\/20/ },
  { on: 'aws', asked: { providerSpecificConfig: { awsConfig: { ...aws, awsZones: zoneA ? [zoneA] : [] } } }, at: 'providerSpecificConfig.awsConfig.awsZones', says: /zones can only be added/ },
  { on: 'azure', asked: { providerSpecificConfig: { azureConfig: { ...azure, vnetCidr: '10.250.0.0/17' } } }, at: 'providerSpecificConfig.azureConfig.vnetCidr', says: /can only be made larger/ },
  { on: 'azure', asked: { providerSpecificConfig: { azureConfig: { vnetCidr: azure.vnetCidr, azureZones: [{ name: 1, cidr: '10.250.0.0/20' }, { name: 2, cidr: '10.250.16.0/20' }] } } }, at: 'providerSpecificConfig.azureConfig', says: /from one subnet to a subnet for each zone: the network of a cluster on Azure stays as it was made/ },
  { on: 'azure', asked: { providerSpecificConfig: { azureConfig: { ...azure, enableNatGateway: true, idleConnectionTimeoutMinutes: 3 } } }, at: 'providerSpecificConfig.azureConfig.idleConnectionTimeoutMinutes', says: /3 is not from 4 to 120/ },
  { on: 'openstack', asked: { providerSpecificConfig: { openStackConfig: { ...openStack, loadBalancerProvider: 'octavia' } } }, at: 'providerSpecificConfig.openStackConfig.loadBalancerProvider', says: /cannot be changed from f5 to octavia: it is chosen when the cluster is made/ },
  { on: 'gcp', asked: { targetSecret: 'nowhere' }, at: 'targetSecret', says: /there is no CredentialsBinding "nowhere" in the namespace garden-dev/ },
  { on: 'gcp', asked: { targetSecret: 'aws-credentials' }, at: 'targetSecret', says: /only a binding of the same credentials can take its place/ },
];

describe('what cannot become of a cluster is refused with the reason, and nothing is changed', () => {
  for (const { on, asked, at, says } of cases) {
    test(`${on}: ${says.source}`, async () => {
      const shoot = shootOn(on);
      const [spec, { problems }] = [(await shoot.read()).spec, await check(shoot, asked)];
      assert.ok(
        problems.some(({ path, message }) => path === at && says.test(message)),
        JSON.stringify(problems),
      );
      assert.deepEqual((await shoot.read()).spec, spec);
    });
  }
});

test('a field that the cluster has already as asked is no problem, whatever it is', async () => {
  const shoot = shootOn('aws');
  const { config } = shoot.order.cluster;
  const { problems } = await check(shoot, config);
  assert.deepEqual(problems, []);
});

test("what only Gardener finds is told in its words at the field, wherever our pool stands, and others' pools are not ours", async () => {
  const shoot = await liveShoot(world, 'gcp');
  await meddle(world, shoot);
  const { problems } = await check(shoot, { autoScalerMax: 3, autoScalerMin: 2, volumeSizeGB: 51 });
  assert.deepEqual(problems, []);
  const profiles = { apiVersion: 'core.gardener.cloud/v1beta1', plural: 'cloudprofiles', namespaced: false };
  const profile = await world.client.get({ ...profiles, name: 'gcp' });
  const spec = profile?.spec as { volumeTypes: { name: string; minSize?: string }[] };
  const stricter = spec.volumeTypes.map((type) => ({ ...type, minSize: '100Gi' }));
  await world.client.patch({ ...profiles, name: 'gcp' }, { spec: { volumeTypes: stricter } });
  try {
    const refused = await check(shoot, { volumeSizeGB: 52 });
    const found = refused.problems.map(({ path, code }) => [path, code]);
    // Its other pool is too small, too, but that is no field of ours.
    assert.ok(
      found.some(([path, code]) => path === 'volumeSizeGB' && code === 'CLUSTER_REJECTED'),
      JSON.stringify(refused),
    );
    assert.match(refused.problems.map(({ message }) => message).join(), /size must be >= 100Gi/);
  } finally {
    await world.client.patch({ ...profiles, name: 'gcp' }, { spec: { volumeTypes: spec.volumeTypes } });
  }
});

test('another binding of the same credentials takes the place of the first', async () => {
  const shoot = await liveShoot(world, 'gcp');
  const bindings = { apiVersion: 'security.gardener.cloud/v1alpha1', plural: 'credentialsbindings', namespaced: true };
  const first = await world.client.get({ ...bindings, namespace, name: 'gcp-credentials' });
  assert.ok(first);
  const { labels } = first.metadata;
  await world.client.create(bindings, {
    ...first,
    metadata: { name: 'gcp-moved', namespace, ...(labels && { labels }) },
  });
  assert.deepEqual((await shoot.give({ targetSecret: 'gcp-moved' })).different, {
    'spec.credentialsBindingName': 'gcp-moved',
  });
});

test('a cluster that is gone, foreign or being deleted cannot be changed', async () => {
  const shoot = await liveShoot(world, 'gcp');
  const change = shoot.change({ autoScalerMax: 9 });
  const foreign = { ...change, order: { ...change.order, runtimeId: shootOn('gcp').order.runtimeId } };
  const codes = async (asked: typeof change) =>
    (await world.driver.checkChange(asked)).problems.map(({ code }) => code);
  assert.deepEqual(await codes(foreign), ['CLUSTER_LOST']);
  await assert.rejects(world.driver.change(foreign, newOperationId(), signal), { code: 'CLUSTER_LOST' });
  world.landscape.control.setShootFate(shoot.order.cluster.name, { kind: 'stuck', during: 'Delete' });
  await world.driver.requestDeletion(shoot.order, signal);
  assert.deepEqual(await codes(change), ['CLUSTER_REJECTED']);
  await assert.rejects(world.driver.change(change, newOperationId(), signal), /is being deleted/);
  world.letGo(shoot.order);
});

function shootOn(provider: GardenerProvider): LiveShoot {
  const shoot = live.get(provider);
  assert.ok(shoot);
  return shoot;
}

function check(shoot: LiveShoot, asked: Partial<GardenerConfig>): Promise<CheckedChange> {
  return world.driver.checkChange(shoot.change(asked), signal, { mustAnswer: true });
}
