import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { Failure, failureKinds } from '../domain/failures.ts';
import type { RequestContext } from './context.ts';
import { InvalidInput } from './invalid-input.ts';

export interface FormattedErrors {
  readonly statusCode: number;
  readonly errors: readonly GraphQLFormattedError[];
}

/**
 * What a caller may see of what went wrong: a Failure in full, what is wrong with the request itself, and of everything
 * else only a correlation id; its cause is logged, here and only here. No stack, no SQL, nothing of the inside.
 *
 * HTTP status: 422 for a document that does not parse or validate, the server's own for a request that is no GraphQL
 * request, and 200 for everything that a resolver found, as clients of the original expect.
 */
export function formatErrors(errors: readonly GraphQLError[], context: RequestContext): FormattedErrors {
  let statusCode = 200;
  const formatted = errors.flatMap((error) => {
    const refused = refusedRequest(error);
    if (!refused) return [formatResolverError(error, context)];
    statusCode = Math.max(statusCode, refused.statusCode);
    return refused.errors;
  });
  return { statusCode, errors: formatted };
}

/** Undefined when the request was fine and a resolver failed. */
function refusedRequest(error: GraphQLError): FormattedErrors | undefined {
  const { originalError } = error;
  if (!originalError) {
    // Neither a resolver's (no path) nor wrapped by the server: found while variables were read.
    return error.path ? undefined : { statusCode: 422, errors: [formatDocumentError(error)] };
  }
  if (originalError instanceof Failure) return undefined;
  const { statusCode, code, errors } = originalError as { statusCode?: unknown; code?: unknown; errors?: unknown };
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined;
  if (code === 'MER_ERR_GQL_VALIDATION' && Array.isArray(errors)) {
    return { statusCode: 422, errors: errors.map(formatDocumentError) };
  }
  const message = code === 'MER_ERR_GQL_PERSISTED_QUERY_NOT_FOUND' ? 'the request holds no query' : error.message;
  return { statusCode, errors: [{ message, extensions: requestExtensions('BAD_REQUEST', statusCode) }] };
}

function formatDocumentError(error: Error): GraphQLFormattedError {
  const code = error.message.startsWith('Syntax Error') ? 'GRAPHQL_PARSE_FAILED' : 'GRAPHQL_VALIDATION_FAILED';
  const locations = error instanceof GraphQLError ? error.locations : undefined;
  return { message: error.message, ...(locations && { locations }), extensions: requestExtensions(code, 422) };
}

function requestExtensions(code: string, statusCode: number) {
  const { reason, component, actor, retryable } = failureKinds.INVALID_INPUT;
  return { error_code: statusCode, error_reason: reason, error_component: component, code, actor, retryable };
}

function formatResolverError(error: GraphQLError, context: RequestContext): GraphQLFormattedError {
  const { originalError, path, locations } = error;
  const where = { ...(locations && { locations }), ...(path && { path }) };
  if (originalError instanceof Failure) {
    logFailure(originalError, context);
    return { message: originalError.message, ...where, extensions: failureExtensions(originalError) };
  }
  context.log.error({ err: originalError ?? error, path }, 'internal system error');
  return {
    message: 'internal system error',
    ...where,
    extensions: { ...failureExtensions(new Failure('INTERNAL', '')), correlation_id: context.correlationId },
  };
}

function failureExtensions(failure: Failure): Record<string, unknown> {
  const { errorCode, component, actor, retryable } = failure.kind;
  return {
    error_code: errorCode,
    error_reason: failure.reason,
    error_component: component,
    code: failure.code,
    actor,
    retryable,
    ...(failure.path && { path: failure.path }),
    ...(failure instanceof InvalidInput && {
      problems: failure.problems.map(({ path, message }) => ({ path, message })),
    }),
  };
}

function logFailure(failure: Failure, { log }: RequestContext): void {
  const fields = { code: failure.code, reason: failure.reason, err: failure.cause };
  if (failure.kind.actor === 'caller') log.info(fields, failure.message);
  else log.warn(fields, failure.message);
}
