import type { StoreEvent } from '../kubernetes/event-history.ts';
import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';
import type { Pace } from '../pace.ts';
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
}

const connectionName = 'compass-connection';

/**
 * Plays the Runtime Agent of one cluster while its Deployment has a pod: no CompassConnection means a new exchange with
 * the token in the Secret; ConnectionFailed is tried again from the Secret when something gives reason to.
 */
export class RuntimeAgent {
  readonly #cluster: KubernetesApi;
  readonly #backend: AgentBackend;
  readonly #pace: Pace;
  #running = false;
  #nudged = false;
  #retry = false;

  constructor(cluster: KubernetesApi, backend: AgentBackend, pace: Pace) {
    this.#cluster = cluster;
    this.#backend = backend;
    this.#pace = pace;
  }

  changed({ type, resource, object, previous }: StoreEvent): void {
    const { name, namespace } = object.metadata;
    if (resource === 'secrets' && namespace === agentNamespace && name === agentSecret) {
      if (type !== 'MODIFIED') this.#scale(type === 'ADDED' ? 1 : 0);
      // The real agent finds a changed Secret at its next sync, at most 180 s later; here that sync comes at once.
      else this.#nudge({ retry: true });
    } else if (resource === 'deployments.apps' && name === agentDeployment) {
      this.#nudge({ retry: false });
    } else if (resource === 'customresourcedefinitions.apiextensions.k8s.io' && name === connectionType) {
      this.#nudge({ retry: false });
    } else if (resource === connectionType) {
      const touched =
        type === 'MODIFIED' &&
        JSON.stringify([object.spec, object.metadata.annotations]) !==
          JSON.stringify([previous?.spec, previous?.metadata.annotations]);
      if (type !== 'MODIFIED' || touched) this.#nudge({ retry: touched });
    }
  }

  #nudge({ retry }: { retry: boolean }): void {
    this.#nudged = true;
    this.#retry ||= retry;
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#nudged) {
      this.#nudged = false;
      const retry = this.#retry;
      this.#retry = false;
      await this.#look(retry);
    }
    this.#running = false;
  }

  async #look(retry: boolean): Promise<void> {
    if (this.#cluster.registry.byName(connectionType) === undefined || !this.#isRunning()) return;
    const connection = this.#connection();
    const state = connection?.status?.connectionState;
    if (!connection || state === undefined || (retry && state === 'ConnectionFailed')) return this.#connect();
    if (state === 'Connected' || (retry && connection.spec?.resyncNow)) return this.#synchronize();
  }

  async #connect(): Promise<void> {
    await this.#pace.pass('agentStart');
    if (!this.#isRunning()) return;
    const settings = this.#settings();
    const now = new Date().toISOString();
    try {
      const issued = await this.#backend.exchange(settings.CONNECTOR_URL ?? '', settings.TOKEN ?? '');
      this.#store(issued);
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
        metadata: { name: 'cluster-client-certificates', namespace: agentNamespace },
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

  #report(status: object): void {
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
      target.spec = { managementInfo };
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
    return isAvailable(this.#cluster.read('deployments', agentNamespace, agentDeployment));
  }

  #settings(): Record<string, string> {
    const data: Record<string, string> = this.#cluster.read('secrets', agentNamespace, agentSecret)?.data ?? {};
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
  }
}
