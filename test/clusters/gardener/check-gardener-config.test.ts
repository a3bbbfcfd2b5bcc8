import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkGardenerConfig } from '../../../src/clusters/gardener/checks/check-gardener-config.ts';
import { type GardenerConfig, type GardenerProvider, gardenerProviders } from '../../../src/domain/gardener-config.ts';
import { parseTenant } from '../../../src/domain/ids.ts';
import { configs, orderOf } from './orders.ts';

interface Case {
  readonly because: string;
  readonly provider?: GardenerProvider;
  readonly changes: Partial<GardenerConfig>;
  readonly path: string;
  readonly words: string;
}

const aws = configs.aws.providerSpecificConfig.awsConfig;
if (!aws) throw new Error('the order on AWS has no block');
const [zoneA, zoneB] = aws.awsZones;
if (!zoneA || !zoneB) throw new Error('the order on AWS has less than two zones');
const onAws = (changes: Partial<typeof aws>) => ({ providerSpecificConfig: { awsConfig: { ...aws, ...changes } } });
const onGcp = (zones: readonly string[]) => ({ providerSpecificConfig: { gcpConfig: { zones } } });

const vnetCidr = '10.250.0.0/16';
const onAzure = (changes: object) => ({ providerSpecificConfig: { azureConfig: { vnetCidr, ...changes } } });
const oidcConfig = {
  clientID: 'kyma',
  groupsClaim: 'groups',
  issuerURL: 'https://issuer.example.com',
  signingAlgs: ['RS256'],
  usernameClaim: 'sub',
  usernamePrefix: '-',
};
const dnsProvider = { type: 'aws-route53', primary: true, secretName: 'dns', domainsInclude: [] };

const cases: readonly Case[] = [
  {
    because: 'clients know the sentence of the original',
    provider: 'openstack',
    changes: { diskType: 'ssd', volumeSizeGB: 50 },
    path: 'diskType',
    words: 'error: OpenStack mutation does not accept diskType or volumeSizeGb parameters',
  },
  {
    because: 'a size alone is refused as well',
    provider: 'openstack',
    changes: { volumeSizeGB: 50 },
    path: 'volumeSizeGB',
    words: 'error: OpenStack mutation does not accept diskType or volumeSizeGb parameters',
  },
  {
    because: 'Services of type LoadBalancer need a provider',
    provider: 'openstack',
    changes: { providerSpecificConfig: { openStackConfig: { zones: ['eu-de-1a'], loadBalancerProvider: ' ' } } },
    path: 'providerSpecificConfig.openStackConfig.loadBalancerProvider',
    words: 'loadBalancerProvider is empty',
  },
  {
    because: 'Azure offers NAT gateways to zoned clusters only',
    provider: 'azure',
    changes: onAzure({ enableNatGateway: true }),
    path: 'providerSpecificConfig.azureConfig.enableNatGateway',
    words: 'a NAT gateway needs zones',
  },
  {
    because: 'a timeout of a gateway that is not there would be ignored',
    provider: 'azure',
    changes: onAzure({ zones: ['1'], idleConnectionTimeoutMinutes: 5 }),
    path: 'providerSpecificConfig.azureConfig.idleConnectionTimeoutMinutes',
    words: 'idleConnectionTimeoutMinutes 5 needs enableNatGateway: true',
  },
  {
    because: 'Azure has bounds for it',
    provider: 'azure',
    changes: onAzure({ zones: ['1'], enableNatGateway: true, idleConnectionTimeoutMinutes: 121 }),
    path: 'providerSpecificConfig.azureConfig.idleConnectionTimeoutMinutes',
    words: 'idleConnectionTimeoutMinutes 121 is not from 4 to 120',
  },
  {
    because: 'of two lists of zones one would be ignored',
    provider: 'azure',
    changes: onAzure({ zones: ['1'], azureZones: [{ name: 2, cidr: '10.250.0.0/19' }] }),
    path: 'providerSpecificConfig.azureConfig.zones',
    words: 'zones and azureZones name different zones',
  },
  {
    because: 'a subnet of a zone lies in the network',
    provider: 'azure',
    changes: onAzure({ azureZones: [{ name: 1, cidr: '10.0.0.0/19' }] }),
    path: 'providerSpecificConfig.azureConfig.azureZones[0].cidr',
    words: 'azureZones[0].cidr 10.0.0.0/19 is not inside vnetCidr 10.250.0.0/16',
  },
  {
    because: 'subnets of zones are disjoint',
    provider: 'azure',
    changes: onAzure({
      azureZones: [
        { name: 1, cidr: '10.250.0.0/19' },
        { name: 2, cidr: '10.250.16.0/20' },
      ],
    }),
    path: 'providerSpecificConfig.azureConfig.azureZones[0].cidr',
    words: 'azureZones[0].cidr 10.250.0.0/19 overlaps azureZones[1].cidr 10.250.16.0/20',
  },
  {
    because: 'Azure numbers its zones from 1',
    provider: 'azure',
    changes: onAzure({ azureZones: [{ name: 0, cidr: '10.250.0.0/19' }] }),
    path: 'providerSpecificConfig.azureConfig.azureZones',
    words: 'zone "0" is not a number such as "1"',
  },
  {
    because: 'Gardener knows two of them',
    changes: { controlPlaneFailureTolerance: 'region' },
    path: 'controlPlaneFailureTolerance',
    words: 'controlPlaneFailureTolerance "region" does not exist; use one of node, zone',
  },
  {
    because: 'a cluster must not come into being in another project than the caller meant',
    changes: { projectName: 'prod' },
    path: 'projectName',
    words: 'projectName "prod" is not the Gardener project that this service works in, "dev"',
  },
  {
    because: 'the API server asks the issuer over TLS',
    changes: { oidcConfig: { ...oidcConfig, issuerURL: 'http://issuer.example.com' } },
    path: 'oidcConfig.issuerURL',
    words: 'issuerURL "http://issuer.example.com" is not an address such as https://',
  },
  {
    because: 'an audience keeps tokens for others out',
    changes: { oidcConfig: { ...oidcConfig, clientID: '' } },
    path: 'oidcConfig.clientID',
    words: 'clientID is empty',
  },
  {
    because: 'the API server takes no symmetric signature',
    changes: { oidcConfig: { ...oidcConfig, signingAlgs: ['RS256', 'HS256'] } },
    path: 'oidcConfig.signingAlgs[1]',
    words: 'signing algorithm "HS256" is not supported',
  },
  {
    because: 'a domain has labels',
    changes: { dnsConfig: { domain: 'demo', providers: [dnsProvider] } },
    path: 'dnsConfig.domain',
    words: 'domain "demo" is not a domain name',
  },
  {
    because: "somebody must serve the cluster's own domain",
    changes: { dnsConfig: { domain: 'demo.example.com', providers: [{ ...dnsProvider, primary: false }] } },
    path: 'dnsConfig.providers',
    words: 'exactly one provider must be primary, and 0 are',
  },
  {
    because: 'a provider of DNS wants credentials',
    changes: { dnsConfig: { domain: 'demo.example.com', providers: [{ ...dnsProvider, secretName: '' }] } },
    path: 'dnsConfig.providers[0].secretName',
    words: 'secretName is empty',
  },
  {
    because: 'a provider that does not exist would leave nobody to make the cluster',
    changes: { provider: 'openshift' as GardenerProvider },
    path: 'provider',
    words: 'provider "openshift" is not supported; use one of gcp, azure, aws',
  },
  {
    because: "another provider's block was silently preferred by the original",
    changes: { provider: 'azure' },
    path: 'providerSpecificConfig',
    words: 'provider "azure" needs azureConfig in providerSpecificConfig, and nothing else; it has gcpConfig',
  },
  {
    because: 'of two blocks one would be ignored',
    changes: { providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a'] }, awsConfig: aws } },
    path: 'providerSpecificConfig',
    words: 'it has gcpConfig and awsConfig',
  },
  {
    because: 'nothing is known about the network without a block',
    changes: { providerSpecificConfig: {} },
    path: 'providerSpecificConfig',
    words: 'it is empty',
  },
  {
    because: 'a Shoot name is a DNS label',
    changes: { name: 'My_Cluster' },
    path: 'name',
    words: 'name "My_Cluster" must consist of lower-case letters',
  },
  {
    because: 'Gardener separates name parts by two hyphens',
    changes: { name: 'a--b' },
    path: 'name',
    words: 'two hyphens',
  },
  {
    because: 'project and name share 21 characters',
    changes: { name: 'a23456789012345678x' },
    path: 'name',
    words: 'has 19 characters, and in the Gardener project "dev" at most 18 are possible',
  },
  {
    because: 'the issue names this very sentence',
    changes: { servicesCidr: '10.250.1.0/24' },
    path: 'workerCidr',
    words: 'workerCidr 10.250.0.0/22 overlaps servicesCidr 10.250.1.0/24',
  },
  {
    because: 'pods and services must be apart as well',
    changes: { podsCidr: '10.0.0.0/12', servicesCidr: '10.8.0.0/16' },
    path: 'podsCidr',
    words: 'podsCidr 10.0.0.0/12 overlaps servicesCidr 10.8.0.0/16',
  },
  {
    because: 'a caller has to know of a default to keep out of its way',
    changes: { workerCidr: '100.64.0.0/16' },
    path: 'workerCidr',
    words: 'workerCidr 100.64.0.0/16 overlaps servicesCidr 100.64.0.0/13 (the default)',
  },
  {
    because: 'text is not a range',
    changes: { workerCidr: 'ten' },
    path: 'workerCidr',
    words: 'workerCidr ten is not an IPv4 range such as 10.250.0.0/22',
  },
  {
    because: 'Gardener refuses ranges that are not canonical',
    changes: { workerCidr: '10.250.0.1/22' },
    path: 'workerCidr',
    words: 'is not written as the start of its range, which is 10.250.0.0/22',
  },
  {
    because: 'Gardener maps networks of its own there',
    changes: { podsCidr: '242.0.0.0/16' },
    path: 'podsCidr',
    words: 'reserved by Gardener',
  },
  {
    because: 'an empty list of zones made the original panic',
    changes: onGcp([]),
    path: 'providerSpecificConfig.gcpConfig.zones',
    words: 'no zone is given',
  },
  {
    because: 'Gardener refuses duplicates',
    changes: onGcp(['europe-west3-a', 'europe-west3-a']),
    path: 'providerSpecificConfig.gcpConfig.zones',
    words: 'zone "europe-west3-a" is given more than once',
  },
  {
    because: 'a zone of another region has no machines for us',
    changes: onGcp(['us-central1-a']),
    path: 'providerSpecificConfig.gcpConfig.zones',
    words: 'zone "us-central1-a" is not in region europe-west3, whose zones are named like europe-west3-a',
  },
  {
    because: 'every zone needs a node for system components',
    changes: { ...onGcp(['europe-west3-a', 'europe-west3-b']), autoScalerMin: 1, autoScalerMax: 1 },
    path: 'autoScalerMax',
    words: 'autoScalerMax 1 is less than the number of zones, 2',
  },
  {
    because: 'a cluster without nodes runs no Kyma',
    changes: { autoScalerMin: 0 },
    path: 'autoScalerMin',
    words: 'autoScalerMin 0 must be a whole number of at least 1',
  },
  {
    because: 'a maximum below the minimum cannot hold',
    changes: { autoScalerMin: 5, autoScalerMax: 3 },
    path: 'autoScalerMax',
    words: 'at least autoScalerMin, 5',
  },
  {
    because: 'nodes could never be replaced',
    changes: { maxSurge: 0, maxUnavailable: 0 },
    path: 'maxSurge',
    words: 'maxSurge and maxUnavailable are both 0',
  },
  {
    because: 'a negative number of nodes does not exist',
    changes: { maxUnavailable: -1 },
    path: 'maxUnavailable',
    words: 'maxUnavailable -1 must be a whole number of at least 0',
  },
  {
    because: 'a disk has a size',
    changes: { volumeSizeGB: 0 },
    path: 'volumeSizeGB',
    words: 'volumeSizeGB 0 must be a whole number of at least 1',
  },
  {
    because: 'clients know the sentence of the original',
    changes: { machineImageVersion: '1.2.3' },
    path: 'machineImageVersion',
    words: 'error: Machine Image Version passed while Machine Image is empty',
  },
  {
    because: 'Gardener knows four purposes for callers',
    changes: { purpose: 'fun' },
    path: 'purpose',
    words: 'use one of evaluation, testing, development, production',
  },
  {
    because: 'without credentials Gardener cannot act',
    changes: { targetSecret: '' },
    path: 'targetSecret',
    words: 'targetSecret is empty',
  },
  {
    because: 'workers of Azure are a subnet of its network',
    provider: 'azure',
    changes: { workerCidr: '10.0.0.0/22' },
    path: 'workerCidr',
    words: 'workerCidr 10.0.0.0/22 is not inside vnetCidr 10.250.0.0/16',
  },
  {
    because: 'zones of Azure are numbers',
    provider: 'azure',
    changes: { providerSpecificConfig: { azureConfig: { vnetCidr: '10.250.0.0/16', zones: ['westeurope-1'] } } },
    path: 'providerSpecificConfig.azureConfig.zones',
    words: 'zone "westeurope-1" is not a number',
  },
  {
    because: 'a subnet of AWS lies in its network',
    provider: 'aws',
    changes: onAws({ awsZones: [{ ...zoneA, publicCidr: '10.0.0.0/20' }] }),
    path: 'providerSpecificConfig.awsConfig.awsZones[0].publicCidr',
    words: 'awsZones[0].publicCidr 10.0.0.0/20 is not inside vpcCidr 10.250.0.0/16',
  },
  {
    because: 'subnets of AWS are disjoint, across zones too',
    provider: 'aws',
    changes: onAws({ awsZones: [zoneA, { ...zoneB, internalCidr: zoneA.workerCidr }] }),
    path: 'providerSpecificConfig.awsConfig.awsZones[0].workerCidr',
    words: 'awsZones[0].workerCidr 10.250.0.0/19 overlaps awsZones[1].internalCidr 10.250.0.0/19',
  },
  {
    because: 'the zone belongs to another region',
    provider: 'aws',
    changes: onAws({ awsZones: [{ ...zoneA, name: 'us-east-1a' }] }),
    path: 'providerSpecificConfig.awsConfig.awsZones',
    words: 'zone "us-east-1a" is not in region eu-central-1, whose zones are named like eu-central-1a',
  },
];

for (const provider of gardenerProviders) {
  test(`a valid order on ${provider} has no mistake`, () => {
    assert.deepEqual(checkGardenerConfig(orderOf(configs[provider]), 'dev'), []);
  });
}

describe('each mistake is found alone, at its path, with its values', () => {
  for (const { because, provider = 'gcp', changes, path, words } of cases) {
    test(`${because} (${words})`, () => {
      const found = checkGardenerConfig(orderOf({ ...configs[provider], ...changes }), 'dev');
      assert.equal(found.length, 1, JSON.stringify(found));
      assert.equal(found[0]?.path, path);
      assert.ok(found[0]?.message.includes(words), found[0]?.message);
    });
  }
});

test('all mistakes are told at once', () => {
  const config = { ...configs.gcp, name: 'X', purpose: 'fun', workerCidr: 'ten', maxSurge: 0, maxUnavailable: 0 };
  const paths = checkGardenerConfig(orderOf(config), 'dev').map(({ path }) => path);
  assert.deepEqual(paths.toSorted(), ['maxSurge', 'name', 'purpose', 'workerCidr']);
});

test('a tenant that cannot be a label is told before Gardener refuses the Shoot', () => {
  const order = { ...orderOf(configs.gcp), tenant: parseTenant('tenant a/b') };
  assert.match(checkGardenerConfig(order, 'dev')[0]?.message ?? '', /header tenant "tenant a\/b" cannot label/);
});
