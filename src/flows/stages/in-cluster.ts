import { clusterOrder } from '../../clusters/cluster-order.ts';
import { Failure } from '../../domain/failures.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { lostCluster } from './lost-cluster.ts';
import { waitOnCluster } from './wait-on-cluster.ts';

type Stage = (run: StageRun) => Promise<Outcome>;

/**
 * A stage that works inside a cluster which an earlier one has seen. What cannot be done there is tried again, unless the
 * provider says that there is nothing any more to try it on: then the operation ends at once, and not at its deadline.
 */
export function inCluster(stage: Stage): Stage {
  return async (run) => {
    try {
      return await stage(run);
    } catch (error) {
      if (error instanceof Failure || run.signal.aborted) throw error;
      const reason = await whyNot(run);
      if (reason === undefined) throw error;
      run.log.info({ err: error }, 'nothing can be done in a cluster that is gone or asleep');
      return reason;
    }
  };
}

async function whyNot({ runtime, clusters, signal, log }: StageRun): Promise<Outcome | undefined> {
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  const seen = await driver.observe(order, signal).catch((error: unknown) => {
    log.info({ err: error }, 'the provider does not say what has become of a cluster');
  });
  if (seen?.state === 'absent') return lostCluster(runtime);
  if (seen?.state !== 'hibernated') return undefined;
  return waitOnCluster({ driver, order, seen: { message: 'Cluster was hibernated outside this service' } });
}
