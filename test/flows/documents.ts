export const provisionMutation = `mutation ($id: String, $config: ProvisionRuntimeInput!) {
  provisionRuntime(id: $id, config: $config) { id operation state message runtimeID compassRuntimeID }
}`;

export const deprovisionMutation = 'mutation ($id: String!) { deprovisionRuntime(id: $id) }';

export const operationQuery = `query ($id: String!) { runtimeOperationStatus(id: $id) {
  id operation state message runtimeID compassRuntimeID stage progress startedAt stageStartedAt finishedAt
  errors { message } lastError { errMessage reason component code actor retryable nextStep }
} }`;

export const runtimeQuery = `query ($id: String!) { runtimeStatus(id: $id) {
  lastOperationStatus { id operation state }
  runtimeConnectionStatus { status errors { message } }
  runtimeConnectionConfig { kubeconfig }
  runtimeConfiguration {
    kubeconfig
    kymaConfig { version profile conflictStrategy configuration { key value secret }
      components { component namespace sourceURL conflictStrategy configuration { key value secret } } }
    clusterConfig {
      name kubernetesVersion volumeSizeGB diskType machineType machineImage machineImageVersion region provider purpose
      licenceType seed targetSecret workerCidr podsCidr servicesCidr autoScalerMin autoScalerMax maxSurge maxUnavailable
      enableKubernetesVersionAutoUpdate enableMachineImageVersionAutoUpdate
      providerSpecificConfig {
        ... on GCPProviderConfig { zones }
        ... on AzureProviderConfig { vnetCidr azureZones: zones }
        ... on AWSProviderConfig { vpcCidr zone publicCidr internalCidr
          awsZones { name publicCidr internalCidr workerCidr } }
      }
    }
  }
} }`;

/** As `runtimeOperationStatus` answers it. */
export interface OperationAnswer {
  readonly id: string;
  readonly operation: string;
  readonly state: 'InProgress' | 'Succeeded' | 'Failed';
  readonly message: string;
  readonly runtimeID: string;
  readonly compassRuntimeID: string | null;
  readonly stage: string;
  readonly progress: number | null;
  readonly startedAt: string;
  readonly stageStartedAt: string;
  readonly finishedAt: string | null;
  readonly errors: readonly { readonly message: string }[];
  readonly lastError: {
    readonly errMessage: string;
    readonly reason: string;
    readonly component: string;
    readonly code: string;
    readonly actor: string;
    readonly retryable: boolean;
    readonly nextStep: string | null;
  } | null;
}

/** As `runtimeStatus` answers it. */
export interface RuntimeAnswer {
  readonly lastOperationStatus: { readonly id: string; readonly operation: string; readonly state: string };
  readonly runtimeConnectionStatus: {
    readonly status: string;
    readonly errors: readonly { readonly message: string }[] | null;
  };
  readonly runtimeConnectionConfig: { readonly kubeconfig: string | null };
  readonly runtimeConfiguration: {
    readonly kubeconfig: string | null;
    readonly kymaConfig: Readonly<Record<string, unknown>> | null;
    readonly clusterConfig: Readonly<Record<string, unknown>> & { readonly name: string };
  };
}
