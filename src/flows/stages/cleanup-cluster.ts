import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, type Outcome, observing, wait } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import { KubernetesError } from '../../kubernetes/kubernetes-error.ts';
import type { StagePlanning, StageRun } from '../tools.ts';
import { deleteBrokeredServices, describeInstance, findBrokeredServices } from './cleanup-cluster-instances.ts';

/** How long a cluster that should work may be silent before it is left alone, in milliseconds. */
const patience = 120_000;
/** How many are named in a message. */
const named = 5;

/**
 * Deletes what brokers of services have made for the cluster while there is still somebody who can: Kyma takes the
 * service catalog along, and whoever pays for a database would go on paying. The stage's deadline bounds it.
 */
export async function cleanupCluster(run: StageRun): Promise<Outcome> {
  const { runtime, clusters, signal } = run;
  const seen = await clusters[runtime.cluster.driver].observe(clusterOrder(runtime), signal);
  if (seen.hibernation?.wanted) {
    return done({ message: 'Cluster is hibernated; instances of services in it cannot be removed' });
  }
  if (seen.state !== 'ready') return done();
  try {
    return await removeInstances(run);
  } catch (error) {
    if (signal.aborted || isAnswer(error) || !(await isSilentForLong(run))) throw error;
    run.log.warn({ err: error, cluster: runtime.cluster.name }, 'instances of services of a cluster may be left');
    return done({ message: 'The cluster does not answer; instances of services in it may be left at their brokers' });
  }
}

/** Of a cluster that does not work, nothing is removed. */
export async function planCleanup(planning: StagePlanning): Promise<readonly PlannedChange[]> {
  const { runtime, access, clusters, serviceBrokerPrefix: brokerPrefix, signal } = planning;
  const seen = await clusters[runtime.cluster.driver].observe(clusterOrder(runtime), signal);
  if (seen.state !== 'ready') return [];
  const cluster = await access.client(clusterOrder(runtime), signal);
  const found = await findBrokeredServices({ cluster, brokerPrefix, signal });
  return (found?.instances ?? []).map(({ metadata: { namespace, name } }) => ({
    action: 'Delete',
    to: 'cluster',
    subject: `ServiceInstance ${namespace}/${name}`,
  }));
}

async function removeInstances(run: StageRun): Promise<Outcome> {
  const { runtime, access, serviceBrokerPrefix: brokerPrefix, operation, signal } = run;
  const cluster = await access.client(clusterOrder(runtime), signal);
  const services = await findBrokeredServices({ cluster, brokerPrefix, signal });
  if (typeof operation.notes.clusterSilentSince === 'number') await run.note({ clusterSilentSince: null });
  if (services === undefined || services.instances.length === 0) return done();
  const left = services.instances.length;
  const noted = operation.notes.serviceInstances;
  const total = Math.max(left, typeof noted === 'number' ? noted : 0);
  if (total !== noted) await run.note({ serviceInstances: total });
  await deleteBrokeredServices({ cluster, services, signal });
  const names = services.instances.slice(0, named).map(describeInstance).join(', ');
  const more = left > named ? ` and ${left - named} more` : '';
  return wait({
    message: `Removing instances of services: ${total - left} of ${total} are gone; waiting for ${names}${more}`,
    progress: Math.floor(((total - left) / total) * 100),
    lookAgain: observing,
  });
}

/** Notes since when nothing was heard of the cluster. */
async function isSilentForLong({ operation, clock, note }: StageRun): Promise<boolean> {
  const { clusterSilentSince: since } = operation.notes;
  if (typeof since === 'number') return clock.now() - since >= patience;
  await note({ clusterSilentSince: clock.now() });
  return false;
}

/** A server that answers 500 or worse may be one that stands before the cluster's own. */
function isAnswer(error: unknown): boolean {
  return error instanceof KubernetesError && error.status < 500;
}
