import type { KubeObject } from './resource-type.ts';

export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The qualified name, such as `shoots.core.gardener.cloud`. */
  readonly resource: string;
  /** The object after the change; for DELETED the last state with the resourceVersion of its removal. Frozen. */
  readonly object: KubeObject;
  /** The object before the change; undefined for ADDED. Frozen. */
  readonly previous: KubeObject | undefined;
  readonly resourceVersion: number;
}

/** The last events of one resource, for watches that resume. What falls out of it is gone (410). */
export class EventHistory {
  readonly #limit: number;
  #events: StoreEvent[] = [];
  #forgottenUpTo = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(event: StoreEvent): void {
    this.#events.push(event);
    // Cut in chunks, so that a push costs nothing on average.
    if (this.#events.length >= this.#limit * 2) this.#forget(this.#events.length - this.#limit);
  }

  /** Forgets everything up to now: whoever resumes from before the last event gets 410. */
  compact(upTo: number): void {
    this.#events = [];
    this.#forgottenUpTo = Math.max(this.#forgottenUpTo, upTo);
  }

  /** The events after a resourceVersion, oldest first; undefined when some of them are forgotten. */
  since(resourceVersion: number): readonly StoreEvent[] | undefined {
    if (resourceVersion < this.#forgottenUpTo) return undefined;
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.resourceVersion ?? 0) <= resourceVersion) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low);
  }

  #forget(count: number): void {
    this.#forgottenUpTo = this.#events[count - 1]?.resourceVersion ?? this.#forgottenUpTo;
    this.#events = this.#events.slice(count);
  }
}
