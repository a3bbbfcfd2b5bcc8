import { done, type Outcome } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import type { StagePlanning, StageRun } from '../tools.ts';

/** Removes the Director entry that we made (never one that the caller made) and closes the Runtime's record. */
export async function unregisteringRuntime({ runtime, director, signal }: StageRun): Promise<Outcome> {
  if (runtime.registration === 'ours') await director.unregister(runtime.id, { tenant: runtime.tenant, signal });
  return done({ runtime: { deleted: true } });
}

export async function planUnregistration({ runtime }: StagePlanning): Promise<readonly PlannedChange[]> {
  return runtime.registration === 'ours'
    ? [{ action: 'Unregister', to: 'Director', subject: `Runtime ${runtime.id}` }]
    : [];
}
