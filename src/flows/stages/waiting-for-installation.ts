import { assertNever } from '../../domain/assert-never.ts';
import { done, fail, type Outcome, observing, wait } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { installationTarget } from './installation-target.ts';

/** Waits until everything of Kyma is ready, telling the component at work. */
export async function waitingForInstallation(run: StageRun): Promise<Outcome> {
  const { installer, target } = await installationTarget(run);
  const seen = await installer.observe(target);
  switch (seen.state) {
    case 'installed':
      return done({ message: seen.message });
    case 'failed':
      return fail(seen.failure);
    case 'absent':
      // Somebody removed what the stage before had applied.
      await installer.install(target);
      return wait({ message: 'Kyma was removed from the cluster; installing it again', lookAgain: observing });
    case 'working':
      return wait({ message: seen.message, progress: seen.progress, lookAgain: observing });
    default:
      return assertNever(seen);
  }
}
