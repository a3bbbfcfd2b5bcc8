import type { RuntimeId, Tenant } from '../domain/ids.ts';
import type { KymaInstallation, KymaInstallerKind } from '../domain/kyma-config.ts';
import type { Secret } from '../domain/secret.ts';
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts';

/** The Kyma that brings a Runtime's agent. */
export interface AgentKyma {
  readonly installer: KymaInstallerKind;
  /** As it was asked for: a release, or a channel. */
  readonly version: string;
}

export function kymaOfAgent({ installer, config }: KymaInstallation): AgentKyma {
  return { installer, version: config.version };
}

/** The cluster of a Runtime, and its Kyma: where the agent is depends on it. */
export interface AgentTarget {
  readonly cluster: KubernetesClient;
  readonly kyma: AgentKyma;
  readonly signal: AbortSignal;
}

export interface AgentConfiguration {
  readonly runtimeId: RuntimeId;
  readonly tenant: Tenant;
  readonly token: Secret;
  readonly connectorURL: string;
  /** By which this configuration is told from others. */
  readonly mark?: ConfigurationMark;
}

export interface ConfigurationMark {
  /** Such as `<operation>/<attempt>`. */
  readonly name: string;
  readonly tokenRequestedAt: Date;
}

/** What the cluster's CompassConnection says. `pending`: it is not there yet, or says nothing yet. */
export type ConnectionObservation =
  | {
      readonly state: 'pending';
      readonly message: string;
      /** Why nothing may come of it, such as an agent that crashes. */
      readonly trouble?: string;
    }
  | { readonly state: 'connected'; readonly message: string; readonly warning?: string }
  | { readonly state: 'disconnected'; readonly message: string; readonly error: string };

/** A CompassConnection. Moments are the agent's own words, to be compared with one another only. */
export interface AgentConnection {
  readonly uid: string;
  /** One of the agent's own states, or any other text; undefined: it says none yet. */
  readonly state: string | undefined;
  /** When a token was exchanged last. */
  readonly established: string | undefined;
  /** When the agent talked to the Connector last, with or without success. */
  readonly lastSync: string | undefined;
  /** May be of long ago: only the state tells whether it still holds. */
  readonly error: string | undefined;
  readonly synchronizationError: string | undefined;
  /** Deleted, and not gone yet. */
  readonly deleting: boolean;
}

/** What there is of a connection. */
export interface ConnectionLook {
  readonly connection: AgentConnection | undefined;
  /** A digest of the agent's client certificate, which each exchange of a token replaces; undefined: it has none. */
  readonly certificate: string | undefined;
}

/** The agent in a Runtime's cluster. Every call may be repeated. What the cluster refuses is thrown as it is. */
export interface RuntimeAgent {
  /** Writes what the agent reads. The same configuration again changes nothing; another token replaces the old one. */
  configure(target: AgentTarget, configuration: AgentConfiguration): Promise<void>;
  /** The mark of the configuration that is there; undefined when there is none, or one without a mark. */
  configurationMark(target: AgentTarget): Promise<ConfigurationMark | undefined>;
  observe(target: AgentTarget): Promise<ConnectionObservation>;
  /** The connection itself, for whoever must tell it from another one. */
  look(target: AgentTarget): Promise<ConnectionLook>;
  /** Why no agent can connect there, whatever it is told; undefined when nothing is missing. */
  obstacle(target: AgentTarget): Promise<string | undefined>;
  /** Why the agent does not act, when its Deployment or its Pods tell. */
  trouble(target: AgentTarget): Promise<string | undefined>;
  /** Ends the connection with that uid, so that the agent makes a new one. One that is gone is fine; another one throws. */
  forgetConnection(target: AgentTarget, uid: string): Promise<void>;
  /** Has an agent whose exchange failed try again now, once for each `mark`. */
  nudge(target: AgentTarget, mark: string): Promise<void>;
  /** Whether the agent is to synchronise without a pause, now or until it is told otherwise. */
  hurry(target: AgentTarget, now: boolean): Promise<void>;
}
