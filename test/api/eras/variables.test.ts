import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiUnderTest } from '../api-under-test.ts';

/** Clients declare their variables with the types of their time: parts of an order, in lists that may hold null. */
const document = `mutation (
  $runtimeInput: RuntimeInput!, $zones: [AWSZoneInput]!, $dnsProviders: [DNSProviderInput]
  $components: [ComponentConfigurationInput]!, $ofKyma: [ConfigEntryInput], $profile: KymaProfile
) {
  provisionRuntime(config: {
    runtimeInput: $runtimeInput
    clusterConfig: { gardenerConfig: {
      provider: "aws", region: "eu-central-1", targetSecret: "aws-credentials", workerCidr: "10.250.0.0/19"
      dnsConfig: { domain: "demo.example.com", providers: $dnsProviders }
      providerSpecificConfig: { awsConfig: { vpcCidr: "10.250.0.0/16", awsZones: $zones } }
    } }
    kymaConfig: { version: "fast", components: $components, configuration: $ofKyma, profile: $profile }
  }) { runtimeID }
}`;

test('parts of an order come in variables of the types that they were declared with, and null in a list is nothing', async (t) => {
  const { call } = await apiUnderTest(t);
  const zone = { name: 'eu-central-1a', publicCidr: '10.250.32.0/20', internalCidr: '10.250.48.0/20' };
  const awsZones = [{ ...zone, workerCidr: '10.250.0.0/19' }];
  const entry = { key: 'replicas', value: '2', secret: false };
  const istio = { component: 'istio', namespace: 'kyma-system' };
  const variables = {
    runtimeInput: { name: 'demo' },
    zones: [null, ...awsZones],
    components: [{ ...istio, configuration: [entry, null] }, null],
    ofKyma: [null],
  };
  const { data, errors } = await call(document, { variables });
  assert.equal(errors, undefined);
  const { runtimeStatus } = (
    await call(`{ runtimeStatus(id: "${data.provisionRuntime.runtimeID}") { runtimeConfiguration {
      clusterConfig { dnsConfig { domain providers { type } }
        providerSpecificConfig { ... on AWSProviderConfig { awsZones { name publicCidr internalCidr workerCidr } } } }
      kymaConfig { components { component namespace configuration { key value secret } } configuration { key } }
    } } }`)
  ).data;
  assert.deepEqual(runtimeStatus.runtimeConfiguration, {
    clusterConfig: { dnsConfig: { domain: 'demo.example.com', providers: [] }, providerSpecificConfig: { awsZones } },
    kymaConfig: { components: [{ ...istio, configuration: [entry] }], configuration: [] },
  });
});
