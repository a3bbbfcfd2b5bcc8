import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../context.ts';
import type { RequestLimits } from '../request-limits.ts';
import { LimitExceeded } from '../request-limits.ts';
import { type GraphqlAnswer, type GraphqlExecutor, refusal, wrapped } from './graphql-executor.ts';
import { BadRequest, readGraphqlRequest, readQueryString } from './graphql-request.ts';

/** One of these headers, or a body of one of these types, cannot be sent by a foreign web page without its browser asking us first. */
const ownHeaders = ['tenant', 'sub-account', 'x-request-id'] as const;
const ownContentTypes = /^application\/(json|graphql)\s*(;|$)/i;

/** Serves queries and mutations: by POST as JSON, or the bare document as `application/graphql`; queries also by GET. */
export async function addGraphqlRoute({
  server,
  path,
  executor,
  limits,
  contextOf,
}: {
  server: FastifyInstance;
  path: string;
  executor: GraphqlExecutor;
  limits: RequestLimits;
  contextOf: (request: FastifyRequest) => RequestContext;
}): Promise<void> {
  await server.register((scope, _, registered) => {
    scope.addContentTypeParser('application/graphql', { parseAs: 'string' }, (_, body, done) => {
      done(null, { query: body });
    });
    scope.setErrorHandler((error, request, reply) => {
      const refused = errorCode(error) === 'FST_ERR_CTP_BODY_TOO_LARGE' ? tooLarge(limits, request) : error;
      return send(reply, refusal([wrapped(refused)], contextOf(request)));
    });
    scope.addHook('onRequest', async (request) => refuseForeignPages(request));
    scope.post(path, async (request, reply) => {
      const asked = readGraphqlRequest(request.body, limits);
      return send(reply, await executor.answer(asked, contextOf(request), { readOnly: false }));
    });
    scope.get(path, async (request, reply) => {
      const asked = readQueryString(request.query, limits);
      return send(reply, await executor.answer(asked, contextOf(request), { readOnly: true }));
    });
    registered();
  });
}

function send(reply: FastifyReply, { statusCode, body }: GraphqlAnswer): FastifyReply {
  return reply.code(statusCode).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body));
}

function refuseForeignPages({ headers }: FastifyRequest): void {
  if (ownContentTypes.test(headers['content-type'] ?? '')) return;
  if (ownHeaders.some((name) => headers[name] !== undefined)) return;
  throw new BadRequest(
    `send the header tenant, or a body of the type application/json: otherwise any web page could send this request`,
  );
}

function tooLarge({ bodyBytes }: RequestLimits, { headers }: FastifyRequest): LimitExceeded {
  const length = headers['content-length'];
  const found = length === undefined ? undefined : Number(length);
  return new LimitExceeded({ limit: 'bodyBytes', found, allowed: bodyBytes });
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
