import { gkeLocation } from '../domain/gcp-config.ts';
import type { ClusterRecord } from '../domain/runtime.ts';

/** Within which a cluster's name is unique, as the column `cluster_place` has it. */
export function clusterPlace(cluster: ClusterRecord): string {
  if (cluster.driver !== 'gke') return '';
  return `${cluster.config.projectName}/${gkeLocation(cluster.config).name}`;
}
