import { done, type Outcome, observing, wait } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { clusterAnswers } from './cluster-answers.ts';
import { removalTarget } from './removal-target.ts';

/** Waits until Kyma is gone. The stage's deadline bounds it: a cluster is deleted even when Kyma cannot let go. */
export async function waitingForKymaUninstall(run: StageRun): Promise<Outcome> {
  if (!(await clusterAnswers(run))) return done();
  const { installer, target } = await removalTarget(run);
  const seen = await installer.observeRemoval(target);
  if (seen.state === 'removed') return done();
  return wait({ message: seen.message, progress: seen.progress, lookAgain: observing });
}
