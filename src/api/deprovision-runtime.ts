import { findRuntime } from '../db/queries/find-runtime.ts';
import { requestCancellation } from '../db/queries/request-cancellation.ts';
import { Failure } from '../domain/failures.ts';
import { type OperationId, parseRuntimeId, type RuntimeId } from '../domain/ids.ts';
import type { Operation } from '../domain/operation.ts';
import { acceptOnRuntime } from './accept-on-runtime.ts';
import { cancelPatience, whenEnded } from './cancel-operation.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';

interface Request {
  readonly dependencies: ApiDependencies;
  readonly context: RequestContext;
}

/**
 * Accepts the operation: once this answers, it will be carried out. With `cancelRunning`, an operation that is in the
 * way is ended first; a deprovisioning in progress is what was wanted, and its id is answered.
 */
export async function deprovisionRuntime({
  id,
  cancelRunning = false,
  ...request
}: Request & { id: string; cancelRunning?: boolean | null | undefined }): Promise<OperationId> {
  const runtimeId = parseRuntimeId(id);
  const giveUpAt = performance.now() + cancelPatience;
  for (;;) {
    const accepted = await acceptOnRuntime({ ...request, runtimeId, kind: 'Deprovision' }).catch((error: unknown) => {
      if (cancelRunning && error instanceof Failure && error.code === 'OPERATION_IN_PROGRESS') return undefined;
      throw error;
    });
    if (accepted !== undefined) return accepted.id;
    const running = await runningOperation(request, runtimeId);
    if (running?.kind === 'Deprovision') return running.id;
    if (running !== undefined) await end(request, running, giveUpAt - performance.now());
  }
}

async function runningOperation(
  { dependencies: { database }, context }: Request,
  runtimeId: RuntimeId,
): Promise<Operation | undefined> {
  const found = await findRuntime({ database, tenant: context.caller().tenant, runtimeId });
  return found?.lastOperation.state === 'InProgress' ? found.lastOperation : undefined;
}

async function end({ dependencies, context }: Request, running: Operation, patience: number): Promise<void> {
  const { database } = dependencies;
  const { tenant } = context.caller();
  const { id: operationId, runtimeId, kind } = running;
  await requestCancellation({ database, tenant, operationId });
  context.log.info({ operationId, runtimeId, tenant }, 'cancellation of an operation asked for, to deprovision');
  if ((await whenEnded({ database, tenant, operationId, patience })) !== undefined) return;
  const message = `${kind} ${operationId} of Runtime ${runtimeId} is being cancelled and has not ended yet; nothing was started, send the same again`;
  throw new Failure('OPERATION_IN_PROGRESS', message);
}
