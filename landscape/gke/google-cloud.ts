import type { Pace } from '../pace.ts';
import type { RuntimeClusters } from '../runtime-cluster/runtime-clusters.ts';
import type { WebRequest, WebResponse } from '../web-server.ts';
import { CloudResources } from './cloud-resources.ts';
import { answerGke } from './gke-api.ts';
import { GkeClusters } from './gke-clusters.ts';
import { GkeFates } from './gke-fates.ts';
import { GoogleIdentities } from './google-identities.ts';

/** The part of Google Cloud that clusters need: identities, Kubernetes Engine, and what its clusters make. */
export interface GoogleCloud {
  readonly identities: GoogleIdentities;
  readonly gke: GkeClusters;
  readonly cloud: CloudResources;
  readonly fates: GkeFates;
  /** A request to the REST API of Kubernetes Engine. */
  handle(request: WebRequest): WebResponse;
}

export function googleCloud({
  url,
  clusters,
  pace,
  authority,
}: {
  /** Where it is served. */
  readonly url: string;
  readonly clusters: RuntimeClusters;
  readonly pace: Pace;
  /** PEM. */
  readonly authority: string;
}): GoogleCloud {
  const identities = new GoogleIdentities({ tokenEndpoint: `${url}/google/token` });
  const fates = new GkeFates();
  const cloud = new CloudResources({ clusters, pace });
  const gke = new GkeClusters({ clusters, cloud, identities, fates, pace, authority });
  return { identities, gke, cloud, fates, handle: (request) => answerGke(request, { gke, identities }) };
}
