/** The mutation of the tutorial: a Runtime through Gardener on GCP. */
export const provisionRuntime = `mutation { provisionRuntime(config: {
  runtimeInput: { name: "demo", description: "first runtime", labels: { team: "a" } }
  clusterConfig: { gardenerConfig: {
    kubernetesVersion: "1.34.2", provider: "gcp", targetSecret: "gcp-credentials", region: "europe-west3",
    machineType: "n2-standard-4", diskType: "pd-balanced", volumeSizeGB: 50, workerCidr: "10.250.0.0/22",
    autoScalerMin: 2, autoScalerMax: 4, maxSurge: 4, maxUnavailable: 1, purpose: "evaluation",
    providerSpecificConfig: { gcpConfig: { zones: ["europe-west3-a"] } } } }
  kymaConfig: { version: "fast", components: [ { component: "istio", namespace: "kyma-system" },
    { component: "application-connector", namespace: "kyma-system" } ] }
}) { id operation state message runtimeID } }`;

export const runtimeStatusQuery = `query ($id: String!) { runtimeStatus(id: $id) {
  lastOperationStatus { operation state }
  runtimeConnectionStatus { status }
  runtimeConfiguration { kubeconfig clusterConfig { name region kubernetesVersion } } } }`;
