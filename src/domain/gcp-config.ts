/**
 * A cluster straight from Google Kubernetes Engine, in the words of the GraphQL input `GCPConfigInput`. It is stored as
 * it came in (with defaults filled in) and answered as it is stored.
 */
export interface GcpConfig {
  readonly name: string;
  readonly provider: 'gcp';
  /** Id of the Google Cloud project. */
  readonly projectName: string;
  /** `1.34`, `1.34.3` or `1.34.3-gke.1444000`; absent: GKE chooses. */
  readonly kubernetesVersion?: string;
  /** In each zone that the cluster has nodes in: one, or those of a region. */
  readonly numberOfNodes: number;
  readonly bootDiskSizeGB: number;
  readonly machineType: string;
  /** As it was given: a region, or (the form of 2019) a zone. */
  readonly region: string;
  /** Wins over `region`, in which it lies. */
  readonly zone?: string;
  /** The Secret with the key of a Google service account; the key itself is never stored. */
  readonly credentialsSecretName: string;
}

/** Where GKE makes nodes of a regional cluster when it is not told. */
const zonesOfRegion = 3;

export interface GkeLocation {
  /** What GKE calls the location: a zone, or a region. */
  readonly name: string;
  readonly kind: 'zone' | 'region';
}

/** A region has one hyphen, a zone two: `europe-west3`, `europe-west3-a`. */
export function gkeLocation({ region, zone }: Pick<GcpConfig, 'region' | 'zone'>): GkeLocation {
  const name = zone ?? region;
  return { name, kind: name.split('-').length > 2 ? 'zone' : 'region' };
}

/** Of all zones together. */
export function totalNumberOfNodes(config: Pick<GcpConfig, 'region' | 'zone' | 'numberOfNodes'>): number {
  return config.numberOfNodes * (gkeLocation(config).kind === 'zone' ? 1 : zonesOfRegion);
}
