import { assertNever } from '../../domain/assert-never.ts';
import { done, fail, type Outcome, observing, wait } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { upgradeTarget } from './upgrade-target.ts';

/**
 * How long what nothing confirms has to stay true, in milliseconds. A manager that was replaced waits up to 15 s until
 * its predecessor's leader lease is over, the default of Kubernetes' client libraries.
 */
const patience = 30_000;

/** Waits until everything of the new Kyma is ready and nothing of the old one is left, telling the component at work. */
export async function waitingForUpgrade(run: StageRun): Promise<Outcome> {
  const { installer, target } = await upgradeTarget(run);
  const seen = await installer.observeUpgrade({ ...target, mark: run.operation.notes.upgradeMark });
  if (seen.state !== 'unconfirmed') await forgetUnconfirmed(run);
  switch (seen.state) {
    case 'installed':
      return done({ message: seen.message });
    case 'unconfirmed':
      if (await isOldEnough(run)) return done({ message: seen.message });
      return wait({ message: seen.message, progress: seen.progress, lookAgain: observing });
    case 'failed':
      return fail(seen.failure);
    case 'absent':
      // Somebody removed what the stage before had applied.
      await installer.upgrade(target);
      return wait({ message: 'Kyma was removed from the cluster; installing it again', lookAgain: observing });
    case 'working':
      return wait({ message: seen.message, progress: seen.progress, lookAgain: observing });
    default:
      return assertNever(seen);
  }
}

async function isOldEnough(run: StageRun): Promise<boolean> {
  const { unconfirmedSince } = run.operation.notes;
  if (typeof unconfirmedSince === 'number') return run.clock.now() - unconfirmedSince >= patience;
  await run.note({ unconfirmedSince: run.clock.now() });
  return false;
}

async function forgetUnconfirmed(run: StageRun): Promise<void> {
  if (typeof run.operation.notes.unconfirmedSince === 'number') await run.note({ unconfirmedSince: null });
}
