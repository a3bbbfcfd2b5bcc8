import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Metrics } from './metrics.ts';

/** A request as undici tells of it. */
interface OutgoingRequest {
  readonly origin: string | URL;
  readonly method: string;
  readonly path: string;
}

/**
 * Measures every HTTP request that leaves this process, without the clients knowing. `nameOf` says which upstream is
 * called, in one of few words; undefined leaves a request out. Answers a function that stops it.
 */
export function observeUpstreamCalls({
  metrics,
  nameOf,
}: {
  metrics: Metrics;
  nameOf: (request: { readonly origin: string; readonly path: string }) => string | undefined;
}): () => void {
  const startedAt = new WeakMap<object, number>();
  const finish = (request: OutgoingRequest, status: string) => {
    const start = startedAt.get(request);
    if (start === undefined) return;
    // Told once: an error after the head of the answer belongs to its body, as when a watch is cut.
    startedAt.delete(request);
    const upstream = nameOf({ origin: String(request.origin), path: request.path });
    if (upstream === undefined) return;
    const seconds = (performance.now() - start) / 1000;
    metrics.upstreamDuration.observe({ upstream, method: request.method, status }, seconds);
  };
  const listeners = {
    'undici:request:create': (message: unknown) => {
      startedAt.set((message as { request: OutgoingRequest }).request, performance.now());
    },
    'undici:request:headers': (message: unknown) => {
      const { request, response } = message as { request: OutgoingRequest; response: { statusCode: number } };
      finish(request, `${Math.floor(response.statusCode / 100)}xx`);
    },
    'undici:request:error': (message: unknown) => finish((message as { request: OutgoingRequest }).request, 'error'),
  };
  for (const [channel, listener] of Object.entries(listeners)) subscribe(channel, listener);
  return () => {
    for (const [channel, listener] of Object.entries(listeners)) unsubscribe(channel, listener);
  };
}
