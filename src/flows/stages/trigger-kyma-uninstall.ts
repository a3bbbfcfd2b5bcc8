import { clusterOrder } from '../../clusters/cluster-order.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import type { StagePlanning, StageRun } from '../tools.ts';
import { clusterAnswers } from './cluster-answers.ts';
import { installationTarget } from './installation-target.ts';

/** Asks Kyma to go while its managers can still clean up after themselves. */
export async function triggerKymaUninstall(run: StageRun): Promise<Outcome> {
  if (!(await clusterAnswers(run))) return done();
  const { installer, target } = await installationTarget(run);
  await installer.uninstall(target);
  return done();
}

/** Of a cluster that does not work, nothing is uninstalled. */
export async function planUninstall(planning: StagePlanning): Promise<readonly PlannedChange[]> {
  const { runtime, clusters, installers, signal } = planning;
  const seen = await clusters[runtime.cluster.driver].observe(clusterOrder(runtime), signal);
  if (runtime.kyma === undefined || seen.state !== 'ready') return [];
  const parts = installers[runtime.kyma.installer].describe(runtime.kyma);
  return parts.map(({ subject }) => ({ action: 'Uninstall', to: 'cluster', subject }));
}
