import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { GardenerConfigInput, ProvisionRuntimeInput } from '../../../src/api/generated/schema.ts';
import { openWorld } from '../../flows/world.ts';

/** The last version of the original: everything through variables, `clusterConfig` selected directly. */
const world = await openWorld();
const { api } = world;

before(async () => {
  const metadata = { name: 'dns-credentials', namespace: 'garden-dev' };
  const secrets = { apiVersion: 'v1', plural: 'secrets', namespaced: true };
  await world.garden.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata });
});

const common = {
  kubernetesVersion: '1.35.1',
  machineImage: 'gardenlinux',
  machineImageVersion: '1877.9.0',
  purpose: 'production',
  licenceType: 'Customer',
  workerCidr: '10.250.0.0/22',
  podsCidr: '10.96.0.0/13',
  servicesCidr: '10.104.0.0/13',
  autoScalerMin: 3,
  autoScalerMax: 20,
  maxSurge: 3,
  maxUnavailable: 0,
  enableKubernetesVersionAutoUpdate: false,
  enableMachineImageVersionAutoUpdate: true,
  controlPlaneFailureTolerance: 'node',
  euAccess: true,
  shootNetworkingFilterDisabled: false,
  exposureClassName: 'internet',
  shootAndSeedSameRegion: false,
  oidcConfig: {
    clientID: 'client',
    groupsClaim: 'groups',
    issuerURL: 'https://issuer.example.com',
    signingAlgs: ['RS256'],
    usernameClaim: 'email',
    usernamePrefix: 'acme-',
  },
};

/** With defaults, which the answer shows as well. */
const orders: readonly { readonly input: GardenerConfigInput; readonly specific: object }[] = [
  {
    input: {
      ...common,
      name: 'final-gcp',
      provider: 'gcp',
      region: 'europe-west3',
      targetSecret: 'gcp-credentials',
      machineType: 'n2-standard-4',
      diskType: 'pd-balanced',
      volumeSizeGB: 80,
      seed: 'gcp-eu1',
      dnsConfig: {
        domain: 'final.example.com',
        providers: [
          {
            type: 'aws-route53',
            primary: true,
            secretName: 'dns-credentials',
            domainsInclude: ['final.example.com'],
          },
        ],
      },
      providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a', 'europe-west3-b', 'europe-west3-c'] } },
    },
    specific: {
      __typename: 'GCPProviderConfig',
      gcpZones: ['europe-west3-a', 'europe-west3-b', 'europe-west3-c'],
    },
  },
  {
    input: {
      ...common,
      name: 'final-azure',
      provider: 'azure',
      region: 'westeurope',
      targetSecret: 'azure-credentials',
      machineType: 'Standard_D4s_v5',
      diskType: 'StandardSSD_LRS',
      volumeSizeGB: 80,
      providerSpecificConfig: {
        azureConfig: {
          vnetCidr: '10.250.0.0/16',
          zones: ['2', '1'],
          azureZones: [
            { name: 1, cidr: '10.250.0.0/19' },
            { name: 2, cidr: '10.250.32.0/19' },
          ],
          enableNatGateway: true,
          idleConnectionTimeoutMinutes: 30,
        },
      },
    },
    specific: {
      __typename: 'AzureProviderConfig',
      vnetCidr: '10.250.0.0/16',
      azureZoneNames: ['2', '1'],
      azureZones: [
        { name: 1, cidr: '10.250.0.0/19' },
        { name: 2, cidr: '10.250.32.0/19' },
      ],
      enableNatGateway: true,
      idleConnectionTimeoutMinutes: 30,
    },
  },
  {
    input: {
      ...common,
      name: 'final-aws',
      provider: 'aws',
      region: 'eu-central-1',
      targetSecret: 'aws-credentials',
      machineType: 'm6i.xlarge',
      diskType: 'gp3',
      volumeSizeGB: 80,
      providerSpecificConfig: {
        awsConfig: {
          vpcCidr: '10.250.0.0/16',
          enableIMDSv2: true,
          awsZones: [
            {
              name: 'eu-central-1a',
              workerCidr: '10.250.0.0/19',
              publicCidr: '10.250.32.0/20',
              internalCidr: '10.250.48.0/20',
            },
          ],
        },
      },
    },
    specific: {
      __typename: 'AWSProviderConfig',
      vpcCidr: '10.250.0.0/16',
      enableIMDSv2: true,
      awsZones: [
        {
          name: 'eu-central-1a',
          workerCidr: '10.250.0.0/19',
          publicCidr: '10.250.32.0/20',
          internalCidr: '10.250.48.0/20',
        },
      ],
    },
  },
  {
    input: {
      ...common,
      name: 'final-os',
      provider: 'openstack',
      region: 'eu-de-1',
      targetSecret: 'openstack-credentials',
      machineType: 'g_c4_m16',
      exposureClassName: 'converged-cloud-internet',
      providerSpecificConfig: {
        openStackConfig: {
          zones: ['eu-de-1a'],
          floatingPoolName: 'FloatingIP-external-kyma-01',
          cloudProfileName: 'converged-cloud-kyma',
          loadBalancerProvider: 'f5',
        },
      },
    },
    specific: {
      __typename: 'OpenStackProviderConfig',
      openStackZones: ['eu-de-1a'],
      floatingPoolName: 'FloatingIP-external-kyma-01',
      cloudProfileName: 'converged-cloud-kyma',
      loadBalancerProvider: 'f5',
    },
  },
];

const clusterConfig = `
  name kubernetesVersion volumeSizeGB diskType machineType machineImage machineImageVersion region provider purpose
  licenceType seed shootAndSeedSameRegion targetSecret workerCidr podsCidr servicesCidr autoScalerMin autoScalerMax
  maxSurge maxUnavailable enableKubernetesVersionAutoUpdate enableMachineImageVersionAutoUpdate
  oidcConfig { clientID groupsClaim issuerURL signingAlgs usernameClaim usernamePrefix }
  dnsConfig { domain providers { domainsInclude primary secretName type } }
  exposureClassName shootNetworkingFilterDisabled controlPlaneFailureTolerance euAccess
  providerSpecificConfig {
    __typename
    ... on GCPProviderConfig { gcpZones: zones }
    ... on AzureProviderConfig {
      vnetCidr azureZoneNames: zones azureZones { name cidr } enableNatGateway idleConnectionTimeoutMinutes
    }
    ... on AWSProviderConfig { vpcCidr enableIMDSv2 awsZones { name workerCidr publicCidr internalCidr } }
    ... on OpenStackProviderConfig { openStackZones: zones floatingPoolName cloudProfileName loadBalancerProvider }
  }`;

for (const { input, specific } of orders) {
  test(`every field of an order on ${input.provider} comes back as it went in`, async () => {
    const administrators = ['admin@example.com'];
    const { id, runtimeID } = await world.provision({
      runtimeInput: { name: 'final', description: 'the last version', labels: { a: 1 } },
      clusterConfig: { gardenerConfig: input, administrators },
    });
    await world.succeeded(id);
    const { runtimeStatus } = await api.ask<{ runtimeStatus: Answer }>(
      `query ($id: String!) { runtimeStatus(id: $id) {
        hibernationStatus { hibernated hibernationPossible }
        runtimeConfiguration { administrators kymaConfig { version } clusterConfig { ${clusterConfig} } }
      } }`,
      { id: runtimeID },
    );
    const { runtimeConfiguration } = runtimeStatus;
    assert.deepEqual(runtimeConfiguration.administrators, administrators);
    const { seed, ...answered } = runtimeConfiguration.clusterConfig;
    const { seed: wanted = seed, ...asked } = input;
    assert.equal(seed, wanted);
    const absent = { dnsConfig: null, diskType: null, volumeSizeGB: null };
    assert.deepEqual(answered, { ...absent, ...asked, providerSpecificConfig: specific });
    await world.succeeded(await world.deprovision(runtimeID));
  });
}

async function mistakesIn(order: ProvisionRuntimeInput, id?: string): Promise<readonly string[]> {
  const { errors } = await world.send(order, id);
  const problems = errors[0]?.extensions?.problems as { path: string }[];
  const path = 'config.clusterConfig.';
  return problems.map((problem) => problem.path.replace(`${path}gardenerConfig.`, '').replace(path, '')).toSorted();
}

test('every mistake in an order is told at once, each with its path', async () => {
  const [gcp] = orders;
  assert.ok(gcp);
  const found = await mistakesIn({
    runtimeInput: { name: '' },
    clusterConfig: {
      gardenerConfig: {
        ...gcp.input,
        name: 'Final',
        region: '',
        machineType: 'giant',
        controlPlaneFailureTolerance: 'region',
        oidcConfig: { ...common.oidcConfig, issuerURL: 'issuer', signingAlgs: ['none'] },
        providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a'], zone: 'europe-west3-b' } },
      },
      administrators: [''],
    },
    kymaConfig: { version: '0.1', modules: ['Backup'] },
  });
  assert.deepEqual(found, [
    'administrators.0',
    'config.kymaConfig.version',
    'config.runtimeInput.name',
    'controlPlaneFailureTolerance',
    'machineType',
    'name',
    'oidcConfig.issuerURL',
    'oidcConfig.signingAlgs.0',
    'providerSpecificConfig.gcpConfig',
    'providerSpecificConfig.gcpConfig.zones',
    'region',
  ]);
});

test('a mistake that leaves it open what cluster is meant hides no other', async () => {
  const runtimeInput = { name: '' };
  const [gcp] = orders;
  assert.ok(gcp);
  const gardenerConfig = { ...gcp.input, provider: 'GCP', autoScalerMin: 0, servicesCidr: '10.250.1.0/24' };
  assert.deepEqual(await mistakesIn({ runtimeInput, clusterConfig: { gardenerConfig } }), [
    'autoScalerMin',
    'config.runtimeInput.name',
    'provider',
    'workerCidr',
  ]);
  const gcpConfig = { projectName: '', region: 'moon', numberOfNodes: 0 };
  assert.deepEqual(await mistakesIn({ runtimeInput, clusterConfig: { gcpConfig } }), [
    'config.credentials.secretName',
    'config.runtimeInput.name',
    'gcpConfig.numberOfNodes',
    'gcpConfig.projectName',
    'gcpConfig.region',
  ]);
  const kymaConfig = { version: '0.1' };
  assert.deepEqual(await mistakesIn({ runtimeInput, clusterConfig: {}, kymaConfig }, 'no-uuid'), [
    'config.clusterConfig',
    'config.kymaConfig.version',
    'config.runtimeInput.name',
    'id',
  ]);
});

interface Answer {
  readonly runtimeConfiguration: {
    readonly administrators: readonly string[];
    readonly clusterConfig: Readonly<Record<string, unknown>>;
  };
}
