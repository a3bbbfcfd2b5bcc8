import { done, type Outcome } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import type { StagePlanning, StageRun } from '../tools.ts';
import { installationTarget } from './installation-target.ts';

/** Applies all of Kyma to the cluster. */
export async function startingInstallation(run: StageRun): Promise<Outcome> {
  const { installer, target } = await installationTarget(run);
  await installer.install(target);
  return done();
}

export async function planInstallation({ runtime, installers }: StagePlanning): Promise<readonly PlannedChange[]> {
  if (runtime.kyma === undefined) return [];
  const parts = installers[runtime.kyma.installer].describe(runtime.kyma);
  return parts.map((part) => ({ action: 'Install', to: 'cluster', ...part }));
}
