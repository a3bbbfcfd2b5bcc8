import { Failure } from '../domain/failures.ts';
import type { PlannedStep } from '../domain/plan.ts';
import type { Runtime, Target } from '../domain/runtime.ts';
import type { ProvisionerFlow, Tools } from './tools.ts';

/**
 * What a flow would send for this Runtime, from its first stage on and without doing it. Throws
 * CLUSTER_PROVIDER_UNAVAILABLE when somebody who has to be asked does not answer.
 */
export async function planFlow({
  flow,
  runtime,
  target,
  tools,
  signal,
}: {
  flow: ProvisionerFlow;
  runtime: Runtime;
  target?: Target | undefined;
  tools: Tools;
  signal: AbortSignal;
}): Promise<readonly PlannedStep[]> {
  const needed = flow.steps.filter(({ skipWhen }) => !skipWhen?.holds(runtime, target));
  try {
    const planned = await Promise.all(
      needed.map(async ({ stage, plan }) => {
        const changes = (await plan?.({ ...tools, runtime, target, signal })) ?? [];
        return changes.map((change) => ({ stage, ...change }));
      }),
    );
    return planned.flat();
  } catch (error) {
    if (error instanceof Failure) throw error;
    const message = 'what would be done cannot be found out now, because the cluster provider does not answer';
    throw new Failure('CLUSTER_PROVIDER_UNAVAILABLE', message, { cause: error });
  }
}
