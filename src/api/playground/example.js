// What a tab starts with.
export const exampleHeaders = `{
  "tenant": "demo"
}`;

export const exampleQuery = `# Each request needs the header "tenant": it says
# whose Runtime this is. Change it under "Headers"
# below; "sub-account" may be added there.
# You see only what belongs to your tenant.
#
# The book at the upper left opens the docs.

mutation Provision {
  provisionRuntime(config: {
    runtimeInput: { name: "demo" }
    clusterConfig: { gardenerConfig: {
      provider: "gcp"
      region: "europe-west3"
      targetSecret: "gcp-credentials"
      workerCidr: "10.250.0.0/22"
      providerSpecificConfig: {
        gcpConfig: { zones: ["europe-west3-a"] }
      }
    } }
    kymaConfig: { version: "fast" }
  }) { id operation state message runtimeID }
}

query HowDoesItGo {
  runtimeOperationStatus(id: "the answered id") {
    operation
    state
    stage
    progress
    message
    lastError { errMessage code actor retryable }
  }
}
`;
