import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../domain/clock.ts';
import { systemClock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import { retryAfterOf } from '../domain/retry-after.ts';
import type { KubernetesClient, KubernetesObject, ResourceKind } from './kubernetes-client.ts';
import { isGone, isRefused } from './kubernetes-error.ts';

export interface ObjectChange {
  readonly type: 'added' | 'modified' | 'deleted';
  /** As it is now, or as it was last seen. */
  readonly object: KubernetesObject;
  readonly previous?: KubernetesObject;
}

export interface InformerSettings {
  readonly client: KubernetesClient;
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly log: Logger;
  readonly clock?: Clock;
  /** The part of an object that is kept, beside its name, uid and resourceVersion; all of it unless told otherwise. */
  readonly keep?: (object: KubernetesObject) => KubernetesObject;
  /** All is listed again after this long, whatever the watch said. */
  readonly relistEveryMs?: number;
  /** The first pause after a failure; it doubles up to `longestPauseMs`, and is shortened at random by up to half. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

/**
 * - `starting`: nothing was listed yet.
 * - `watching`: the store follows the server.
 * - `interrupted`: the watch broke off; the store is as old as that, and another try is under way.
 * - `stopped`: nothing happens any more.
 */
export type InformerState =
  | { readonly phase: 'starting' | 'interrupted'; readonly problem: string | undefined }
  | { readonly phase: 'watching' | 'stopped' };

/** How long a watch has been refused before everything is listed instead. */
const listWhenRefusedMs = 30_000;

/** Keeps the objects of one kind in one namespace at hand: lists them once, then follows a watch, and heals itself. */
export class Informer {
  /** Resolves when everything has been listed for the first time. */
  readonly synced: Promise<void>;
  readonly #settings: Required<InformerSettings>;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #listeners = new Set<(change: ObjectChange) => void>();
  readonly #stopping = new AbortController();
  readonly #markSynced: () => void;
  #state: InformerState = { phase: 'starting', problem: undefined };
  #running: Promise<void> | undefined;
  #resourceVersion: string | undefined;
  #listedAt = 0;
  #upToDateAt = Number.NEGATIVE_INFINITY;
  #failures = 0;

  constructor(settings: InformerSettings) {
    const { keep = (object) => object } = settings;
    this.#settings = {
      clock: systemClock,
      relistEveryMs: 30 * 60_000,
      firstPauseMs: 250,
      longestPauseMs: 30_000,
      ...settings,
      keep: (object) => keep(withoutManagedFields(object)),
    };
    const { promise, resolve } = Promise.withResolvers<void>();
    this.synced = promise;
    this.#markSynced = resolve;
  }

  get state(): InformerState {
    return this.#state;
  }

  /** For how long the store may have missed changes, in milliseconds. */
  get behindMillis(): number {
    return this.#state.phase === 'watching' ? 0 : this.#settings.clock.now() - this.#upToDateAt;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(name: string): KubernetesObject | undefined {
    return this.#objects.get(name);
  }

  values(): IterableIterator<KubernetesObject> {
    return this.#objects.values();
  }

  /** Hears every change from now on; what it throws is logged. Answers how to stop listening. */
  onChange(listener: (change: ObjectChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#state = { phase: 'stopped' };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { log, kind, clock } = this.#settings;
    while (!signal.aborted) {
      const startedAt = clock.now();
      try {
        if (this.#resourceVersion === undefined) await this.#list(signal);
        const heard = await this.#watch(signal);
        if (clock.now() - this.#listedAt >= this.#settings.relistEveryMs) this.#resourceVersion = undefined;
        // A server that accepts watches only to end them at once must not be asked in a tight loop.
        if (!heard && clock.now() - startedAt < 1_000) await this.#pause(signal);
      } catch (error) {
        if (signal.aborted) return;
        const problem = error instanceof Error ? error.message : String(error);
        this.#interrupted(problem);
        if (isGone(error)) {
          this.#resourceVersion = undefined;
          log.info({ kind: kind.plural, problem }, 'watch is too far behind; listing again');
        } else {
          // A server that refuses the watch may still answer a list, now and then.
          if (isRefused(error) && this.behindMillis > listWhenRefusedMs) this.#resourceVersion = undefined;
          log.warn({ kind: kind.plural, problem, failures: this.#failures + 1 }, 'watch broke off; trying again');
        }
        await this.#pause(signal, retryAfterOf(error));
      }
    }
  }

  #interrupted(problem: string): void {
    if (this.#state.phase === 'watching') this.#upToDateAt = this.#settings.clock.now();
    this.#state = { phase: this.#state.phase === 'starting' ? 'starting' : 'interrupted', problem };
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client, kind, namespace, clock, keep } = this.#settings;
    const askedAt = clock.now();
    const { items, resourceVersion } = await client.list(kind, { namespace, signal, keep });
    // Whoever is told of a change looks at once.
    this.#upToDateAt = askedAt;
    const names = new Set(items.map(({ metadata }) => metadata.name));
    for (const [name, object] of this.#objects) if (!names.has(name)) this.#remove(object);
    for (const item of items) this.#put(item);
    this.#resourceVersion = resourceVersion;
    this.#listedAt = clock.now();
    this.#markSynced();
  }

  /** Answers whether anything came. */
  async #watch(signal: AbortSignal): Promise<boolean> {
    const { client, kind, namespace } = this.#settings;
    const onOpen = () => {
      this.#state = { phase: 'watching' };
    };
    let heard = false;
    for await (const event of client.watch(kind, this.#resourceVersion ?? '', { namespace, signal, onOpen })) {
      heard = true;
      this.#failures = 0;
      if (event.type === 'BOOKMARK') {
        this.#resourceVersion = event.resourceVersion || this.#resourceVersion;
        continue;
      }
      if (event.type === 'DELETED') this.#remove(event.object);
      else this.#put(this.#settings.keep(event.object));
      this.#resourceVersion = event.object.metadata.resourceVersion ?? this.#resourceVersion;
    }
    return heard;
  }

  /** What is kept of an object. */
  #put(object: KubernetesObject): void {
    const { name = '', uid, resourceVersion } = object.metadata;
    const previous = this.#objects.get(name);
    if (previous?.metadata.uid === uid && previous?.metadata.resourceVersion === resourceVersion) return;
    // Another uid: the object was deleted and made anew while nobody watched.
    const same = previous !== undefined && previous.metadata.uid === uid;
    if (previous && !same) this.#remove(previous);
    this.#objects.set(name, object);
    this.#announce(same ? { type: 'modified', object, previous } : { type: 'added', object });
  }

  #remove(object: KubernetesObject): void {
    if (this.#objects.delete(object.metadata.name ?? '')) this.#announce({ type: 'deleted', object });
  }

  #announce(change: ObjectChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#settings.log.error({ err: error, name: change.object.metadata.name }, 'a listener failed');
      }
    }
  }

  async #pause(signal: AbortSignal, atLeastMs = 0): Promise<void> {
    const { firstPauseMs, longestPauseMs } = this.#settings;
    const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(this.#failures, 20));
    this.#failures += 1;
    const milliseconds = Math.max(longest * (0.5 + Math.random() / 2), atLeastMs);
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}

/** They are a third of an object, and nobody here reads them. */
function withoutManagedFields(object: KubernetesObject): KubernetesObject {
  const { managedFields, ...metadata } = object.metadata;
  return managedFields === undefined ? object : { ...object, metadata };
}
