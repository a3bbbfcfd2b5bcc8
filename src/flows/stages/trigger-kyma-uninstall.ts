import { done, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { clusterAnswers } from './cluster-answers.ts';
import { installationTarget } from './installation-target.ts';

/** Asks Kyma to go while its managers can still clean up after themselves. */
export async function triggerKymaUninstall(run: StageRun): Promise<Outcome> {
  if (!(await clusterAnswers(run))) return done();
  const { installer, target } = await installationTarget(run);
  await installer.uninstall(target);
  return done();
}
