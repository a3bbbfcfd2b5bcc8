import { operationInProgress } from '../db/queries/accept-operation.ts';
import { findRuntime } from '../db/queries/find-runtime.ts';
import { parseRuntimeId } from '../domain/ids.ts';
import type { PlannedStep } from '../domain/plan.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import { runtimeNotFound } from './runtime-status.ts';

const planTimeout = 10_000;

/** Refuses what `deprovisionRuntime` would refuse, and changes nothing. */
export async function planDeprovision({
  dependencies,
  context,
  id,
  cancelRunning,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string;
  cancelRunning?: boolean | null | undefined;
}): Promise<readonly PlannedStep[]> {
  const runtimeId = parseRuntimeId(id);
  const { tenant } = context.caller();
  const found = await findRuntime({ database: dependencies.database, tenant, runtimeId });
  if (!found) throw runtimeNotFound(runtimeId);
  const { runtime, lastOperation } = found;
  const running = lastOperation.state === 'InProgress';
  if (running && cancelRunning !== true) throw operationInProgress(runtimeId, lastOperation);
  // That one is answered as it is.
  if (running && lastOperation.kind === 'Deprovision') return [];
  const subject = `${lastOperation.kind} ${lastOperation.id}`;
  const cancelling: PlannedStep = { stage: undefined, action: 'Cancel', to: 'this service', subject };
  const sent = await dependencies.planFlow({
    kind: 'Deprovision',
    runtime,
    signal: AbortSignal.timeout(planTimeout),
  });
  return [...(running ? [cancelling] : []), ...sent];
}
