import type { OperationAnswer } from './documents.ts';

const fields = `id operation state message runtimeID stage retryOf lastError { code actor } cancellation { outcome residue }`;

export const cancelMutation = `mutation ($id: String!) { cancelOperation(id: $id) { ${fields} } }`;
export const retryMutation = `mutation ($id: String!) { retryOperation(id: $id) { ${fields} } }`;
export const controlledQuery = `query ($id: String!) { runtimeOperationStatus(id: $id) { ${fields} } }`;
export const cancelAndDeprovisionMutation = `mutation ($id: String!) {
  deprovisionRuntime(id: $id, cancelRunning: true)
}`;
const plan = 'changes { stage action to subject manifest }';
export const dryRunMutation = `mutation ($id: String, $config: ProvisionRuntimeInput!) {
  provisionRuntime(id: $id, config: $config, dryRun: true) { id state runtimeID compassRuntimeID message plan { ${plan} } }
}`;
export const planProvisionQuery = `query ($id: String, $config: ProvisionRuntimeInput!) {
  planProvision(id: $id, config: $config) { ${plan} }
}`;
export const planDeprovisionQuery = `query ($id: String!, $cancelRunning: Boolean) {
  planDeprovision(id: $id, cancelRunning: $cancelRunning) { ${plan} }
}`;

/** What the mutations here answer. */
export interface ControlledOperation
  extends Pick<OperationAnswer, 'id' | 'operation' | 'state' | 'message' | 'runtimeID' | 'stage'> {
  readonly retryOf: string | null;
  readonly lastError: { readonly code: string; readonly actor: string } | null;
  readonly cancellation: { readonly outcome: string; readonly residue: readonly string[] } | null;
}

export interface PlannedChange {
  readonly stage: string | null;
  readonly action: string;
  readonly to: string;
  readonly subject: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows the shape that it asked for
  readonly manifest: any;
}
