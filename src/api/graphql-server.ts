import fastify, { type FastifyInstance } from 'fastify';
import { buildSchema } from 'graphql';
import type { Logger } from '../domain/logger.ts';
import { ConnectionObservations } from './connection-observations.ts';
import { requestContext } from './context.ts';
import { correlationIdOf } from './correlation-id.ts';
import type { ApiDependencies } from './dependencies.ts';
import { attachResolvers } from './graphql/attach-resolvers.ts';
import { Documents } from './graphql/documents.ts';
import { GraphqlExecutor } from './graphql/graphql-executor.ts';
import { addGraphqlRoute } from './graphql/graphql-route.ts';
import { addHealthRoutes } from './health-routes.ts';
import { acceptOnce } from './idempotency/accept-once.ts';
import { KeyedRequests } from './idempotency/keyed-requests.ts';
import { Kubeconfigs } from './kubeconfigs.ts';
import { addLiveUpdates } from './live/add-live-updates.ts';
import { liveResolvers } from './live/live-resolvers.ts';
import { whereToSubscribe } from './live/prepare-subscription.ts';
import { addPlayground } from './playground.ts';
import { defaultRequestLimits, type RequestLimits } from './request-limits.ts';
import { createResolvers } from './resolvers.ts';
import { scalars } from './scalars.ts';
import { schemaText } from './schema-text.ts';

export interface GraphqlServerSettings {
  /** Path of the GraphQL endpoint. */
  readonly endpoint: string;
  /** Where the playground sends its requests: a path or a URL. */
  readonly playgroundEndpoint: string;
  /** Whether there is a playground; true unless told. */
  readonly playground?: boolean;
  /** Whether the schema may be asked for; true unless told. */
  readonly introspection?: boolean;
  readonly limits?: RequestLimits;
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
  const { endpoint, playground = true, introspection = true, limits = defaultRequestLimits } = settings;
  const server = fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.timeoutMillis,
    // Longer than what proxies before us keep, so that they are the ones to close.
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    // A request that comes on an open connection while the last ones are answered is answered, too.
    return503OnClosing: false,
    genReqId: ({ headers }) => correlationIdOf(headers),
    // Some clients offer HTTP/2 with every request; theirs are requests like any other.
    http: {
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
      // A limit on the whole request is not kept while that on its head is longer, or when nobody looks.
      headersTimeout: Math.min(limits.timeoutMillis, 60_000),
      connectionsCheckingInterval: Math.min(limits.timeoutMillis, 30_000),
    },
  });
  // A form or a plain text can be sent by any web page; a JSON body cannot.
  server.removeContentTypeParser('text/plain');
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  endConnectionsOnClose(server, dependencies);
  server.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) => {
    const expected = error.statusCode !== undefined && error.statusCode < 500;
    if (!expected) log.error({ err: error, correlationId: request.id }, 'internal system error');
    return reply
      .code(expected ? (error.statusCode ?? 500) : 500)
      .send({ message: expected ? error.message : 'internal system error' });
  });

  addHealthRoutes(server, dependencies);
  if (playground) addPlayground(server, settings);
  const { database } = dependencies;
  const keyedRequests = new KeyedRequests({ database, maxTokens: limits.tokens, log });
  keyedRequests.serve({ server, path: endpoint });
  const schema = buildSchema(schemaText());
  const { observeConnection } = dependencies;
  const observations = new ConnectionObservations({ observe: observeConnection, log });
  const { drivers, watches } = dependencies;
  const kubeconfigs = new Kubeconfigs({ database, drivers, watches, log });
  const resolvers = createResolvers({ dependencies, limits, observations, kubeconfigs });
  const Mutation = acceptOnce({ mutations: resolvers.Mutation ?? {}, dependencies });
  attachResolvers(schema, { ...resolvers, Mutation, ...liveResolvers, ...scalars });
  const documents = new Documents({ schema, limits, introspection });
  const executor = new GraphqlExecutor({ schema, documents, limits, whereToSubscribe: whereToSubscribe(endpoint) });
  await addGraphqlRoute({
    ...{ server, path: endpoint, executor, limits },
    contextOf: (request) => {
      const { headers, id } = request;
      return requestContext({ headers, correlationId: String(id), log, keyedRequest: keyedRequests.of(request) });
    },
  });
  addLiveUpdates({ server, schema, documents, limits, endpoint, database, log });
  return server;
}

/**
 * A connection that is kept alive after the last answer on it would hold up the end for as long as it is idle, and whoever
 * keeps one would go on with it to a replica that is about to end.
 */
function endConnectionsOnClose(server: FastifyInstance, { isStopping }: Pick<ApiDependencies, 'isStopping'>): void {
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
  });
  server.addHook('onSend', async (_, reply) => {
    if (closing || isStopping?.()) reply.header('connection', 'close');
  });
}
