import type { Logger } from '../domain/logger.ts';
import { type ClusterConnection, type ConnectionSource, fixedConnection } from './cluster-connection.ts';
import { Discovery } from './discovery.ts';
import type {
  AllPages,
  CallOptions,
  KubernetesClient,
  KubernetesObject,
  ListOptions,
  ObjectList,
  ObjectReference,
  ResourceKind,
  WatchEvent,
  WatchOptions,
} from './kubernetes-client.ts';
import { isGone, isObjectNotFound, KubernetesError, kubernetesErrorFrom } from './kubernetes-error.ts';
import { readText } from './read-text.ts';
import type { RequestBudget } from './request-budget.ts';
import { collectionPath, groupVersionPath, objectPath } from './resource-path.ts';
import { Transport, type TransportRequest } from './transport.ts';
import { readWatchEvents } from './watch-events.ts';
import { withinBudget } from './within-budget.ts';

/** One finished call, for metrics. `status` is 0 when no answer came. */
export interface KubernetesCall {
  readonly verb: string;
  readonly resource: string;
  readonly status: number;
  readonly milliseconds: number;
}

export interface KubernetesClientSettings {
  /** A source gives newer credentials when they expire or the server refuses them. */
  readonly connection: ClusterConnection | ConnectionSource;
  /** The name under which this service owns the fields that it sets. */
  readonly fieldManager: string;
  readonly log?: Logger;
  readonly onCall?: (call: KubernetesCall) => void;
  /** Every request takes its turn there, and all wait while the server wants to be left alone. */
  readonly budget?: RequestBudget;
  readonly maxConnections?: number;
  readonly connectTimeoutMs?: number;
  readonly answerTimeoutMs?: number;
  /** How long a connection that is not used is kept open at most; 30 s. */
  readonly keepAliveMs?: number;
  /** Objects per page of a list. */
  readonly pageSize?: number;
  /** A watch in which not even a bookmark came for this long is taken for dead. Bookmarks come every minute. */
  readonly watchSilenceMs?: number;
}

const maxAnswerBytes = 64 * 1024 * 1024;

export function kubernetesClient(settings: KubernetesClientSettings): KubernetesClient {
  const { connection, fieldManager, log, onCall, budget, pageSize = 500, watchSilenceMs = 100_000 } = settings;
  const transport = new Transport({
    source: 'current' in connection ? connection : fixedConnection(connection),
    maxConnections: settings.maxConnections ?? 16,
    connectTimeoutMs: settings.connectTimeoutMs ?? 10_000,
    answerTimeoutMs: settings.answerTimeoutMs ?? 60_000,
    keepAliveMs: settings.keepAliveMs ?? 30_000,
  });
  const discovery = new Discovery((path) => call('discover', path, { method: 'GET', path }));

  function send(verb: string, resource: string, request: TransportRequest) {
    const sendNow = () => sendOnce(verb, resource, request);
    return budget ? withinBudget({ budget, send: sendNow, signal: request.signal, log }) : sendNow();
  }

  async function sendOnce(verb: string, resource: string, request: TransportRequest) {
    const startedAt = performance.now();
    let status = 0;
    try {
      const answer = await transport.request(request);
      status = answer.statusCode;
      if (status >= 200 && status < 300) return answer;
      const retryAfter = answer.headers['retry-after'];
      const text = await readText(answer.body, maxAnswerBytes);
      const error = kubernetesErrorFrom(status, text, Array.isArray(retryAfter) ? retryAfter[0] : retryAfter);
      log?.debug({ verb, resource, status, reason: error.reason }, 'Kubernetes API refused a call');
      throw error;
    } finally {
      onCall?.({ verb, resource, status, milliseconds: performance.now() - startedAt });
    }
  }

  async function call(verb: string, resource: string, request: TransportRequest): Promise<unknown> {
    const answer = await send(verb, resource, request);
    const text = await readText(answer.body, maxAnswerBytes);
    return text === '' ? undefined : JSON.parse(text);
  }

  /**
   * Undefined stands for "it does not exist", on which deletions are declared done. A 404 that is not the API's own
   * may come from a proxy on the way, so it counts only when the API itself says that it does not serve the kind.
   */
  async function orUndefined<Result>(reference: ObjectReference, result: Promise<Result>, signal?: AbortSignal) {
    try {
      return await result;
    } catch (error) {
      if (isObjectNotFound(error)) return undefined;
      const unserved = error instanceof KubernetesError && error.status === 404;
      if (unserved && !(await discovery.serves(reference, signal))) return undefined;
      throw error;
    }
  }

  async function write(
    verb: string,
    resource: string,
    request: TransportRequest,
    options: CallOptions | undefined,
  ): Promise<KubernetesObject> {
    const query = { fieldManager, fieldValidation: 'Strict', ...dryRun(options), ...request.query };
    return (await call(verb, resource, { ...request, query, signal: options?.signal })) as KubernetesObject;
  }

  async function listPages(
    kind: ResourceKind,
    options: ListOptions & AllPages,
    limit: number | undefined,
  ): Promise<ObjectList> {
    const { keep = (object) => object } = options;
    const items: KubernetesObject[] = [];
    let continueToken: string | undefined;
    let resourceVersion = '';
    do {
      const page = (await call('list', kind.plural, {
        method: 'GET',
        path: collectionPath(kind, options.namespace),
        query: { ...selectors(options), limit: limit?.toString(), continue: continueToken },
        signal: options.signal,
      })) as ListAnswer;
      // Items of a list carry neither apiVersion nor kind.
      const itemKind = page.kind.replace(/List$/, '');
      for (const item of page.items ?? []) {
        items.push(keep({ ...item, apiVersion: item.apiVersion ?? page.apiVersion, kind: item.kind ?? itemKind }));
      }
      resourceVersion = page.metadata.resourceVersion ?? '';
      continueToken = page.metadata.continue || undefined;
    } while (continueToken !== undefined);
    return { items, resourceVersion };
  }

  return {
    get: (reference, options) =>
      orUndefined(
        reference,
        call('get', reference.plural, {
          method: 'GET',
          path: objectPath(reference),
          signal: options?.signal,
        }) as Promise<KubernetesObject>,
        options?.signal,
      ),

    async list(kind, options = {}) {
      try {
        return await listPages(kind, options, pageSize);
      } catch (error) {
        // The list took longer than the server keeps its pages; in one piece it cannot.
        if (!isGone(error)) throw error;
        return listPages(kind, options, undefined);
      }
    },

    async *watch(kind: ResourceKind, from: string, options: WatchOptions = {}): AsyncGenerator<WatchEvent> {
      // Spread out, so that many watches do not end and begin again together.
      const timeoutSeconds = Math.round(240 + Math.random() * 120).toString();
      const answer = await send('watch', kind.plural, {
        method: 'GET',
        path: collectionPath(kind, options.namespace),
        query: {
          ...selectors(options),
          watch: 'true',
          allowWatchBookmarks: 'true',
          resourceVersion: from,
          timeoutSeconds,
        },
        silenceTimeoutMs: watchSilenceMs,
        signal: options.signal,
      });
      options.onOpen?.();
      yield* readWatchEvents(answer.body);
    },

    create: (kind, object, options) =>
      write(
        'create',
        kind.plural,
        { method: 'POST', path: collectionPath(kind, object.metadata.namespace), body: JSON.stringify(object) },
        options,
      ),

    replace: (reference, object, options) =>
      write(
        'replace',
        reference.plural,
        { method: 'PUT', path: objectPath(reference), body: JSON.stringify(object) },
        options,
      ),

    patch: (reference, patch, options) =>
      write(
        'patch',
        reference.plural,
        {
          method: 'PATCH',
          path: objectPath(reference),
          body: JSON.stringify(patch),
          contentType: 'application/merge-patch+json',
        },
        options,
      ),

    async apply(object, options = {}) {
      const { apiVersion, kind: kindName, metadata } = object;
      const kind = options.kind ?? (await discovery.find(apiVersion, kindName, options.signal));
      if (!kind) {
        throw new KubernetesError({
          status: 404,
          reason: 'NotFound',
          message: `the server does not serve ${kindName} of ${apiVersion}`,
        });
      }
      const path = objectPath({
        ...kind,
        name: metadata.name ?? '',
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      });
      const body = JSON.stringify(object);
      const query = { force: options.force ? 'true' : undefined };
      const contentType = 'application/apply-patch+yaml';
      return write('apply', kind.plural, { method: 'PATCH', path, body, query, contentType }, options);
    },

    async delete(reference, options = {}) {
      const { uid, signal } = options;
      const body = JSON.stringify({
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Background',
        ...(uid !== undefined && { preconditions: { uid } }),
      });
      const path = objectPath(reference);
      const deletion = call('delete', reference.plural, {
        method: 'DELETE',
        path,
        body,
        query: dryRun(options),
        signal,
      }).then(() => true);
      return (await orUndefined(reference, deletion, signal)) ?? false;
    },

    createSubresource: (reference, subresource, body, options) =>
      call('create', `${reference.plural}/${subresource}`, {
        method: 'POST',
        path: `${objectPath(reference)}/${subresource}`,
        body: JSON.stringify(body),
        query: { fieldManager, ...dryRun(options) },
        signal: options?.signal,
      }),

    discover: (apiVersion, kind, options) => discovery.find(apiVersion, kind, options?.signal),
    forgetDiscovery: () => discovery.forget(),

    async describe(apiVersion, options) {
      const path = `/openapi/v3${groupVersionPath(apiVersion)}`;
      try {
        return await call('describe', apiVersion, { method: 'GET', path, signal: options?.signal });
      } catch (error) {
        if (error instanceof KubernetesError && error.status === 404) return undefined;
        throw error;
      }
    },

    close: () => transport.close(),
  };
}

interface ListAnswer {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: readonly KubernetesObject[] | null;
}

function selectors({ labelSelector, fieldSelector }: ListOptions) {
  return { labelSelector, fieldSelector };
}

function dryRun(options: CallOptions | undefined) {
  return { dryRun: options?.dryRun ? 'All' : undefined };
}
