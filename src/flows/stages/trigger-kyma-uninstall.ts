import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import type { StagePlanning, StageRun } from '../tools.ts';
import { removalTarget } from './removal-target.ts';
import { unlessSilent } from './unless-silent.ts';

/** Asks Kyma to go while its managers can still clean up after themselves. */
export async function triggerKymaUninstall(run: StageRun): Promise<Outcome> {
  const { runtime, clusters, signal } = run;
  const seen = await clusters[runtime.cluster.driver].observe(clusterOrder(runtime), signal);
  if (seen.hibernation?.wanted) return done({ message: 'Cluster is hibernated; Kyma is deleted with it' });
  if (seen.state !== 'ready') return done();
  const { installer, target } = await removalTarget(run);
  const work = async () => {
    await installer.uninstall(target);
    return done();
  };
  return unlessSilent({ run, work, left: 'Kyma is deleted with it' });
}

/** Of a cluster that does not work, nothing is uninstalled. */
export async function planUninstall(planning: StagePlanning): Promise<readonly PlannedChange[]> {
  const { runtime, clusters, installers, attemptedKyma, signal } = planning;
  const seen = await clusters[runtime.cluster.driver].observe(clusterOrder(runtime), signal);
  if (runtime.kyma === undefined || seen.state !== 'ready') return [];
  const attempted = await attemptedKyma(runtime.id);
  const { describe } = installers[runtime.kyma.installer];
  const parts = [...describe(runtime.kyma), ...(attempted ? describe(attempted) : [])];
  const subjects = new Set(parts.map(({ subject }) => subject));
  return [...subjects].map((subject) => ({ action: 'Uninstall', to: 'cluster', subject }));
}
