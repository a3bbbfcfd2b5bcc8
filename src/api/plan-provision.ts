import { alreadyProvisioned, clusterNameTaken } from '../db/queries/accept-provision.ts';
import { findTaken } from '../db/queries/find-taken.ts';
import type { OperationId, RuntimeId } from '../domain/ids.ts';
import type { PlannedStep } from '../domain/plan.ts';
import type { Runtime } from '../domain/runtime.ts';
import { checkOrder, type Order } from './check-order.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { ProvisionRuntimeInput } from './generated/schema.ts';
import { answeredInTime } from './provision-runtime.ts';
import type { OperationView } from './views.ts';

/** What a dry run answers where there is an operation's id otherwise. */
export const noOperationId = '' as OperationId;
/** Stands for the id of a Runtime that is not registered yet. */
const notChosenYet = '00000000-0000-0000-0000-000000000000' as RuntimeId;
const planTimeout = 10_000;

interface Request {
  readonly dependencies: ApiDependencies;
  readonly context: RequestContext;
  readonly id?: string | null | undefined;
  readonly config: ProvisionRuntimeInput;
}

/** Refuses what `provisionRuntime` would refuse, and stores, registers and creates nothing. */
export async function planProvision({ dependencies, context, id, config }: Request): Promise<{
  readonly runtime: Runtime;
  readonly changes: readonly PlannedStep[];
}> {
  const { registrar, database } = dependencies;
  const caller = context.caller();
  const order = await checkOrder({ dependencies, caller, id, config, mustAnswer: true });
  const { callersId } = order;
  if (callersId !== undefined) {
    await answeredInTime(async (signal) => registrar?.verify({ id: callersId, tenant: caller.tenant, signal }));
  }
  const runtime: Runtime = {
    id: callersId ?? notChosenYet,
    ...caller,
    ...order.runtimeInput,
    registration: registrar === undefined ? 'none' : callersId === undefined ? 'ours' : 'callers',
    cluster: order.cluster,
    kyma: order.kyma,
    administrators: [...new Set(config.clusterConfig.administrators ?? [])],
    configurationRevision: 0,
    createdAt: new Date(),
    deletedAt: undefined,
  };
  const taken = await findTaken({ database, id: runtime.id, cluster: runtime.cluster });
  if (taken.id) throw alreadyProvisioned(runtime);
  if (taken.clusterName && !order.nameIsOurs) throw clusterNameTaken(runtime);
  const registering = runtime.registration === 'ours' ? registrationOf({ dependencies, context, order }) : [];
  const sent = await dependencies.planFlow({
    kind: 'Provision',
    runtime,
    signal: AbortSignal.timeout(planTimeout),
  });
  return { runtime, changes: [...registering, ...sent] };
}

/** The plan, in the shape of an operation that does not exist. */
export async function dryRunOfProvision(request: Request): Promise<OperationView> {
  const { runtime, changes } = await planProvision(request);
  const now = new Date();
  return {
    plan: changes,
    registration: async () => 'none',
    operation: {
      id: noOperationId,
      runtimeId: runtime.id,
      kind: 'Provision',
      state: 'InProgress',
      stage: request.dependencies.flowOf('Provision').steps[0]?.stage ?? '',
      ...{ attempt: 0, notes: {}, progress: undefined, lastError: undefined },
      message: 'Dry run: everything was checked, and nothing was stored, registered or created',
      ...{ startedAt: now, stageStartedAt: now, endedAt: undefined },
    },
  };
}

function registrationOf({
  dependencies: { registrar },
  context,
  order,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  order: Order;
}): readonly PlannedStep[] {
  const { runtimeInput } = order;
  const manifest = registrar?.preview({ ...context.caller(), runtimeInput });
  if (manifest === undefined) return [];
  return [{ stage: undefined, action: 'Register', to: 'Director', subject: `Runtime ${runtimeInput.name}`, manifest }];
}
