/** An order that leaves little out: AWS in three zones, OIDC, DNS, administrators, every module with configuration. */
export const provisionInFull = `mutation ($config: ProvisionRuntimeInput!) {
  provisionRuntime(config: $config) { id runtimeID } }`;

const awsZones = ['a', 'b', 'c'].map((letter, index) => ({
  name: `eu-central-1${letter}`,
  workerCidr: `10.250.${64 * index}.0/19`,
  publicCidr: `10.250.${64 * index + 32}.0/20`,
  internalCidr: `10.250.${64 * index + 48}.0/20`,
}));

const entry = (key: string, value: string) => ({ key, value });

export const fullOrder = {
  runtimeInput: {
    name: 'bench',
    description: 'a Runtime whose status is asked for often',
    labels: { team: 'a', costs: '4711' },
  },
  clusterConfig: {
    gardenerConfig: {
      ...{ kubernetesVersion: '1.34.2', provider: 'aws', targetSecret: 'aws-credentials', region: 'eu-central-1' },
      ...{
        machineType: 'm6i.xlarge',
        diskType: 'gp3',
        volumeSizeGB: 50,
        purpose: 'evaluation',
        licenceType: 'TestDevelopment',
      },
      ...{ workerCidr: '10.250.0.0/19', podsCidr: '100.64.0.0/12', servicesCidr: '100.104.0.0/13' },
      ...{ autoScalerMin: 3, autoScalerMax: 6, maxSurge: 3, maxUnavailable: 1 },
      ...{ enableKubernetesVersionAutoUpdate: false, enableMachineImageVersionAutoUpdate: false },
      ...{ shootNetworkingFilterDisabled: true, controlPlaneFailureTolerance: 'zone', euAccess: true },
      oidcConfig: {
        ...{ clientID: 'kyma', issuerURL: 'https://issuer.example.com', signingAlgs: ['RS256', 'ES256'] },
        ...{ groupsClaim: 'groups', usernameClaim: 'sub', usernamePrefix: '-' },
      },
      dnsConfig: {
        domain: 'bench.example.com',
        providers: [
          { type: 'aws-route53', primary: true, secretName: 'aws-credentials', domainsInclude: ['bench.example.com'] },
        ],
      },
      providerSpecificConfig: { awsConfig: { vpcCidr: '10.250.0.0/16', enableIMDSv2: true, awsZones } },
    },
    administrators: ['first@example.com', 'second@example.com', 'third@example.com'],
  },
  kymaConfig: {
    version: 'fast',
    components: [
      {
        ...{ component: 'istio', namespace: 'kyma-system' },
        configuration: [
          entry('compatibilityMode', 'false'),
          entry('config.numTrustedProxies', '2'),
          entry('config.gatewayExternalTrafficPolicy', 'Local'),
          entry('config.telemetry.metrics.prometheusMerge', 'true'),
        ],
      },
      {
        ...{ component: 'application-connector', namespace: 'kyma-system' },
        configuration: [
          entry('appGateway.proxyTimeout', '20s'),
          entry('appGateway.requestTimeout', '20s'),
          entry('appGateway.logLevel', 'warn'),
          entry('appConnValidator.logLevel', 'warn'),
          entry('appConnValidator.logFormat', 'json'),
        ],
      },
      {
        ...{ component: 'api-gateway', namespace: 'kyma-system' },
        configuration: [entry('enableKymaGateway', 'true')],
      },
      {
        ...{ component: 'serverless', namespace: 'kyma-system' },
        configuration: [
          entry('dockerRegistry.enableInternal', 'true'),
          entry('functionRequeueDuration', '1m'),
          entry('healthzLivenessTimeout', '10s'),
          entry('targetCPUUtilizationPercentage', '60'),
        ],
      },
    ],
  },
};

/** All that a status holds without asking the cluster or its provider. */
export const statusInFull = `query Status($id: String!) { runtimeStatus(id: $id) {
  lastOperationStatus { id operation state message runtimeID compassRuntimeID errors { message }
    lastError { errMessage reason component } stage progress startedAt stageStartedAt finishedAt }
  runtimeConfiguration {
    administrators
    clusterConfig { ... on GardenerConfig {
      name kubernetesVersion volumeSizeGB diskType machineType machineImage machineImageVersion region provider purpose
      licenceType seed targetSecret workerCidr podsCidr servicesCidr autoScalerMin autoScalerMax maxSurge maxUnavailable
      enableKubernetesVersionAutoUpdate enableMachineImageVersionAutoUpdate allowPrivilegedContainers exposureClassName
      shootNetworkingFilterDisabled controlPlaneFailureTolerance euAccess
      oidcConfig { clientID groupsClaim issuerURL signingAlgs usernameClaim usernamePrefix }
      dnsConfig { domain providers { domainsInclude primary secretName type } }
      providerSpecificConfig { __typename
        ... on AWSProviderConfig { vpcCidr enableIMDSv2 awsZones { name publicCidr internalCidr workerCidr } }
        ... on AzureProviderConfig { vnetCidr azureZones { name cidr } enableNatGateway }
        ... on GCPProviderConfig { zones } } } }
    kymaConfig { version profile conflictStrategy modules configuration { key value secret }
      components { component namespace sourceURL conflictStrategy configuration { key value secret } } } } } }`;

export const hello = '{ __typename }';
