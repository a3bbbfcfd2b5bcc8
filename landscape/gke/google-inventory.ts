import type { CloudResource } from './cloud-resources.ts';
import type { GoogleCloud } from './google-cloud.ts';

export interface GoogleInventory {
  readonly clusters: readonly {
    readonly name: string;
    readonly location: string;
    readonly technicalId: string;
    readonly status: string;
    readonly version: string;
    readonly labels: Readonly<Record<string, string>>;
  }[];
  /** Load balancers and disks, of clusters that are gone, too. */
  readonly resources: readonly CloudResource[];
}

/** Counts what exists in the Google Cloud project, for whoever must prove that nothing else does. */
export function takeGoogleInventory({ gke, cloud }: GoogleCloud): GoogleInventory {
  return {
    clusters: gke.all().map(({ technicalId, json }) => ({
      name: json.name,
      location: json.location,
      technicalId,
      status: json.status,
      version: json.currentMasterVersion,
      labels: json.resourceLabels ?? {},
    })),
    resources: cloud.list(),
  };
}
