import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import { Failure } from '../../domain/failures.ts';
import type { Tenant } from '../../domain/ids.ts';
import { onBehalfOf } from '../../domain/on-behalf-of.ts';
import { shortenBareOperations } from '../bare-operations.ts';
import type { RequestContext } from '../context.ts';
import { documentErrors, formatErrors } from '../format-errors.ts';
import type { RequestLimits } from '../request-limits.ts';
import type { Documents } from './documents.ts';
import { BadRequest, type GraphqlRequest } from './graphql-request.ts';

export interface GraphqlAnswer {
  readonly statusCode: number;
  readonly body: { readonly data: unknown; readonly errors?: readonly GraphQLFormattedError[] };
}

/** Carries out queries and mutations, and answers whatever becomes of them. */
export class GraphqlExecutor {
  readonly #schema: GraphQLSchema;
  readonly #documents: Documents;
  readonly #timeoutMillis: number;
  readonly #whereToSubscribe: string;

  constructor({
    schema,
    documents,
    limits,
    whereToSubscribe,
  }: {
    schema: GraphQLSchema;
    documents: Documents;
    limits: RequestLimits;
    /** Answers a subscription, of which there is more than one answer. */
    whereToSubscribe: string;
  }) {
    this.#whereToSubscribe = whereToSubscribe;
    this.#schema = schema;
    this.#documents = documents;
    this.#timeoutMillis = limits.timeoutMillis;
  }

  /** `readOnly`: the request came in a way in which nothing may be changed. */
  async answer(
    request: GraphqlRequest,
    context: RequestContext,
    { readOnly }: { readOnly: boolean },
  ): Promise<GraphqlAnswer> {
    const { query, variables, operationName } = request;
    const { document, errors } = this.#documents.check(query);
    if (!document) return refusal(errors, context);
    const operation = getOperationAST(document, operationName);
    if (operation?.operation === OperationTypeNode.SUBSCRIPTION) {
      return refusal([new GraphQLError(this.#whereToSubscribe, { nodes: operation })], context);
    }
    if (readOnly && operation?.operation === OperationTypeNode.MUTATION) {
      return refusal([wrapped(new BadRequest('a mutation needs a POST', 405))], context);
    }
    const execution = forCaller(context, () =>
      execute({
        schema: this.#schema,
        document,
        contextValue: context,
        variableValues: variables,
        operationName,
      } as ExecutionArgs),
    );
    const result = await this.#inTime(execution);
    shortenBareOperations(result.data);
    if (!result.errors) return { statusCode: 200, body: { data: result.data ?? null } };
    // Without data nothing was carried out: the variables, or the name of the operation, do not fit the document.
    const { statusCode, errors: formatted } =
      result.data === undefined ? documentErrors(result.errors) : formatErrors(result.errors, context);
    return { statusCode, body: { data: result.data ?? null, errors: formatted } };
  }

  async #inTime(execution: ExecutionResult | Promise<ExecutionResult>): Promise<ExecutionResult> {
    if (!(execution instanceof Promise)) return execution;
    const { promise: tooLate, resolve } = Promise.withResolvers<ExecutionResult>();
    const timer = setTimeout(() => {
      const message = `the request was not answered within ${this.#timeoutMillis / 1_000} s`;
      resolve({ data: null, errors: [wrapped(new Failure('REQUEST_TIMEOUT', message))] });
    }, this.#timeoutMillis);
    try {
      return await Promise.race([execution, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function forCaller<Result>(context: RequestContext, work: () => Result): Result {
  let tenant: Tenant;
  try {
    ({ tenant } = context.caller());
  } catch {
    // Told by the field that needs one.
    return work();
  }
  return onBehalfOf({ kind: 'caller', tenant }, work);
}

/** What was thrown before there was a document to carry out. */
export function refusal(errors: readonly GraphQLError[], context: RequestContext): GraphqlAnswer {
  const { statusCode, errors: formatted } = formatErrors(errors, context);
  return { statusCode, body: { data: null, errors: formatted } };
}

export function wrapped(error: unknown): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
