import { acceptProvision } from '../db/queries/accept-provision.ts';
import { Failure } from '../domain/failures.ts';
import { newOperationId, newRuntimeId } from '../domain/ids.ts';
import type { Operation } from '../domain/operation.ts';
import type { Runtime } from '../domain/runtime.ts';
import { checkOrder, nameAttempts } from './check-order.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies, Registration } from './dependencies.ts';
import type { ProvisionRuntimeInput } from './generated/schema.ts';
import { renamed } from './parse-cluster.ts';

/** What a caller is kept waiting for at most, in milliseconds; old clients hang up after 30 s. */
const verificationTimeout = 20_000;
const withdrawalTimeout = 10_000;

export interface AcceptedProvision {
  readonly runtime: Runtime;
  readonly operation: Operation;
}

/** Checks the input, has the Runtime registered, and accepts the operation: once this answers, it will be carried out. */
export async function provisionRuntime({
  dependencies,
  context,
  id,
  config,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  id: string | null | undefined;
  config: ProvisionRuntimeInput;
}): Promise<AcceptedProvision> {
  const caller = context.caller();
  const order = await checkOrder({ dependencies, caller, id, config });

  const { registrar } = dependencies;
  const { callersId, runtimeInput } = order;
  const registration = callersId === undefined ? await registrar?.register({ ...caller, runtimeInput }) : undefined;
  if (callersId !== undefined) {
    await answeredInTime(async (signal) => registrar?.verify({ id: callersId, tenant: caller.tenant, signal }));
  }

  const runtime: Runtime = {
    id: callersId ?? registration?.id ?? newRuntimeId(),
    ...caller,
    ...runtimeInput,
    registration: registration ? 'ours' : registrar ? 'callers' : 'none',
    cluster: order.cluster,
    kyma: order.kyma,
    administrators: [...new Set(config.clusterConfig.administrators ?? [])],
    configurationRevision: 0,
    createdAt: new Date(),
    deletedAt: undefined,
  };
  try {
    const accepted = await accept({ dependencies, context, runtime, registration, rename: order.nameIsOurs });
    const { tenant } = caller;
    const operationId = accepted.operation.id;
    context.log.info({ operationId, runtimeId: runtime.id, tenant, kind: 'Provision' }, 'operation accepted');
    return accepted;
  } catch (error) {
    if (registration && wasNotStored(error)) await withdraw({ dependencies, context, registration });
    throw error;
  }
}

/** The caller waits for the Director, but not for ever. */
export async function answeredInTime<Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const signal = AbortSignal.timeout(verificationTimeout);
  try {
    return await ask(signal);
  } catch (error) {
    if (error instanceof Failure || !signal.aborted) throw error;
    const message = `the Director did not answer within ${verificationTimeout / 1000} s; nothing was started, try again later`;
    throw new Failure('DIRECTOR_UNAVAILABLE', message, { cause: error });
  }
}

async function accept({
  dependencies: { database, flowOf },
  context,
  runtime,
  registration,
  rename,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  runtime: Runtime;
  registration: Registration | undefined;
  /** Whether the cluster gets another name when its own is taken. */
  rename: boolean;
}): Promise<AcceptedProvision> {
  const operationId = newOperationId();
  const { startMessage, steps } = flowOf('Provision');
  const firstStage = steps[0]?.stage ?? '';
  let accepted = runtime;
  for (let attempt = 1; ; attempt++) {
    try {
      const operation = await acceptProvision({
        database,
        runtime: accepted,
        operationId,
        startMessage,
        firstStage,
        request: context.idempotentRequest,
        ...(registration && { registrationIntent: registration.intentId }),
      });
      return { runtime: accepted, operation };
    } catch (error) {
      const taken = error instanceof Failure && error.code === 'CLUSTER_NAME_TAKEN';
      if (!taken || !rename || attempt === nameAttempts) throw error;
      accepted = { ...accepted, cluster: renamed(accepted.cluster) };
    }
  }
}

/** When it cannot be known whether the Runtime was stored, its registration is left to the sweeper, which finds out. */
function wasNotStored(error: unknown): boolean {
  return !(error instanceof Failure && error.code === 'DATABASE_UNAVAILABLE');
}

async function withdraw({
  dependencies: { registrar },
  context,
  registration,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  registration: Registration;
}): Promise<void> {
  try {
    const signal = AbortSignal.timeout(withdrawalTimeout);
    await registrar?.withdraw(registration, { tenant: context.caller().tenant, signal });
  } catch (error) {
    context.log.warn({ err: error, runtimeId: registration.id }, 'registration is left to the sweeper');
  }
}
