import { findOperation } from '../../db/queries/find-operation.ts';
import { findRuntime } from '../../db/queries/find-runtime.ts';
import { Failure } from '../../domain/failures.ts';
import { parseOperationId, parseRuntimeId } from '../../domain/ids.ts';
import { type FollowedEvent, stateAfter } from '../../domain/operation-event.ts';
import type { RequestContext } from '../context.ts';
import type { ApiDependencies } from '../dependencies.ts';
import type { OperationUpdateResolvers, Resolvers } from '../generated/schema.ts';
import { refuse } from '../invalid-input.ts';
import { presentLastError } from '../presenters/present-last-error.ts';
import { runtimeNotFound } from '../runtime-status.ts';
import { readCursor } from './cursor.ts';
import { OperationTrack } from './operation-track.ts';
import { RuntimeTrack, type UpdateWithCursor } from './runtime-track.ts';
import type { UpdateFeed } from './update-feed.ts';

type Dependencies = Pick<ApiDependencies, 'database'> & { readonly updates: UpdateFeed };

/** How what the subscriptions deliver is answered. */
export const liveResolvers: Pick<Resolvers, 'OperationUpdate' | 'RuntimeUpdate'> = {
  OperationUpdate: {
    operationID: ({ operationId }) => operationId,
    runtimeID: ({ runtimeId }) => runtimeId,
    operation: ({ kind }) => kind,
    state: ({ type }) => stateAfter(type),
    error: ({ error }) => presentLastError(error),
  } satisfies OperationUpdateResolvers,
};

/** Throws NOT_FOUND for an operation that does not exist or is another tenant's. */
export async function operationUpdates({
  dependencies: { database, updates },
  context,
  operationID,
  after,
}: {
  dependencies: Dependencies;
  context: RequestContext;
  operationID: string;
  after: number;
}): Promise<AsyncIterableIterator<FollowedEvent>> {
  const { tenant } = context.caller();
  const operationId = parseOperationId(operationID, 'operationID');
  if (after < 0) refuse([{ path: 'after', message: `must be 0 or more, and is ${after}` }]);
  const operation = await findOperation({ database, tenant, operationId });
  if (!operation) throw new Failure('NOT_FOUND', `Operation ${operationId} not found`);
  return updates.follow(new OperationTrack({ database, tenant, operation, after }));
}

/** Throws NOT_FOUND for a Runtime that does not exist or is another tenant's, INVALID_INPUT for a cursor that is not ours. */
export async function runtimeUpdates({
  dependencies: { database, updates },
  context,
  runtimeID,
  after,
}: {
  dependencies: Dependencies;
  context: RequestContext;
  runtimeID: string | undefined;
  after: string | undefined;
}): Promise<AsyncIterableIterator<UpdateWithCursor>> {
  const { tenant } = context.caller();
  const runtimeId = runtimeID === undefined ? undefined : parseRuntimeId(runtimeID, 'runtimeID');
  const cursor = after === undefined ? undefined : readCursor(after);
  if (runtimeId !== undefined && !(await findRuntime({ database, tenant, runtimeId })))
    throw runtimeNotFound(runtimeId);
  const begin = () => updates.begin();
  return updates.follow(new RuntimeTrack({ database, followed: { tenant, runtimeId }, begin, after: cursor }));
}
