import { type Clock, systemClock } from '../domain/clock.ts';
import { Failure } from '../domain/failures.ts';
import type { Logger } from '../domain/logger.ts';
import { orAbort } from '../domain/or-abort.ts';
import { kubernetesClient } from '../kubernetes/client.ts';
import type { ConnectionSource } from '../kubernetes/cluster-connection.ts';
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts';
import type { ClusterAccess } from './cluster-access.ts';
import type { ClusterDrivers, ClusterOrder } from './cluster-driver.ts';
import { issuedConnection } from './issued-connection.ts';

export interface RuntimeClusterAccessSettings {
  readonly drivers: ClusterDrivers;
  readonly fieldManager: string;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Of each kubeconfig that is issued. */
  readonly lifetimeSeconds?: number;
  /** Clusters whose client is kept; the one that was not asked for longest is closed first. */
  readonly capacity?: number;
  /** Per cluster; each costs a TLS handshake, of which many provisionings at once make many. */
  readonly maxConnections?: number;
}

/** Longer than the pause between two looks at a cluster that is being worked on; each connection takes 100 KiB. */
const keepAliveMs = 10_000;

interface Kept {
  readonly client: KubernetesClient;
  readonly source: ConnectionSource;
}

/** Clients for Runtimes' clusters with an administrator's kubeconfig, which never leaves this process. */
export class RuntimeClusterAccess implements ClusterAccess {
  readonly #settings: RuntimeClusterAccessSettings;
  /** In the order of last use. */
  readonly #kept = new Map<string, Kept>();

  constructor(settings: RuntimeClusterAccessSettings) {
    this.#settings = settings;
  }

  get size(): number {
    return this.#kept.size;
  }

  async client(order: ClusterOrder, signal: AbortSignal): Promise<KubernetesClient> {
    const key = keyOf(order);
    const kept = this.#kept.get(key) ?? this.#open(order);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    this.#closeLeastUsed();
    await orAbort(kept.source.current().catch(throwForStage), signal);
    return kept.client;
  }

  forget(order: ClusterOrder): void {
    this.#drop(keyOf(order));
  }

  async close(): Promise<void> {
    const clients = [...this.#kept.values()].map(({ client }) => client);
    this.#kept.clear();
    await Promise.allSettled(clients.map((client) => client.close()));
  }

  #open(order: ClusterOrder): Kept {
    const {
      drivers,
      fieldManager,
      log,
      clock = systemClock,
      lifetimeSeconds = 3600,
      maxConnections = 2,
    } = this.#settings;
    const issue = () =>
      drivers[order.cluster.driver].issueKubeconfig({
        order,
        holder: 'service',
        role: 'admin',
        lifetimeSeconds,
        signal: AbortSignal.timeout(30_000),
      });
    const source = issuedConnection({ issue, clock, log: log.child({ cluster: order.cluster.name }) });
    const connection: ConnectionSource = { current: (request) => source.current(request).catch(throwForStage) };
    return { client: kubernetesClient({ connection, fieldManager, maxConnections, keepAliveMs }), source };
  }

  #closeLeastUsed(): void {
    const { capacity = 500 } = this.#settings;
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= capacity) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    // Waits for requests under way; one that begins later fails, and its stage asks for a client again.
    kept?.client.close().catch(() => undefined);
  }
}

function keyOf({ runtimeId, cluster }: ClusterOrder): string {
  return `${cluster.driver}/${cluster.name}/${runtimeId}`;
}

/** A Failure would end the operation, but what cannot be issued now will be soon. */
function throwForStage(error: unknown): never {
  if (error instanceof Failure && error.code === 'KUBECONFIG_UNAVAILABLE') {
    throw new Error(error.message, { cause: error });
  }
  throw error;
}
