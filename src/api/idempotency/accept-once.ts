import { type GraphQLResolveInfo, getNamedType } from 'graphql';
import { findAcceptance, type IdempotentRequest } from '../../db/queries/idempotent-acceptance.ts';
import { Failure } from '../../domain/failures.ts';
import type { RequestContext } from '../context.ts';
import type { ApiDependencies } from '../dependencies.ts';
import type { MutationResolvers } from '../generated/schema.ts';
import { operationStatus } from '../operation-status.ts';

type Resolve = (parent: unknown, args: unknown, context: RequestContext, info: GraphQLResolveInfo) => unknown;

/**
 * Mutations that accept one operation for one request, however often it is carried out: after a process died between
 * the acceptance and the answer, or while another replica carries out the same request. They answer with the operation
 * that was accepted first, as it is now.
 */
export function acceptOnce({
  mutations,
  dependencies,
}: {
  mutations: MutationResolvers;
  dependencies: ApiDependencies;
}): MutationResolvers {
  const once =
    (resolve: Resolve): Resolve =>
    async (parent, args, context, info) => {
      const { keyedRequest } = context;
      if (keyedRequest === undefined) return resolve(parent, args, context, info);
      const request: IdempotentRequest = { ...keyedRequest, field: String(info.path.key) };
      const earlier = await answerOf({ dependencies, context, request, info });
      if (earlier !== undefined) return earlier;
      try {
        return await resolve(parent, args, { ...context, idempotentRequest: request }, info);
      } catch (error) {
        // Refused because of what the same request has accepted meanwhile, or accepted without our knowing.
        const accepted = await answerOf({ dependencies, context, request, info }).catch(() => undefined);
        if (accepted === undefined) throw error;
        return accepted;
      }
    };
  const wrapped = Object.entries(mutations).map(([name, resolve]) => [name, once(resolve as Resolve)]);
  return Object.fromEntries(wrapped) as MutationResolvers;
}

/** Undefined when nothing was accepted. */
async function answerOf({
  dependencies,
  context,
  request,
  info,
}: {
  dependencies: ApiDependencies;
  context: RequestContext;
  request: IdempotentRequest;
  info: GraphQLResolveInfo;
}): Promise<unknown> {
  const accepted = await findAcceptance({ database: dependencies.database, request });
  if (accepted === undefined) return undefined;
  if (accepted.requestHash !== request.requestHash) {
    const message = `Idempotency-Key: "${request.key}" was used for another request; choose a new one for this request`;
    throw new Failure('IDEMPOTENCY_KEY_REUSED', message);
  }
  const { operationId } = accepted;
  if (getNamedType(info.returnType).name !== 'OperationStatus') return operationId;
  return operationStatus({ dependencies, context, id: operationId });
}
