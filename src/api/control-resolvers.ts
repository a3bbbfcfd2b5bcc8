import type { Cancellation, Operation } from '../domain/operation.ts';
import { cancelOperation } from './cancel-operation.ts';
import type { RequestContext } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { Cancellation as CancellationAnswer, MutationResolvers } from './generated/schema.ts';
import { registrationOf } from './operation-status.ts';
import { retryOperation } from './retry-operation.ts';
import type { OperationView } from './views.ts';

/** What a caller may do about an operation. */
export function createControlResolvers(
  dependencies: ApiDependencies,
): Pick<MutationResolvers, 'cancelOperation' | 'retryOperation'> {
  const view = (operation: Operation, context: RequestContext): OperationView => ({
    operation,
    registration: registrationOf({ dependencies, context, operation }),
  });
  return {
    cancelOperation: async (_, { id }, context) => view(await cancelOperation({ dependencies, context, id }), context),
    retryOperation: async (_, { id }, context) => view(await retryOperation({ dependencies, context, id }), context),
  };
}

export function presentCancellation(cancellation: Cancellation | undefined): CancellationAnswer | undefined {
  if (cancellation === undefined) return undefined;
  const residue = cancellation.outcome === 'Residue' ? cancellation.residue : [];
  return { outcome: cancellation.outcome, residue };
}
