import type { ServerResponse } from 'node:http';
import type { StoreEvent } from './event-history.ts';
import { objectJson } from './object-json.ts';
import type { ObjectStore } from './object-store.ts';
import { apiVersionOf, inVersion } from './resource-registry.ts';
import type { KubeObject, ResourceType } from './resource-type.ts';
import type { Matches } from './selectors.ts';
import { gone, qualifiedName } from './status-error.ts';

/** How an object looks in a watch that does not want it as it is: as a row of a table, or without spec and status. */
export interface EventForm {
  /** Answers JSON. */
  readonly encode: (object: KubeObject) => string;
  /** Of a bookmark, which is an object with nothing but metadata. */
  readonly apiVersion: string;
  readonly kind: string;
}

export interface WatchRequest {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly matches: Matches;
  /** Undefined or 0 begins with what exists. */
  readonly resourceVersion: string | undefined;
  readonly allowBookmarks: boolean;
  /** Begin with what exists, then a bookmark that says so. */
  readonly sendInitialEvents: boolean;
  readonly timeoutSeconds: number | undefined;
  readonly form: EventForm | undefined;
  readonly contentType: string;
}

/** Ends running watches, all or those of one resource (qualified name). */
export interface WatchEnding {
  /**
   * `close`: the stream ends as a server's timeout ends it. `reset`: the connection breaks. `truncate`: it breaks in
   * the middle of an event. `expire`: an ERROR event says 410, then the stream ends. `stall`: the connection stays
   * open but nothing comes any more.
   */
  readonly how: 'close' | 'reset' | 'truncate' | 'expire' | 'stall';
  readonly resource?: string;
}

type EventType = StoreEvent['type'];

/** At this many unsent bytes a watcher is too slow and is cut off. */
const BACKLOG_LIMIT_BYTES = 32 * 1024 * 1024;
const DEFAULT_TIMEOUT_SECONDS = 2700;

interface Watcher {
  readonly request: WatchRequest;
  readonly response: ServerResponse;
  readonly timer: NodeJS.Timeout;
}

/** The running watches of one API. An event is encoded once for all watchers that see the same form of it. */
export class WatchHub {
  readonly #store: ObjectStore;
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #bookmarks: NodeJS.Timeout;
  readonly #stopObserving: () => void;
  /** How a watch from a forgotten resourceVersion is refused. */
  goneAs: 'status' | 'event' = 'event';

  constructor({
    store,
    bookmarkIntervalMilliseconds,
  }: {
    store: ObjectStore;
    bookmarkIntervalMilliseconds: number;
  }) {
    this.#store = store;
    this.#stopObserving = store.observe((event) => this.#deliver(event));
    this.#bookmarks = setInterval(() => this.#sendBookmarks(), bookmarkIntervalMilliseconds).unref();
  }

  get count(): number {
    return [...this.#watchers.values()].reduce((sum, watchers) => sum + watchers.size, 0);
  }

  /** Takes over the response until the watch ends. Throws 410 before anything is sent, when `goneAs` says so. */
  serve(request: WatchRequest, response: ServerResponse): void {
    const { type, resourceVersion } = request;
    const fromNow = resourceVersion === undefined || resourceVersion === '' || resourceVersion === '0';
    const missed = fromNow || request.sendInitialEvents ? [] : this.#store.eventsSince(type, Number(resourceVersion));
    const tooOld = gone(`too old resource version: ${resourceVersion} (${this.#store.resourceVersion})`);
    if (missed === undefined && this.goneAs === 'status') throw tooOld;

    response.writeHead(200, { 'content-type': request.contentType, 'cache-control': 'no-cache, private' });
    response.flushHeaders();
    if (missed === undefined) {
      response.end(`{"type":"ERROR","object":${JSON.stringify(tooOld.toStatus())}}\n`);
      return;
    }
    const seconds = request.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
    const timer = setTimeout(() => this.#close(watcher), seconds * 1000).unref();
    const watcher: Watcher = { request, response, timer };
    if (fromNow || request.sendInitialEvents) this.#sendCurrent(watcher);
    for (const event of missed) this.#send(watcher, event, new Map());
    const resource = qualifiedName(type);
    const siblings = this.#watchers.get(resource) ?? new Set();
    siblings.add(watcher);
    this.#watchers.set(resource, siblings);
    response.on('close', () => this.#forget(watcher));
  }

  end({ how, resource }: WatchEnding): void {
    for (const [name, watchers] of this.#watchers) {
      if (resource !== undefined && resource !== name) continue;
      for (const watcher of [...watchers]) this.#endOne(watcher, how);
    }
  }

  close(): void {
    clearInterval(this.#bookmarks);
    this.#stopObserving();
    this.end({ how: 'close' });
  }

  #endOne(watcher: Watcher, how: WatchEnding['how']): void {
    const { response } = watcher;
    switch (how) {
      case 'close':
        this.#close(watcher);
        return;
      case 'reset':
        this.#forget(watcher);
        response.destroy();
        return;
      case 'truncate':
        this.#forget(watcher);
        response.write('{"type":"MODIFIED","object":{"apiVersion":', () => response.destroy());
        return;
      case 'expire': {
        const status = gone('The resourceVersion for the provided watch is too old.').toStatus();
        response.write(`{"type":"ERROR","object":${JSON.stringify(status)}}\n`);
        this.#close(watcher);
        return;
      }
      case 'stall':
        this.#forget(watcher);
    }
  }

  #close(watcher: Watcher): void {
    this.#forget(watcher);
    watcher.response.end();
  }

  #forget(watcher: Watcher): void {
    clearTimeout(watcher.timer);
    this.#watchers.get(qualifiedName(watcher.request.type))?.delete(watcher);
  }

  #deliver(event: StoreEvent): void {
    const watchers = this.#watchers.get(event.resource);
    if (watchers === undefined || watchers.size === 0) return;
    const lines = new Map<string, string>();
    for (const watcher of watchers) this.#send(watcher, event, lines);
  }

  /** `lines` keeps what has been encoded for other watchers of the same event. */
  #send(watcher: Watcher, event: StoreEvent, lines: Map<string, string>): void {
    const { request, response } = watcher;
    const seen = asSeen(event, request);
    if (seen === undefined) return;
    const key = `${seen} ${apiVersionOf(request.type)}`;
    let line = request.form === undefined ? lines.get(key) : undefined;
    if (line === undefined) {
      line = eventLine(seen, event.object, request);
      if (request.form === undefined) lines.set(key, line);
    }
    response.write(line);
    if (response.writableLength > BACKLOG_LIMIT_BYTES) this.#endOne(watcher, 'reset');
  }

  #sendCurrent({ request, response }: Watcher): void {
    for (const object of this.#store.list(request.type, request.namespace)) {
      if (request.matches(object)) response.write(eventLine('ADDED', object, request));
    }
    if (!request.sendInitialEvents || !request.allowBookmarks) return;
    response.write(bookmarkLine(request, this.#store.resourceVersion, { 'k8s.io/initial-events-end': 'true' }));
  }

  #sendBookmarks(): void {
    for (const watchers of this.#watchers.values()) {
      for (const { request, response } of watchers) {
        if (request.allowBookmarks) response.write(bookmarkLine(request, this.#store.resourceVersion));
      }
    }
  }
}

/** What a change means to a watcher with selectors: an object that stops matching is gone for it, one that begins to is new. */
function asSeen({ type, object, previous }: StoreEvent, request: WatchRequest): EventType | undefined {
  if (request.namespace !== undefined && object.metadata.namespace !== request.namespace) return undefined;
  const matched = previous !== undefined && request.matches(previous);
  if (type === 'DELETED') return matched ? 'DELETED' : undefined;
  const matches = request.matches(object);
  if (matches) return matched ? 'MODIFIED' : 'ADDED';
  return matched ? 'DELETED' : undefined;
}

function eventLine(type: EventType, object: KubeObject, { form, type: resource }: WatchRequest): string {
  const json = form === undefined ? objectJson(inVersion(object, resource)) : form.encode(object);
  return `{"type":"${type}","object":${json}}\n`;
}

function bookmarkLine(request: WatchRequest, resourceVersion: string, annotations?: Record<string, string>): string {
  const { type, form } = request;
  const metadata = { resourceVersion, creationTimestamp: null, ...(annotations === undefined ? {} : { annotations }) };
  const { kind, apiVersion } = form ?? { kind: type.kind, apiVersion: apiVersionOf(type) };
  return `{"type":"BOOKMARK","object":${JSON.stringify({ kind, apiVersion, metadata })}}\n`;
}
