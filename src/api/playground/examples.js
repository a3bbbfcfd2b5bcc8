// Requests to start from.
export const examples = [
  {
    title: 'How does an operation go?',
    query: `query ($id: String!) {
  runtimeOperationStatus(id: $id) {
    id
    operation
    state
    stage
    progress
    message
    runtimeID
    lastError { errMessage reason component actor retryable }
  }
}`,
    variables: '{ "id": "" }',
  },
  {
    title: 'Provision a Runtime through Gardener on GCP',
    query: `mutation {
  provisionRuntime(config: {
    runtimeInput: { name: "demo", description: "first runtime", labels: { team: "a" } }
    clusterConfig: { gardenerConfig: {
      provider: "gcp"
      region: "europe-west3"
      targetSecret: "gcp-credentials"
      workerCidr: "10.250.0.0/22"
      providerSpecificConfig: { gcpConfig: { zones: ["europe-west3-a"] } }
    } }
    kymaConfig: { version: "fast" }
  }) { id operation state message runtimeID }
}`,
    variables: '',
  },
  {
    title: 'What is known of a Runtime?',
    query: `query ($id: String!) {
  runtimeStatus(id: $id) {
    lastOperationStatus { id operation state message }
    runtimeConnectionStatus { status errors { message } }
    runtimeConfiguration {
      clusterConfig { name provider region kubernetesVersion machineType autoScalerMin autoScalerMax }
      kymaConfig { version components { component } }
    }
  }
}`,
    variables: '{ "id": "" }',
  },
  {
    title: 'Deprovision a Runtime',
    query: `mutation ($id: String!) {
  deprovisionRuntime(id: $id)
}`,
    variables: '{ "id": "" }',
  },
];
