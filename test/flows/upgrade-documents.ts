const parts = `clusterConfig { kubernetesVersion name } kymaConfig { version components { component configuration { key value } } }
  administrators`;

export const upgradeMutation = `mutation ($id: String!, $config: UpgradeRuntimeInput!) {
  upgradeRuntime(id: $id, config: $config) { id operation state stage message runtimeID compassRuntimeID }
}`;

export const rollBackMutation = `mutation ($id: String!) { rollBackUpgradeOperation(id: $id) {
  lastOperationStatus { id operation state configurationChange { rolledBackAt } }
  runtimeConfiguration { clusterConfig { kubernetesVersion } kymaConfig { version components { component } } }
} }`;

export const historyQuery = `query ($id: String!) { runtimeOperationStatus(id: $id) {
  configurationChange { adoptedAt rolledBackAt before { ${parts} } after { ${parts} } }
} }`;

interface Parts {
  readonly clusterConfig: { readonly kubernetesVersion: string; readonly name: string } | null;
  readonly kymaConfig: {
    readonly version: string;
    readonly components: readonly { readonly component: string; readonly configuration: unknown }[];
  } | null;
  readonly administrators: readonly string[] | null;
}

export interface History {
  readonly adoptedAt: string | null;
  readonly rolledBackAt: string | null;
  readonly before: Parts;
  readonly after: Parts;
}

export interface RolledBack {
  readonly lastOperationStatus: {
    readonly id: string;
    readonly operation: string;
    readonly state: string;
    readonly configurationChange: { readonly rolledBackAt: string | null };
  };
  readonly runtimeConfiguration: {
    readonly clusterConfig: { readonly kubernetesVersion: string };
    readonly kymaConfig: { readonly version: string; readonly components: readonly { readonly component: string }[] };
  };
}
