import { done, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { changeHibernation } from './change-hibernation.ts';

/** Begins to hibernate the cluster. */
export async function hibernatingCluster(run: StageRun): Promise<Outcome> {
  await changeHibernation(run, 'hibernate');
  return done();
}
