import { findOperationEvents } from '../db/queries/operation-events.ts';
import { Failure } from '../domain/failures.ts';
import { parseOperationId } from '../domain/ids.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { OperationEventPage, QueryoperationEventsArgs } from './generated/schema.ts';
import { refuse } from './invalid-input.ts';
import { checkPageSize } from './page-request.ts';
import { presentOperationEvent } from './presenters/present-operation-event.ts';

export async function operationEventsPage({
  dependencies: { database },
  context,
  request: { operationID, first, after },
  largestPage,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  request: Required<QueryoperationEventsArgs>;
  largestPage: number;
}): Promise<OperationEventPage> {
  const { tenant } = context.caller();
  const operationId = parseOperationId(operationID, 'operationID');
  const afterProblems = after < 0 ? [{ path: 'after', message: `must be 0 or more, and is ${after}` }] : [];
  refuse([...checkPageSize(first, largestPage), ...afterProblems]);
  const found = await findOperationEvents({ database, tenant, operationId, after, limit: first + 1 });
  // Also for an operation of another tenant: in the same words, so that nobody learns that it exists.
  if (!found) throw new Failure('NOT_FOUND', `Operation ${operationId} not found`);
  const events = found.slice(0, first);
  return {
    nodes: events.map(presentOperationEvent),
    pageInfo: { endCursor: events.at(-1)?.sequence ?? after, hasNextPage: found.length > first },
  };
}
