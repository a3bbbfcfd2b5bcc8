import { gkeLocation, totalNumberOfNodes } from '../../domain/gcp-config.ts';
import { tenantMark } from '../../domain/tenant-mark.ts';
import { type GkeOrder, installationLabel, ownerLabel, tenantLabel } from './gke-order.ts';

/** The pool of a cluster's nodes, as GKE itself calls the first one. */
export const nodePoolName = 'default-pool';

/**
 * The body that creates the cluster. The mark of its owner is in it, so there is no moment without; so is that of the
 * installation of this service, when there is one.
 */
export function clusterRequest(
  { runtimeId, tenant, cluster: { name, config } }: GkeOrder,
  installation: string | undefined,
): { readonly cluster: object } {
  const { kubernetesVersion, numberOfNodes, machineType, bootDiskSizeGB } = config;
  return {
    cluster: {
      name,
      ...(kubernetesVersion !== undefined && { initialClusterVersion: kubernetesVersion }),
      nodePools: [
        {
          name: nodePoolName,
          initialNodeCount: numberOfNodes,
          config: { machineType, diskSizeGb: bootDiskSizeGB },
        },
      ],
      resourceLabels: {
        [ownerLabel]: runtimeId,
        ...(installation !== undefined && { [installationLabel]: installation, [tenantLabel]: tenantMark(tenant) }),
      },
    },
  };
}

/** `a cluster of 3 nodes (1 in each of 3 zones of europe-west3)`. */
export function describeSize({ cluster: { config } }: GkeOrder): string {
  const { name, kind } = gkeLocation(config);
  const total = totalNumberOfNodes(config);
  const nodes = `a cluster of ${total} ${total === 1 ? 'node' : 'nodes'}`;
  if (kind === 'zone') return `${nodes} in zone ${name}`;
  return `${nodes} (${config.numberOfNodes} in each of ${total / config.numberOfNodes} zones of ${name})`;
}
