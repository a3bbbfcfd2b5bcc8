import type { Failure } from '../domain/failures.ts';
import type { StageRun } from './tools.ts';

/** Sets the condition FAILED in the Director, where the Runtime is registered there. */
export async function reportFailureToDirector(
  { runtime, director, signal, log }: StageRun,
  failure: Failure,
): Promise<void> {
  if (runtime.registration === 'none') return;
  await director.setCondition(runtime.id, 'FAILED', { tenant: runtime.tenant, signal });
  log.info({ code: failure.code }, 'told the Director that the Runtime failed');
}
