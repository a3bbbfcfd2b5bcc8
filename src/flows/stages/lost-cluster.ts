import { Failure } from '../../domain/failures.ts';
import { fail, type Outcome } from '../../domain/outcome.ts';
import type { Runtime } from '../../domain/runtime.ts';

/** The cluster that an earlier stage saw is gone, and not through us. */
export function lostCluster(runtime: Runtime): Outcome {
  const message = `cluster ${runtime.cluster.name} does not exist any more: it was deleted outside this service. Deprovision the Runtime and provision a new one.`;
  return fail(new Failure('CLUSTER_LOST', message));
}
