import type { ClusterDriver, ClusterOrder } from '../../clusters/cluster-driver.ts';
import { type Outcome, wait, whenWoken } from '../../domain/outcome.ts';

/** Waits for the cluster's next change, telling what was seen of it. */
export function waitOnCluster({
  driver,
  order,
  seen: { message, progress },
}: {
  driver: ClusterDriver;
  order: ClusterOrder;
  seen: { readonly message: string; readonly progress?: number };
}): Outcome {
  return wait({ message, progress, wakeOn: driver.wakeKey(order), lookAgain: whenWoken });
}
