import { X509Certificate } from 'node:crypto';
import type { StoreEvent } from '../kubernetes/event-history.ts';
import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';
import type { Pace } from '../pace.ts';
import { whenNudged } from '../when-nudged.ts';
import { crashAgent, reviveAgent } from './agent-crash.ts';
import type { AgentFates } from './agent-fates.ts';
import { agentHome, agentSettings, readAgentDeployment } from './agent-home.ts';
import { agentDeployment, agentNamespace, agentSecret, connectionType } from './application-connector.ts';
import { isAvailable } from './deployments.ts';
import { ensure } from './ensure.ts';

export interface IssuedCertificate {
  readonly certificate: string;
  readonly chain: string;
  readonly authority: string;
  readonly key: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** What the agent calls outside its cluster. */
export interface AgentBackend {
  readonly directorURL: string;
  /** Trades a one-use token, which is burned by the attempt. Throws what the Connector answers. */
  exchange(connectorURL: string, token: string): Promise<IssuedCertificate>;
  /** With the certificate, at the Director. Throws when it does not know the Runtime. */
  synchronize(runtimeId: string): Promise<void>;
  /** With the certificate of that common name, at the Connector. Throws when it does not trust it any more. */
  maintain?(commonName: string): Promise<void>;
}

const connectionName = 'compass-connection';
const certificateSecret = 'cluster-client-certificates';

/**
 * Plays the Runtime Agent of one cluster while its Deployment has a pod: no CompassConnection means a new exchange with
 * the token in the Secret; ConnectionFailed is tried again from the Secret when something gives reason to.
 */
export class RuntimeAgent {
  readonly #cluster: KubernetesApi;
  readonly #backend: AgentBackend;
  readonly #pace: Pace;
  readonly #fates: AgentFates | undefined;
  #retry = false;
  readonly #lookSoon = whenNudged(async () => {
    const retry = this.#retry;
    this.#retry = false;
    await this.#look(retry);
  });

  constructor(cluster: KubernetesApi, backend: AgentBackend, pace: Pace, fates?: AgentFates) {
    this.#cluster = cluster;
    this.#backend = backend;
    this.#pace = pace;
    this.#fates = fates;
  }

  fateChanged(): void {
    if (this.#fates?.current?.kind !== 'crashes') reviveAgent(this.#cluster);
    this.#nudge({ retry: true });
  }

  changed({ type, resource, object, previous }: StoreEvent): void {
    const { name, namespace } = object.metadata;
    const home = agentHome(this.#cluster);
    if (resource === home.configuration && namespace === home.namespace && name === agentSecret) {
      // Only the module's manager lets the agent sleep until it has something to read.
      if (type !== 'MODIFIED' && namespace === agentNamespace) this.#scale(type === 'ADDED' ? 1 : 0);
      // Nobody tells the agent of a change; it reads what is there when it tries again.
      void this.#pace.pass('agentPeriod').then(() => this.#nudge({ retry: true }));
    } else if (resource === 'deployments.apps' && name === agentDeployment) {
      this.#nudge({ retry: false });
    } else if (resource === 'customresourcedefinitions.apiextensions.k8s.io' && name === connectionType) {
      this.#nudge({ retry: false });
    } else if (resource === connectionType) {
      // A container that ends is started again and again, and without a connection it needs no certificate.
      if (type === 'DELETED' && this.#fates?.current?.kind !== 'crashes') reviveAgent(this.#cluster);
      const touched =
        type === 'MODIFIED' &&
        JSON.stringify([object.spec, object.metadata.annotations]) !==
          JSON.stringify([previous?.spec, previous?.metadata.annotations]);
      if (type !== 'MODIFIED' || touched) this.#nudge({ retry: touched });
    }
  }

  #nudge({ retry }: { retry: boolean }): void {
    this.#retry ||= retry;
    this.#lookSoon();
  }

  async #look(retry: boolean): Promise<void> {
    if (this.#cluster.registry.byName(connectionType) === undefined || !this.#isRunning()) return;
    const fate = this.#fates?.current;
    if (fate?.kind === 'crashes') return crashAgent(this.#cluster, fate);
    const connection = this.#connection();
    const state = connection?.status?.connectionState;
    if (!connection || state === undefined || (retry && state === 'ConnectionFailed')) return this.#connect();
    if (state === 'ConnectionFailed') return;
    if (state === 'Connected' || retry) return this.#maintain();
  }

  /** A certificate that is not trusted any more is never replaced by way of the token. */
  async #maintain(): Promise<void> {
    const commonName = this.#commonName();
    if (commonName === undefined) {
      return crashAgent(this.#cluster, { message: `Failed to read certificate: ${certificateSecret} has none` });
    }
    try {
      await this.#backend.maintain?.(commonName);
    } catch (error) {
      const { connectionStatus } = this.#connection()?.status ?? {};
      const words = error instanceof Error ? error.message : String(error);
      this.#report({
        connectionState: 'ConnectionMaintenanceFailed',
        connectionStatus: {
          ...connectionStatus,
          lastSync: new Date().toISOString(),
          error: `Error while trying to maintain connection: ${words}`,
        },
      });
      return;
    }
    await this.#synchronize();
  }

  /** Of the certificate that it keeps; undefined when there is none, or nothing that is one. */
  #commonName(): string | undefined {
    const stored = this.#cluster.read('secrets', agentHome(this.#cluster).namespace, certificateSecret)?.data?.crt;
    try {
      const { subject } = new X509Certificate(Buffer.from(stored ?? '', 'base64'));
      return /^CN=(.*)$/m.exec(subject)?.[1] ?? '';
    } catch {
      return undefined;
    }
  }

  async #connect(): Promise<void> {
    await this.#pace.pass('agentStart');
    if (!this.#isRunning()) return;
    const settings = this.#settings();
    const now = new Date().toISOString();
    try {
      const issued = await this.#backend.exchange(settings.CONNECTOR_URL ?? '', settings.TOKEN ?? '');
      this.#store(issued);
      if (this.#fates?.takeForgetting()) {
        // It starts again, finds no connection, and takes the token to be still good.
        this.#nudge({ retry: true });
        return;
      }
      this.#report({
        connectionState: 'Connected',
        connectionStatus: {
          established: now,
          renewed: null,
          lastSync: now,
          lastSuccess: now,
          certificateStatus: {
            acquired: now,
            notBefore: issued.notBefore.toISOString(),
            notAfter: issued.notAfter.toISOString(),
          },
        },
      });
      await this.#synchronize();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#report({
        connectionState: 'ConnectionFailed',
        connectionStatus: { lastSync: now, error: `Failed to connect to Compass Connector: ${message}` },
      });
    }
  }

  async #synchronize(): Promise<void> {
    await this.#pace.pass('agentSync');
    if (!this.#isRunning() || !this.#connection()) return;
    const { connectionStatus } = this.#connection()?.status ?? {};
    const now = new Date().toISOString();
    const fate = this.#fates?.current;
    if (fate?.kind === 'synchronizationFails') {
      this.#report({
        connectionState: fate.state,
        connectionStatus: { ...connectionStatus, lastSync: now },
        synchronizationStatus: { lastAttempt: now, error: fate.error },
      });
      return;
    }
    try {
      await this.#backend.synchronize(this.#settings().RUNTIME_ID ?? '');
      this.#report({
        connectionState: 'Synchronized',
        connectionStatus: { ...connectionStatus, lastSync: now, lastSuccess: now },
        synchronizationStatus: { lastAttempt: now, lastSuccessfulFetch: now, lastSuccessfulApplication: now },
      });
    } catch (error) {
      this.#report({
        connectionState: 'SynchronizationFailed',
        connectionStatus: { ...connectionStatus, lastSync: now },
        synchronizationStatus: { lastAttempt: now, error: error instanceof Error ? error.message : String(error) },
      });
    }
  }

  /** The agent keeps its certificate before it says that it is connected; istio-system must be there for it. */
  #store({ certificate, key, chain, authority }: IssuedCertificate): void {
    const encode = (text: string) => Buffer.from(text).toString('base64');
    const secrets = [
      {
        metadata: { name: certificateSecret, namespace: agentHome(this.#cluster).namespace },
        data: { crt: encode(certificate), key: encode(key), crtChain: encode(chain) },
      },
      {
        metadata: { name: 'kyma-gateway-certs-cacert', namespace: 'istio-system' },
        data: { cacert: encode(authority) },
      },
    ];
    for (const secret of secrets) {
      ensure(this.#cluster, 'secrets', secret);
      this.#cluster.write('secrets', secret.metadata.namespace, secret.metadata.name, (target) => {
        target.data = secret.data;
      });
    }
  }

  #report(status: { readonly connectionState: string; readonly [field: string]: unknown }): void {
    if (this.#cluster.registry.byName(connectionType) === undefined) return;
    const managementInfo = {
      directorUrl: this.#backend.directorURL,
      connectorUrl: this.#settings().CONNECTOR_URL ?? '',
    };
    if (!this.#connection()) {
      this.#cluster.create(connectionType, { metadata: { name: connectionName }, spec: { managementInfo }, status });
      return;
    }
    this.#cluster.write(connectionType, undefined, connectionName, (target) => {
      const { resyncNow, ...rest } = target.spec ?? {};
      // Only a success puts it back.
      const isDone = status.connectionState === 'Synchronized' || resyncNow === undefined;
      target.spec = { ...rest, managementInfo, ...(!isDone && { resyncNow }) };
      target.status = status;
    });
  }

  #scale(replicas: number): void {
    this.#cluster.write('deployments', agentNamespace, agentDeployment, (deployment) => {
      deployment.spec.replicas = replicas;
    });
  }

  #connection(): KubeObject | undefined {
    return this.#cluster.read(connectionType, undefined, connectionName);
  }

  #isRunning(): boolean {
    return isAvailable(readAgentDeployment(this.#cluster));
  }

  #settings(): Record<string, string> {
    return agentSettings(this.#cluster);
  }
}
