import { Failure } from '../domain/failures.ts';
import type { ClusterDriverKind, ClusterRecord } from '../domain/runtime.ts';

/** Where the words of the failure table are those of Gardener. */
const ownWords: Readonly<Record<ClusterDriverKind, { readonly reason?: string; readonly component?: string }>> = {
  gardener: {},
  gke: { reason: 'err_gke_cluster_lost', component: 'google kubernetes engine' },
};

/** The cluster is gone, and not through us. */
export function clusterLost({ driver, name }: Pick<ClusterRecord, 'driver' | 'name'>): Failure {
  const message = `cluster ${name} does not exist any more: it was deleted outside this service. Deprovision the Runtime and provision a new one.`;
  return new Failure('CLUSTER_LOST', message, ownWords[driver]);
}
