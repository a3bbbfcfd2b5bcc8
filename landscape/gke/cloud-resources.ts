import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import type { KubeObject } from '../kubernetes/resource-type.ts';
import type { Pace } from '../pace.ts';
import type { RuntimeClusters } from '../runtime-cluster/runtime-clusters.ts';

/** Something in the cloud project that a cluster made for what runs in it, and that costs money on its own. */
export interface CloudResource {
  readonly kind: 'loadBalancer' | 'disk';
  /** `<cluster>/<namespace>/<name>` of the Service or the PersistentVolumeClaim. */
  readonly of: string;
}

const cleanup = 'service.kubernetes.io/load-balancer-cleanup';

/**
 * Plays the cloud controllers of a cluster: a load balancer for each Service that wants one, a disk for each claim. They
 * go with the Service or the claim; what is there when the cluster goes stays behind.
 */
export class CloudResources {
  readonly #resources = new Map<string, CloudResource>();
  readonly #clusters: RuntimeClusters;
  readonly #pace: Pace;
  readonly #following = new Map<string, () => void>();

  constructor({ clusters, pace }: { clusters: RuntimeClusters; pace: Pace }) {
    this.#clusters = clusters;
    this.#pace = pace;
  }

  list(): readonly CloudResource[] {
    return [...this.#resources.values()];
  }

  /** From now on the cluster makes and removes resources. */
  follow(technicalId: string): void {
    const api = this.#clusters.find(technicalId)?.api;
    if (!api || this.#following.has(technicalId)) return;
    const stops = [
      api.subscribe('services', ({ type, object }) => {
        if (type !== 'DELETED') void this.#balance(api, technicalId, object);
      }),
      api.subscribe('persistentvolumeclaims', ({ type, object }) => {
        if (type === 'ADDED') this.#provide(api, technicalId, object);
        if (type === 'DELETED') void this.#release(api, technicalId, object);
      }),
    ];
    this.#following.set(technicalId, () => {
      for (const stop of stops) stop();
    });
  }

  /** The cluster goes, and nobody looks after what it made. */
  abandon(technicalId: string): void {
    this.#following.get(technicalId)?.();
    this.#following.delete(technicalId);
  }

  async #balance(api: KubernetesApi, technicalId: string, { metadata, spec, status }: KubeObject): Promise<void> {
    const { namespace, name = '', deletionTimestamp, finalizers = [] } = metadata;
    const of = `${technicalId}/${namespace}/${name}`;
    if (deletionTimestamp && finalizers.includes(cleanup)) {
      await this.#pace.pass('cloudResource');
      this.#resources.delete(`loadBalancer ${of}`);
      api.write('services', namespace, name, (service) => {
        service.metadata.finalizers = service.metadata.finalizers?.filter((finalizer) => finalizer !== cleanup) ?? [];
      });
    } else if (!deletionTimestamp && spec?.type === 'LoadBalancer' && !status?.loadBalancer?.ingress) {
      this.#resources.set(`loadBalancer ${of}`, { kind: 'loadBalancer', of });
      api.write('services', namespace, name, (service) => {
        service.metadata.finalizers = [...new Set([...(service.metadata.finalizers ?? []), cleanup])];
        service.status = { ...service.status, loadBalancer: { ingress: [{ ip: '203.0.113.10' }] } };
      });
    }
  }

  #provide(api: KubernetesApi, technicalId: string, { metadata }: KubeObject): void {
    const { namespace, name = '', uid } = metadata;
    const of = `${technicalId}/${namespace}/${name}`;
    this.#resources.set(`disk ${of}`, { kind: 'disk', of });
    const volume = `pvc-${uid}`;
    api.create('persistentvolumes', {
      metadata: { name: volume },
      spec: { persistentVolumeReclaimPolicy: 'Delete', claimRef: { namespace, name } },
      status: { phase: 'Bound' },
    });
    api.write('persistentvolumeclaims', namespace, name, (claim) => {
      claim.spec = { ...claim.spec, volumeName: volume };
      claim.status = { phase: 'Bound' };
    });
  }

  async #release(api: KubernetesApi, technicalId: string, { metadata }: KubeObject): Promise<void> {
    await this.#pace.pass('cloudResource');
    this.#resources.delete(`disk ${technicalId}/${metadata.namespace}/${metadata.name}`);
    api.remove('persistentvolumes', undefined, `pvc-${metadata.uid}`);
  }
}
