import type { ShootClusters } from '../garden/shoot-actor.ts';
import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { Pace } from '../pace.ts';
import type { AgentFates } from './agent-fates.ts';
import type { BrokeredServices } from './brokered-services.ts';
import { setNodes } from './nodes.ts';
import type { AgentBackend } from './runtime-agent.ts';
import { createRuntimeCluster, type RuntimeCluster } from './runtime-cluster.ts';

export interface RuntimeClustersOptions {
  readonly pace: Pace;
  readonly agentBackend: AgentBackend;
  readonly agentFates: AgentFates;
  readonly brokeredServices: BrokeredServices;
  /** Makes an API reachable at its address; `unserve` ends that for good. */
  readonly serve: (api: KubernetesApi) => void;
  readonly unserve: (api: KubernetesApi) => void;
  /** The address of an API through each name of this machine. */
  readonly addresses: (api: KubernetesApi) => { external: string; internal: string };
}

interface Entry {
  readonly cluster: RuntimeCluster;
  running: boolean;
}

/** The clusters behind the Shoots, by technical id. */
export class RuntimeClusters implements ShootClusters {
  readonly #clusters = new Map<string, Entry>();
  readonly #options: RuntimeClustersOptions;

  constructor(options: RuntimeClustersOptions) {
    this.#options = options;
  }

  start(technicalId: string, kubernetesVersion: string): { external: string; internal: string } {
    const { serve, addresses, ...options } = this.#options;
    let entry = this.#clusters.get(technicalId);
    if (!entry) {
      entry = { cluster: createRuntimeCluster({ technicalId, kubernetesVersion, ...options }), running: false };
      this.#clusters.set(technicalId, entry);
      serve(entry.cluster.api);
    }
    const { api } = entry.cluster;
    api.kubernetesVersion = kubernetesVersion;
    entry.running = true;
    return addresses(api);
  }

  setNodes(technicalId: string, pool: string, count: number, poolLabel?: string): void {
    const entry = this.#clusters.get(technicalId);
    if (entry?.running) setNodes({ cluster: entry.cluster.api, technicalId, pool, count, poolLabel });
  }

  hibernate(technicalId: string): void {
    const entry = this.#clusters.get(technicalId);
    if (!entry?.running) return;
    const { api } = entry.cluster;
    for (const { metadata } of api.list('nodes')) api.remove('nodes', undefined, metadata.name ?? '');
    entry.running = false;
    api.endWatches({ how: 'reset' });
  }

  destroy(technicalId: string): void {
    const entry = this.#clusters.get(technicalId);
    if (!entry) return;
    this.#clusters.delete(technicalId);
    entry.cluster.close();
    this.#options.unserve(entry.cluster.api);
  }

  find(technicalId: string): { api: KubernetesApi; running: boolean } | undefined {
    const entry = this.#clusters.get(technicalId);
    return entry && { api: entry.cluster.api, running: entry.running };
  }

  all(): { technicalId: string; api: KubernetesApi; running: boolean }[] {
    return [...this.#clusters].map(([technicalId, { cluster, running }]) => ({
      technicalId,
      api: cluster.api,
      running,
    }));
  }

  close(): void {
    for (const { cluster } of this.#clusters.values()) cluster.close();
  }
}
