import { done, type Outcome } from '../../domain/outcome.ts';
import type { StageRun } from '../tools.ts';
import { changeHibernation } from './change-hibernation.ts';

/** Begins to wake the cluster up. */
export async function wakingUpCluster(run: StageRun): Promise<Outcome> {
  await changeHibernation(run, 'wakeUp');
  return done();
}
