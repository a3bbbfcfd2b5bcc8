import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { authenticationConfiguration } from '../../../src/clusters/gardener/shoot/authentication-config.ts';
import { merge } from '../../../src/clusters/gardener/shoot/merge.ts';
import { shootManifest } from '../../../src/clusters/gardener/shoot/shoot-manifest.ts';
import { type GardenerConfig, gardenerProviders } from '../../../src/domain/gardener-config.ts';
import { parseOperationId } from '../../../src/domain/ids.ts';
import { configs, orderOf } from './orders.ts';

const settings = {
  namespace: 'garden-dev',
  autoUpdateKubernetesVersion: false,
  autoUpdateMachineImageVersion: false,
};
const operationId = parseOperationId('8a7ee5a5-1a77-4f0c-a2d5-9e4ad2b0b1d1');

for (const provider of gardenerProviders) {
  test(`the Shoot on ${provider} is the one in golden/${provider}.yaml`, () => {
    const golden = parse(readFileSync(new URL(`golden/${provider}.yaml`, import.meta.url), 'utf8'));
    assert.deepEqual(
      JSON.parse(JSON.stringify(shootManifest({ order: orderOf(configs[provider]), settings, operationId }))),
      golden,
    );
  });
}

describe('what a caller leaves out', () => {
  const manifest = (changes: Partial<GardenerConfig>) =>
    shootManifest({ order: orderOf({ ...configs.gcp, ...changes }), settings });

  test('a Kubernetes version is left to Gardener', () => {
    assert.equal(manifest({ kubernetesVersion: undefined }).spec.kubernetes, undefined);
  });

  test('a disk gets the default of the provider', () => {
    const { spec } = manifest({ diskType: undefined, volumeSizeGB: undefined });
    assert.deepEqual(spec.provider.workers[0]?.volume, { type: 'pd-balanced', size: '50Gi' });
  });

  test('a dry run carries no operation', () => {
    assert.deepEqual(
      Object.keys(manifest({}).metadata.annotations ?? {}).filter((name) => name.includes('operation')),
      [],
    );
  });

  test('Azure without zones is not zoned, and its pool names none', () => {
    const azure = { ...configs.azure, providerSpecificConfig: { azureConfig: { vnetCidr: '10.250.0.0/16' } } };
    const { provider } = shootManifest({ order: orderOf(azure), settings }).spec;
    assert.equal((provider.infrastructureConfig as { zoned: boolean }).zoned, false);
    assert.equal(provider.workers[0]?.zones, undefined);
  });
});

test('what a caller gives arrives', () => {
  const config: GardenerConfig = {
    ...configs.gcp,
    machineImage: 'gardenlinux',
    machineImageVersion: '1877.9.0',
    seed: 'gcp-eu1',
    licenceType: 'TestDevelopment',
    podsCidr: '10.96.0.0/13',
    servicesCidr: '10.104.0.0/13',
    enableKubernetesVersionAutoUpdate: true,
  };
  const { spec, metadata } = shootManifest({ order: orderOf(config), settings });
  assert.deepEqual(spec.provider.workers[0]?.machine.image, { name: 'gardenlinux', version: '1877.9.0' });
  assert.equal(spec.seedName, 'gcp-eu1');
  assert.equal(metadata.annotations?.['kcp.provisioner.kyma-project.io/licence-type'], 'TestDevelopment');
  assert.equal(spec.networking.pods, '10.96.0.0/13');
  assert.equal(spec.networking.services, '10.104.0.0/13');
  assert.deepEqual(spec.maintenance.autoUpdate, { kubernetesVersion: true, machineImageVersion: false });
});

describe('who a user is for an issuer', () => {
  const oidc = {
    clientID: 'kyma',
    groupsClaim: '',
    issuerURL: 'https://a.example',
    signingAlgs: [],
    usernameClaim: '',
  };
  const cases = [
    { claim: '', prefix: '', expected: { claim: 'sub', prefix: 'https://a.example#' } },
    { claim: 'sub', prefix: '-', expected: { claim: 'sub', prefix: '' } },
    { claim: 'name', prefix: 'kyma:', expected: { claim: 'name', prefix: 'kyma:' } },
    { claim: 'email', prefix: '', expected: { claim: 'email', prefix: '' } },
  ];
  for (const { claim, prefix, expected } of cases) {
    test(`claim "${claim}" and prefix "${prefix}" mean what they meant as flags of the API server`, () => {
      const config = authenticationConfiguration({ ...oidc, usernameClaim: claim, usernamePrefix: prefix });
      const { jwt } = config as { jwt: { claimMappings: object }[] };
      assert.deepEqual(jwt[0]?.claimMappings, { username: expected }, 'no groups claim, no groups');
    });
  }
});

test('two extenders that set the same field are found out', () => {
  assert.throws(() => merge([{ spec: { region: 'a' } }, { spec: { region: 'b' } }]), /spec\.region is set twice/);
});
