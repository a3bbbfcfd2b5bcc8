import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { CloseCode, type Context, handleProtocols, makeServer, type Server } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Logger } from '../../domain/logger.ts';
import type { RequestContext } from '../context.ts';
import { formatErrors } from '../format-errors.ts';
import type { Documents } from '../graphql/documents.ts';
import { prepareSubscription, presentResult, readSubscriptionRequest } from './prepare-subscription.ts';

/** A connection that does not answer a ping until the next one is gone. */
const keepAliveMillis = 12_000;
const initialisationMillis = 10_000;
/** How long clients get to take their leave when the service stops. */
const leaveMillis = 1_000;
const mostSubscriptions = 100;
/** What a client may leave unread, such as answers to pings; updates wait for each other. */
const mostUnreadBytes = 1024 * 1024;

interface Extra {
  readonly request: IncomingMessage;
}
type ConnectionContext = Context<Record<string, unknown>, Extra>;

/**
 * Subscriptions over WebSocket, with the protocol `graphql-transport-ws`. The next update of a subscription is asked for
 * only when the one before is on its way, so nothing piles up for a client that is slow. When the service stops,
 * connections are closed with 1001 and no subscription is said to be complete: clients connect and subscribe again.
 */
export class WebSockets {
  readonly #sockets: WebSocketServer;
  readonly #protocol: Server<Extra>;
  readonly #log: Logger;
  readonly #answered = new WeakSet<WebSocket>();
  readonly #keepAlive: NodeJS.Timeout;
  #closing = false;

  constructor({
    schema,
    documents,
    largestMessage,
    contextOf,
    log,
  }: {
    schema: GraphQLSchema;
    documents: Documents;
    /** In bytes. */
    largestMessage: number;
    /** Of a connection, from the request that opened it and what the client said when it was initialised. */
    contextOf: (request: IncomingMessage, parameters: Readonly<Record<string, unknown>>) => RequestContext;
    log: Logger;
  }) {
    this.#log = log;
    this.#sockets = new WebSocketServer({
      ...{ noServer: true, maxPayload: largestMessage, perMessageDeflate: false, handleProtocols },
    });
    const contextOfConnection = ({ extra, connectionParams }: ConnectionContext) =>
      contextOf(extra.request, connectionParams ?? {});
    this.#protocol = makeServer<Record<string, unknown>, Extra>({
      connectionInitWaitTimeout: initialisationMillis,
      onSubscribe: (connection, _, payload) => {
        const request = readSubscriptionRequest(payload);
        if (request === undefined) return [new GraphQLError('the request holds no query')];
        if (Object.keys(connection.subscriptions).length > mostSubscriptions) {
          return [new GraphQLError(`a connection may hold at most ${mostSubscriptions} subscriptions`)];
        }
        return prepareSubscription({ schema, documents, request, context: contextOfConnection(connection) });
      },
      onNext: (_, __, ___, { contextValue }, result) => presentResult(result, contextValue as RequestContext),
      onError: (connection, _, __, errors) => formatErrors(errors, contextOfConnection(connection)).errors,
    });
    this.#keepAlive = setInterval(() => this.#endTheSilent(), keepAliveMillis).unref();
  }

  /** Serves them at `path`. */
  serve({ server, path }: { server: FastifyInstance; path: string }): void {
    server.server.on('upgrade', (request, socket, head) => {
      const refusal = this.#refusal(request, path);
      if (refusal !== undefined) {
        refuse(socket, refusal);
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#accept(webSocket, request));
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#keepAlive);
    const left = [...this.#sockets.clients].map(
      (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
    );
    for (const socket of this.#sockets.clients) socket.close(1001, 'Going away');
    const patience = setTimeout(() => {
      for (const socket of this.#sockets.clients) socket.terminate();
    }, leaveMillis);
    await Promise.all(left);
    clearTimeout(patience);
    this.#sockets.close();
  }

  #refusal(request: IncomingMessage, path: string): string | undefined {
    if (this.#closing) return '503 Service Unavailable';
    if (request.url?.split('?', 1)[0] !== path) return '404 Not Found';
    return isForeignPage(request) ? '403 Forbidden' : undefined;
  }

  #accept(socket: WebSocket, request: IncomingMessage): void {
    this.#answered.add(socket);
    socket.on('pong', () => this.#answered.add(socket));
    // What a client sends wrongly; the connection is closed because of it.
    socket.on('error', (error) => this.#log.info({ error: error.message }, 'a WebSocket was closed for its client'));
    const closed = this.#protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => this.#send(socket, text),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (receive) => {
          socket.on('message', (data) => {
            receive(String(data)).catch((error: unknown) => {
              this.#log.error({ err: error }, 'internal system error');
              socket.close(CloseCode.InternalServerError, 'internal system error');
            });
          });
        },
      },
      { request },
    );
    socket.once('close', (code, reason) => {
      closed(code, String(reason)).catch((error: unknown) => this.#log.error({ err: error }, 'internal system error'));
    });
  }

  /** Resolves when the operating system has it, or the connection is closed. */
  #send(socket: WebSocket, text: string): Promise<void> {
    return new Promise((resolve) => {
      if (socket.readyState !== socket.OPEN) resolve();
      else socket.send(text, () => resolve());
    });
  }

  #endTheSilent(): void {
    for (const socket of this.#sockets.clients) {
      if (!this.#answered.delete(socket) || socket.bufferedAmount > mostUnreadBytes) socket.terminate();
      else socket.ping();
    }
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

/** A page of another site could open a connection without its browser asking us first. What is no page names no origin. */
function isForeignPage({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && URL.parse(origin)?.host !== host;
}
