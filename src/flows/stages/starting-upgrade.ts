import { done, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { upgradeTarget } from './upgrade-target.ts';

/** Remembers what the cluster says now, so that nobody takes it for news later, and begins the upgrade of Kyma. */
export async function startingUpgrade(run: StageRun): Promise<Outcome> {
  const { installer, target } = await upgradeTarget(run);
  if (run.operation.notes.upgradeMark === undefined) await run.note({ upgradeMark: await installer.mark(target) });
  const remarks = await installer.upgrade(target);
  return done(remarks.length > 0 ? { message: remarks.join('; ') } : {});
}
