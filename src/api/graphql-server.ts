import fastify, { type FastifyInstance } from 'fastify';
import { buildSchema, type GraphQLError } from 'graphql';
import mercurius, { type IResolvers } from 'mercurius';
import type { Logger } from '../domain/logger.ts';
import { completeBareOperations, shortenBareOperations } from './bare-operations.ts';
import { type RequestContext, requestContext } from './context.ts';
import { correlationIdOf } from './correlation-id.ts';
import type { ApiDependencies } from './dependencies.ts';
import { formatErrors } from './format-errors.ts';
import { addHealthRoutes } from './health-routes.ts';
import { acceptOnce } from './idempotency/accept-once.ts';
import { KeyedRequests } from './idempotency/keyed-requests.ts';
import { addLiveUpdates } from './live/add-live-updates.ts';
import { liveResolvers } from './live/live-resolvers.ts';
import { refuseSubscriptions } from './live/prepare-subscription.ts';
import { addPlayground } from './playground.ts';
import { limitRootFields, maxBodyBytes, maxDepth, maxTokens } from './request-limits.ts';
import { createResolvers } from './resolvers.ts';
import { scalars } from './scalars.ts';
import { schemaText } from './schema-text.ts';

export interface GraphqlServerSettings {
  /** Path of the GraphQL endpoint. */
  readonly endpoint: string;
  /** Where the playground sends its requests: a path or a URL. */
  readonly playgroundEndpoint: string;
}

/** The whole HTTP side of the service, not yet listening: the GraphQL endpoint, the playground, `/healthz`, `/readyz`. */
export async function buildGraphqlServer({
  settings,
  dependencies,
  log,
}: {
  settings: GraphqlServerSettings;
  dependencies: ApiDependencies;
  log: Logger;
}): Promise<FastifyInstance> {
  const server = fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    requestTimeout: 30_000,
    // Longer than what proxies before us keep, so that they are the ones to close.
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    genReqId: ({ headers }) => correlationIdOf(headers),
    // Some clients offer HTTP/2 with every request; theirs are requests like any other.
    http: { shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket' },
  });
  // A form or a plain text can be sent by any web page; a JSON body cannot.
  server.removeContentTypeParser('text/plain');
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  endConnectionsOnClose(server);
  server.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) => {
    const expected = error.statusCode !== undefined && error.statusCode < 500;
    if (!expected) log.error({ err: error, correlationId: request.id }, 'internal system error');
    return reply
      .code(expected ? (error.statusCode ?? 500) : 500)
      .send({ message: expected ? error.message : 'internal system error' });
  });

  addHealthRoutes(server, dependencies);
  addPlayground(server, settings);
  const { database } = dependencies;
  const keyedRequests = new KeyedRequests({ database, log });
  keyedRequests.serve({ server, path: settings.endpoint });
  const resolvers = createResolvers(dependencies);
  const Mutation = acceptOnce({ mutations: resolvers.Mutation ?? {}, dependencies });
  await server.register(mercurius, {
    schema: buildSchema(schemaText()),
    resolvers: { ...resolvers, Mutation, ...liveResolvers, ...scalars } as unknown as IResolvers,
    path: settings.endpoint,
    graphiql: false,
    allowBatchedQueries: false,
    queryDepth: maxDepth,
    validationRules: [limitRootFields, refuseSubscriptions(settings)],
    graphql: { parseOptions: { maxTokens }, validateOptions: { maxErrors: 20 } },
    // Our own headers cannot be sent by a foreign web page without its browser asking us first.
    csrfPrevention: { requiredHeaders: ['tenant', 'sub-account', 'x-request-id'] },
    context: (request) => {
      const { headers, id } = request;
      return requestContext({ headers, correlationId: String(id), log, keyedRequest: keyedRequests.of(request) });
    },
    errorFormatter: (execution, context) => {
      const { statusCode, errors } = formatErrors(execution.errors, context as unknown as RequestContext);
      return {
        statusCode,
        response: { data: execution.data ?? null, errors: errors as unknown as readonly GraphQLError[] },
      };
    },
  });
  server.graphql.addHook('preValidation', async (schema, document) => completeBareOperations(schema, document));
  server.graphql.addHook('onResolution', async ({ data }) => shortenBareOperations(data));
  addLiveUpdates({ server, endpoint: settings.endpoint, database, log });
  return server;
}

/** A connection that is kept alive after the last answer on it would hold up the end for as long as it is idle. */
function endConnectionsOnClose(server: FastifyInstance): void {
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
  });
  server.addHook('onSend', async (_, reply) => {
    if (closing) reply.header('connection', 'close');
  });
}
