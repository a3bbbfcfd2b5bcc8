const accepted = 'id runtimeID';
const onRuntime = (field: string) => `mutation ($id: String!) { ${field}(id: $id) { ${accepted} } }`;

/** What callers send. */
export const documents = {
  provision: `mutation ($config: ProvisionRuntimeInput!) { provisionRuntime(config: $config) { ${accepted} } }`,
  upgrade: `mutation ($id: String!, $config: UpgradeRuntimeInput!) { upgradeRuntime(id: $id, config: $config) { ${accepted} } }`,
  upgradeShoot: `mutation ($id: String!, $config: UpgradeShootInput!) { upgradeShoot(id: $id, config: $config) { ${accepted} } }`,
  hibernate: onRuntime('hibernateRuntime'),
  wakeUp: onRuntime('wakeUpRuntime'),
  reconnect: 'mutation ($id: String!) { reconnectRuntimeAgent(id: $id) }',
  deprovision: 'mutation ($id: String!) { deprovisionRuntime(id: $id) }',
  cancelAndDeprovision: 'mutation ($id: String!) { deprovisionRuntime(id: $id, cancelRunning: true) }',
  cancel: onRuntime('cancelOperation'),
  retry: onRuntime('retryOperation'),
  status: `query ($id: String!) { runtimeOperationStatus(id: $id) { state stage message runtimeID } }`,
} as const;

const kyma = {
  version: 'fast',
  components: [
    { component: 'istio', namespace: 'kyma-system' },
    { component: 'application-connector', namespace: 'kyma-system' },
  ],
};

interface OrderOptions {
  readonly name: string;
  readonly withKyma: boolean;
}

/** An order for a cluster through Gardener on GCP, named as the Runtime. */
export function gardenerOrder({ name, withKyma }: OrderOptions): object {
  return {
    runtimeInput: { name },
    clusterConfig: {
      gardenerConfig: {
        ...{ name, provider: 'gcp', targetSecret: 'gcp-credentials', region: 'europe-west3' },
        ...{ kubernetesVersion: '1.34.2', workerCidr: '10.250.0.0/22', autoScalerMin: 2, autoScalerMax: 4 },
        providerSpecificConfig: { gcpConfig: { zones: ['europe-west3-a'] } },
      },
      administrators: ['admin@example.com'],
    },
    ...(withKyma && { kymaConfig: kyma }),
  };
}

/** An order for a cluster straight from GKE. */
export function gkeOrder({ name, withKyma }: OrderOptions): object {
  return {
    runtimeInput: { name },
    clusterConfig: {
      gcpConfig: { name, projectName: 'my-project', kubernetesVersion: '1.34', region: 'europe-west3-a' },
    },
    credentials: { secretName: 'gcp-secret' },
    ...(withKyma && { kymaConfig: kyma }),
  };
}
