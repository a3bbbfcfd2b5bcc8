import { done, type Outcome } from '../../domain/outcome.ts';
import type { PlannedChange } from '../../domain/plan.ts';
import type { StagePlanning, StageRun } from '../tools.ts';

/** Removes the Director entry that we made (one that the caller made only when configured) and closes the Runtime's record. */
export async function unregisteringRuntime({ runtime, director, unregisters, signal }: StageRun): Promise<Outcome> {
  if (unregisters[runtime.registration]) await director.unregister(runtime.id, { tenant: runtime.tenant, signal });
  return done({ runtime: { deleted: true } });
}

export async function planUnregistration({ runtime, unregisters }: StagePlanning): Promise<readonly PlannedChange[]> {
  return unregisters[runtime.registration]
    ? [{ action: 'Unregister', to: 'Director', subject: `Runtime ${runtime.id}` }]
    : [];
}
