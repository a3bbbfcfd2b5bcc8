import { clusterLost } from '../../clusters/cluster-lost.ts';
import { fail, type Outcome } from '../../domain/outcome.ts';
import type { Runtime } from '../../domain/runtime.ts';

/** The cluster that an earlier stage saw is gone, and not through us. */
export function lostCluster({ cluster }: Runtime): Outcome {
  return fail(clusterLost(cluster));
}
