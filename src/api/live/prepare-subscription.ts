import {
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
} from 'graphql';
import { isRecord } from '../../domain/json.ts';
import type { RequestContext } from '../context.ts';
import { formatErrors } from '../format-errors.ts';
import type { Documents } from '../graphql/documents.ts';

/** What a client asks for, as both transports carry it. */
export interface SubscriptionRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
}

/** Undefined when it is none. */
export function readSubscriptionRequest(body: unknown): SubscriptionRequest | undefined {
  if (!isRecord(body) || typeof body.query !== 'string') return undefined;
  const { query, variables, operationName } = body;
  return {
    query,
    variables: isRecord(variables) ? variables : undefined,
    operationName: typeof operationName === 'string' ? operationName : undefined,
  };
}

/** What graphql's `subscribe` is called with, or what is wrong with the document. */
export function prepareSubscription({
  schema,
  documents,
  request: { query, variables, operationName },
  context,
}: {
  schema: GraphQLSchema;
  documents: Documents;
  request: SubscriptionRequest;
  context: RequestContext;
}): ExecutionArgs | readonly GraphQLError[] {
  const { document, errors } = documents.check(query);
  if (!document) return errors;
  const operation = getOperationAST(document, operationName);
  if (!operation) return [new GraphQLError('name one of the operations of the document in operationName')];
  if (operation.operation !== 'subscription') {
    return [
      new GraphQLError(`only subscriptions are carried here: POST a ${operation.operation} to the GraphQL endpoint`),
    ];
  }
  return {
    ...{ schema, document, contextValue: context },
    ...(variables && { variableValues: variables }),
    ...(operationName !== undefined && { operationName }),
  };
}

/** An answer as a caller may see it. */
export function presentResult(result: ExecutionResult, context: RequestContext): FormattedExecutionResult {
  if (!result.errors) return { data: result.data ?? null };
  const { errors } = formatErrors(result.errors, context);
  return { ...(result.data !== undefined && { data: result.data }), errors };
}

/** What the GraphQL endpoint itself says, where an answer is one answer. */
export function whereToSubscribe(endpoint: string): string {
  return `a subscription is made over a WebSocket (graphql-transport-ws) to ${endpoint}, or by a POST to ${eventStreamPath(endpoint)}`;
}

export function eventStreamPath(endpoint: string): string {
  return `${endpoint}/stream`;
}
