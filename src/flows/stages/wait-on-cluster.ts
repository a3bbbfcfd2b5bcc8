import type { ClusterDriver, ClusterOrder } from '../../clusters/cluster-driver.ts';
import { type Obstacle, type Outcome, wait, whenWoken } from '../../domain/outcome.ts';

/** Waits for the cluster's next change, telling what was seen of it. */
export function waitOnCluster({
  driver,
  order,
  seen: { message, progress, obstacle },
}: {
  driver: ClusterDriver;
  order: ClusterOrder;
  seen: { readonly message: string; readonly progress?: number; readonly obstacle?: Obstacle | undefined };
}): Outcome {
  const { safetyNet = whenWoken } = driver;
  return wait({ message, progress, obstacle, wakeOn: driver.wakeKey(order), lookAgain: safetyNet });
}
