import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, type Outcome, observing, wait } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import type { StagePlanning, StageRun } from '../tools.ts';
import { deleteBrokeredServices, describeInstance, findBrokeredServices } from './cleanup-cluster-instances.ts';
import { unlessSilent } from './unless-silent.ts';

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
  const left = 'instances of services in it may be left at their brokers';
  return unlessSilent({ run, work: () => removeInstances(run), left });
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
