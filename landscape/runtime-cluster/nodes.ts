import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';

export interface NodePool {
  readonly cluster: KubernetesApi;
  readonly technicalId: string;
  readonly pool: string;
  readonly count: number;
  /** By which a Node says which pool it is of; Gardener's by default. */
  readonly poolLabel?: string | undefined;
}

/** Makes the cluster have as many ready Nodes of the pool as given; they are no more than objects. */
export function setNodes({
  cluster,
  technicalId,
  pool,
  count,
  poolLabel = 'worker.gardener.cloud/pool',
}: NodePool): void {
  const nodes = cluster.list('nodes', { labels: `${poolLabel}=${pool}` });
  for (const { metadata } of nodes.slice(count)) cluster.remove('nodes', undefined, metadata.name ?? '');
  const taken = new Set(nodes.map(({ metadata }) => metadata.name));
  for (let index = 0, missing = count - nodes.length; missing > 0; index++) {
    const name = `${technicalId}-${pool}-z1-${index}`;
    if (taken.has(name)) continue;
    missing -= 1;
    cluster.create('nodes', {
      metadata: { name, labels: { [poolLabel]: pool, 'kubernetes.io/hostname': name } },
      status: {
        conditions: [
          { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
        ],
        nodeInfo: { kubeletVersion: `v${cluster.kubernetesVersion}` },
      },
    });
  }
}
