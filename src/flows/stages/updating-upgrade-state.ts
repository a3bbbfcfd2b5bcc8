import { done, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';

/** From now on the Runtime has what the upgrade was to bring. The cluster's part it has had since the cluster had it. */
export async function updatingUpgradeState(_: StageRun): Promise<Outcome> {
  return done({ runtime: { adopts: ['kyma'] } });
}
