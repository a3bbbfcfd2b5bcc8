import { done, type Outcome, observing, wait } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { clusterWorks } from './cluster-works.ts';
import { removalTarget } from './removal-target.ts';
import { unlessSilent } from './unless-silent.ts';

/** Waits until Kyma is gone. The stage's deadline bounds it: a cluster is deleted even when Kyma cannot let go. */
export async function waitingForKymaUninstall(run: StageRun): Promise<Outcome> {
  if (!(await clusterWorks(run))) return done();
  const { installer, target } = await removalTarget(run);
  const work = async () => {
    const seen = await installer.observeRemoval(target);
    if (seen.state === 'removed') return done();
    return wait({ message: seen.message, progress: seen.progress, lookAgain: observing });
  };
  return unlessSilent({ run, work, left: 'Kyma is deleted with it' });
}
