import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import { Failure, failureKinds } from '../domain/failures.ts';
import type { RequestContext } from './context.ts';
import { InvalidInput } from './invalid-input.ts';
import { LimitExceeded } from './request-limits.ts';

export interface FormattedErrors {
  readonly statusCode: number;
  readonly errors: readonly GraphQLFormattedError[];
}

/**
 * What a caller may see of what went wrong: a Failure in full, what is wrong with the request itself, and of everything
 * else only a correlation id; its cause is logged, here and only here. No stack, no SQL, nothing of the inside.
 *
 * HTTP status: 422 for a document that does not parse or validate or is beyond a limit, 413 for a body that is, 504 for a
 * request that takes too long, the server's own for a request that is no GraphQL request, and 200 for everything that a
 * resolver found, as clients of the original expect.
 */
export function formatErrors(errors: readonly GraphQLError[], context: RequestContext): FormattedErrors {
  let statusCode = 200;
  const formatted = errors.flatMap((error) => {
    const refused = refusedRequest(error);
    if (!refused) {
      statusCode = Math.max(statusCode, statusOf(error));
      return [formatResolverError(error, context)];
    }
    statusCode = Math.max(statusCode, refused.statusCode);
    return refused.errors;
  });
  return { statusCode, errors: formatted };
}

/** What is wrong with a document, or with what was sent along with it. */
export function documentErrors(errors: readonly GraphQLError[]): FormattedErrors {
  return { statusCode: 422, errors: errors.map(formatDocumentError) };
}

/** Undefined when the request was fine and a resolver failed. */
function refusedRequest(error: GraphQLError): FormattedErrors | undefined {
  const { originalError, path } = error;
  if (!originalError) return path ? undefined : documentErrors([error]);
  if (path || originalError instanceof Failure) return undefined;
  const { statusCode } = originalError as { statusCode?: unknown };
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined;
  const { message } = error;
  return { statusCode, errors: [{ message, extensions: requestExtensions('BAD_REQUEST', statusCode) }] };
}

/** Of an answer that holds nothing but this error. */
function statusOf({ originalError }: GraphQLError): number {
  if (originalError instanceof LimitExceeded) return originalError.limit === 'bodyBytes' ? 413 : 422;
  return originalError instanceof Failure && originalError.code === 'REQUEST_TIMEOUT' ? 504 : 200;
}

function formatDocumentError(error: GraphQLError): GraphQLFormattedError {
  const code = error.message.startsWith('Syntax Error') ? 'GRAPHQL_PARSE_FAILED' : 'GRAPHQL_VALIDATION_FAILED';
  const { locations } = error;
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
  const { errorCode, actor, retryable } = failure.kind;
  return {
    error_code: errorCode,
    error_reason: failure.reason,
    error_component: failure.component,
    code: failure.code,
    actor,
    retryable,
    ...(failure.path && { path: failure.path }),
    ...(failure instanceof InvalidInput && {
      problems: failure.problems.map(({ path, message }) => ({ path, message })),
    }),
    ...(failure instanceof LimitExceeded && {
      limit: failure.limit,
      ...(failure.found !== undefined && { found: failure.found }),
      allowed: failure.allowed,
    }),
  };
}

function logFailure(failure: Failure, { log }: RequestContext): void {
  const fields = { code: failure.code, reason: failure.reason, err: failure.cause };
  if (failure.kind.actor === 'caller') log.info(fields, failure.message);
  else log.warn(fields, failure.message);
}
