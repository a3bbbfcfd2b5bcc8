import type { ClusterObservation } from '../clusters/cluster-driver.ts';
import { clusterOrder } from '../clusters/cluster-order.ts';
import type { Repair } from '../domain/flow.ts';
import { retryKyma } from './take-up-kyma.ts';
import type { StageRun, Tools } from './tools.ts';

/** In the notes of an operation that makes a failed cluster anew. */
const remaking = 'remakingCluster';

/** The cluster is the same one afterwards: no second one is made. */
async function retryCluster({ runtime, clusters, signal }: StageRun): Promise<void> {
  await clusters[runtime.cluster.driver].retry(clusterOrder(runtime), signal);
}

/**
 * Deletes a cluster that nobody can repair and makes it anew under its name; it was never finished, so nothing is lost
 * with it. Remembered before the deletion: afterwards nothing tells that there has been a cluster.
 */
async function remakeCluster(run: StageRun, seen: ClusterObservation): Promise<void> {
  const { operation, runtime, clusters, signal } = run;
  const driver = clusters[runtime.cluster.driver];
  const order = clusterOrder(runtime);
  await run.note({ [remaking]: true });
  if (seen.state === 'absent') await driver.create(order, operation.id, signal);
  if (seen.state === 'failed') await driver.requestDeletion(order, signal);
  // What is none of these is the new one, which an earlier try has made.
  if (seen.state !== 'failed' && seen.state !== 'deleting') return run.note({ [remaking]: false });
  throw new Error(`cluster ${runtime.cluster.name} failed beyond repair: it is deleted, and then made anew`);
}

async function retryOrRemakeCluster(run: StageRun): Promise<void> {
  const { operation, runtime, clusters, signal } = run;
  const seen = await clusters[runtime.cluster.driver].observe(clusterOrder(runtime), signal);
  const beyondRepair = seen.state === 'failed' && seen.beyondRepair === true;
  if (beyondRepair || operation.notes[remaking] === true) return remakeCluster(run, seen);
  await retryCluster(run);
}

export const takeUpProvision: Repair<Tools> = {
  reads:
    'the provider is asked to go on with a cluster that it gave up on, or (GKE) the cluster is deleted and made anew, the installer of Kyma is asked to go on, and the Director is told that the Runtime is being provisioned',
  act: async (run) => {
    await retryOrRemakeCluster(run);
    await retryKyma(run);
    const { operation, runtime, director, signal } = run;
    if (runtime.registration === 'none') return;
    // What comes after its cluster does not concern the Director when there is no agent to connect.
    const isMade = runtime.kyma === undefined && operation.stage === 'CreatingBindingsForOperators';
    const condition = isMade ? 'INITIAL' : 'PROVISIONING';
    await director.setCondition(runtime.id, condition, { tenant: runtime.tenant, signal });
  },
};

export const takeUpCluster: Repair<Tools> = {
  reads: 'the provider is asked to go on with a cluster that it gave up on',
  act: retryCluster,
};

export const takeUpUpgrade: Repair<Tools> = {
  reads: 'the provider is asked to go on with a cluster that it gave up on, and so is the installer of Kyma',
  act: async (run) => {
    await retryCluster(run);
    await retryKyma(run);
  },
};

export const takeUpDeprovision: Repair<Tools> = {
  reads: 'the provider is asked to go on with a deletion that it gave up on',
  act: retryCluster,
};
