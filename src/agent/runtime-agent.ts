import type { RuntimeId, Tenant } from '../domain/ids.ts';
import type { Secret } from '../domain/secret.ts';
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts';

export interface AgentConfiguration {
  readonly runtimeId: RuntimeId;
  readonly tenant: Tenant;
  readonly token: Secret;
  readonly connectorURL: string;
}

/** What the cluster's CompassConnection says. `pending`: it is not there yet, or says nothing yet. */
export type ConnectionObservation =
  | { readonly state: 'pending'; readonly message: string }
  | { readonly state: 'connected'; readonly message: string; readonly warning?: string }
  | { readonly state: 'disconnected'; readonly message: string; readonly error: string };

export interface RuntimeAgent {
  /** Writes the agent's Secret. The same configuration again changes nothing; another token replaces the old one. */
  configure(cluster: KubernetesClient, configuration: AgentConfiguration, signal: AbortSignal): Promise<void>;
  observe(cluster: KubernetesClient, signal: AbortSignal): Promise<ConnectionObservation>;
}
