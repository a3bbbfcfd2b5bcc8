import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ExecutionResult, GraphQLError, type GraphQLSchema, subscribe } from 'graphql';
import type { RequestContext } from '../context.ts';
import type { Documents } from '../graphql/documents.ts';
import { prepareSubscription, presentResult, readSubscriptionRequest } from './prepare-subscription.ts';

/** Often enough for the proxies before us. */
const keepAliveMillis = 12_000;
/** A client that takes nothing for so long is gone, or may come again with its cursor. */
const stallMillis = 30_000;

type Results = AsyncIterable<ExecutionResult> & Pick<AsyncIterator<ExecutionResult>, 'return'>;

interface OpenStream {
  readonly response: ServerResponse;
  /** None for an answer that is an error. */
  readonly results: Results | undefined;
}

/**
 * Subscriptions as server-sent events: one POST each, as the graphql-sse protocol has it in "distinct connections mode".
 * The next update is asked for only when the one before is on its way, so nothing piles up for a client that is slow.
 * A stream that has come to its end says `complete`; one that just ends was cut, and the client subscribes again.
 */
export class EventStreams {
  readonly #server: FastifyInstance;
  readonly #schema: GraphQLSchema;
  readonly #documents: Documents;
  readonly #open = new Set<OpenStream>();
  readonly #keepAlive: NodeJS.Timeout;
  #closing = false;

  constructor(options: {
    readonly server: FastifyInstance;
    readonly schema: GraphQLSchema;
    readonly documents: Documents;
  }) {
    this.#server = options.server;
    this.#schema = options.schema;
    this.#documents = options.documents;
    this.#keepAlive = setInterval(() => this.#sayThatWeLive(), keepAliveMillis).unref();
  }

  /** Serves them at `path`. */
  serve({ path, contextOf }: { path: string; contextOf: (request: FastifyRequest) => RequestContext }): void {
    this.#server.post(path, async (request, reply) => {
      const asked = readSubscriptionRequest(request.body);
      if (asked === undefined) throw Object.assign(new Error('the request holds no query'), { statusCode: 400 });
      const context = contextOf(request);
      const prepared = prepareSubscription({
        ...{ schema: this.#schema, documents: this.#documents, request: asked, context },
      });
      const results = 'schema' in prepared ? await subscribe(prepared) : { errors: prepared };
      reply.hijack();
      reply.raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Some proxies would gather what must not wait.
        'x-accel-buffering': 'no',
        'x-request-id': String(request.id),
      });
      await this.#deliver({ response: reply.raw, results, context });
    });
  }

  /** Ends every stream without a `complete`. */
  close(): void {
    this.#closing = true;
    clearInterval(this.#keepAlive);
    for (const { response, results } of this.#open) {
      response.end();
      void results?.return?.();
    }
  }

  async #deliver(options: {
    response: ServerResponse;
    results: Results | ExecutionResult;
    context: RequestContext;
  }): Promise<void> {
    const { response, context } = options;
    const results = Symbol.asyncIterator in options.results ? options.results : undefined;
    const stream = { response, results };
    this.#open.add(stream);
    response.once('close', () => void results?.return?.());
    try {
      // Sent at once, so that the client knows that it is subscribed.
      await write(response, ':\n\n');
      for await (const result of results ?? [options.results as ExecutionResult]) {
        await write(response, next(result, context));
      }
      if (this.#closing) response.end();
      else response.end('event: complete\ndata:\n\n');
    } catch (error) {
      if (!response.destroyed) response.end(`${next(failed(error), context)}event: complete\ndata:\n\n`);
    } finally {
      this.#open.delete(stream);
    }
  }

  #sayThatWeLive(): void {
    for (const { response } of this.#open) {
      if (!response.writableNeedDrain) response.write(':\n\n');
    }
  }
}

function next(result: ExecutionResult, context: RequestContext): string {
  return `event: next\ndata: ${JSON.stringify(presentResult(result, context))}\n\n`;
}

function failed(error: unknown): ExecutionResult {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return { errors: [new GraphQLError(originalError.message, { originalError })] };
}

/** Resolves when the operating system has it; throws when the client does not take it in time, or is gone. */
async function write(response: ServerResponse, text: string): Promise<void> {
  const written = Promise.withResolvers<void>();
  const stalled = setTimeout(() => response.destroy(), stallMillis);
  response.write(text, (error) => (error ? written.reject(error) : written.resolve()));
  try {
    await written.promise;
  } finally {
    clearTimeout(stalled);
  }
}
