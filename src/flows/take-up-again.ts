import { clusterOrder } from '../clusters/cluster-order.ts';
import type { Repair } from '../domain/flow.ts';
import type { StageRun, Tools } from './tools.ts';

/** The cluster is the same one afterwards: no second one is made. */
async function retryCluster({ runtime, clusters, signal }: StageRun): Promise<void> {
  await clusters[runtime.cluster.driver].retry(clusterOrder(runtime), signal);
}

export const takeUpProvision: Repair<Tools> = {
  reads:
    'the provider is asked to go on with a cluster that it gave up on, and the Director is told that the Runtime is being provisioned',
  act: async (run) => {
    await retryCluster(run);
    const { runtime, director, signal } = run;
    if (runtime.registration === 'none') return;
    await director.setCondition(runtime.id, 'PROVISIONING', { tenant: runtime.tenant, signal });
  },
};

export const takeUpDeprovision: Repair<Tools> = {
  reads: 'the provider is asked to go on with a deletion that it gave up on',
  act: retryCluster,
};
