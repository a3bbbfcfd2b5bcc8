import { done, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { installationTarget } from './installation-target.ts';

/** Applies all of Kyma to the cluster. */
export async function startingInstallation(run: StageRun): Promise<Outcome> {
  const { installer, target } = await installationTarget(run);
  await installer.install(target);
  return done();
}
