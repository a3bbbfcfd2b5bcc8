import { gkeLocation } from '../../domain/gcp-config.ts';
import type { GkeCluster } from '../../domain/runtime.ts';
import type { ClusterOrder } from '../cluster-driver.ts';
import type { GkePlace } from './gke-client.ts';

/** An order for a cluster of this driver. */
export type GkeOrder = ClusterOrder<GkeCluster>;

/** Whose cluster it is, written on the cluster itself: the id of its Runtime. */
export const ownerLabel = 'kyma-runtime-id';

/** Which installation of this service made the cluster. */
export const installationLabel = 'kyma-provisioner-installation-id';
/** Whose Runtime it is, as `tenantMark` has it: not every tenant can be a label. */
export const tenantLabel = 'kyma-tenant-sha256';

/** Where the cluster is, and with which credentials it is reached. */
export function placeOf({ cluster: { config } }: GkeOrder): GkePlace {
  return {
    secretName: config.credentialsSecretName,
    project: config.projectName,
    location: gkeLocation(config).name,
  };
}
