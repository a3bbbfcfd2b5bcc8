import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Database } from '../../db/database.ts';
import type { Logger } from '../../domain/logger.ts';
import { type RequestContext, requestContext } from '../context.ts';
import { correlationIdOf } from '../correlation-id.ts';
import type { SubscriptionoperationUpdatesArgs, SubscriptionruntimeUpdatesArgs } from '../generated/schema.ts';
import type { Documents } from '../graphql/documents.ts';
import type { RequestLimits } from '../request-limits.ts';
import { EventStreams } from './event-streams.ts';
import { operationUpdates, runtimeUpdates } from './live-resolvers.ts';
import { eventStreamPath } from './prepare-subscription.ts';
import { UpdateFeed } from './update-feed.ts';
import { WebSockets } from './web-sockets.ts';

/** The subscriptions of the schema that the server has, over WebSocket and as server-sent events, until it is closed. */
export function addLiveUpdates({
  server,
  schema,
  documents,
  limits,
  endpoint,
  database,
  log,
}: {
  server: FastifyInstance;
  schema: GraphQLSchema;
  documents: Documents;
  limits: RequestLimits;
  endpoint: string;
  database: Database;
  log: Logger;
}): void {
  const updates = new UpdateFeed({ database, log });
  const dependencies = { database, updates };
  const fields = schema.getSubscriptionType()?.getFields() ?? {};
  const attach = <Args>(name: string, follow: (args: Args, context: RequestContext) => Promise<object>) => {
    const field = fields[name];
    if (field === undefined) throw new Error(`the schema has no subscription ${name}`);
    field.subscribe = (_: unknown, args: Args, context: RequestContext) => follow(args, context);
    field.resolve = (update: unknown) => update;
  };
  attach('operationUpdates', ({ operationID, after }: Required<SubscriptionoperationUpdatesArgs>, context) =>
    operationUpdates({ dependencies, context, operationID, after }),
  );
  attach('runtimeUpdates', ({ runtimeID, after }: SubscriptionruntimeUpdatesArgs, context) =>
    runtimeUpdates({ dependencies, context, runtimeID: runtimeID ?? undefined, after: after ?? undefined }),
  );

  const streams = new EventStreams({ server, schema, documents });
  streams.serve({
    path: eventStreamPath(endpoint),
    contextOf: ({ headers, id }) => requestContext({ headers, correlationId: String(id), log }),
  });
  const sockets = new WebSockets({
    ...{ schema, documents, largestMessage: limits.bodyBytes },
    // What came with the request may have been set by a proxy that has checked it, so it counts first.
    contextOf: ({ headers }, { tenant }) =>
      requestContext({
        headers: headers.tenant === undefined && typeof tenant === 'string' ? { ...headers, tenant } : headers,
        correlationId: correlationIdOf(headers),
        log,
      }),
    log,
  });
  sockets.serve({ server, path: endpoint });

  server.addHook('preClose', async () => {
    streams.close();
    await sockets.close();
  });
  server.addHook('onClose', () => updates.stop());
}
