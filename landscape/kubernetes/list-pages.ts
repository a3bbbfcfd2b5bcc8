import type { KubeObject } from './resource-type.ts';
import { badRequest, gone } from './status-error.ts';

export interface ListPage {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  readonly continueToken: string | undefined;
  readonly remaining: number | undefined;
}

interface Snapshot {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
}

/** Lists in pages. All pages of one list show the same moment, however much is written between them. */
export class ListPages {
  readonly #limit: number;
  readonly #snapshots = new Map<string, Snapshot>();
  #next = 1;

  /** Keeps that many unfinished lists; continuing an older one is 410, as after a compaction. */
  constructor(limit = 200) {
    this.#limit = limit;
  }

  first({ items, resourceVersion }: Snapshot, limit: number | undefined): ListPage {
    if (limit === undefined || items.length <= limit) {
      return { items, resourceVersion, continueToken: undefined, remaining: undefined };
    }
    const id = String(this.#next);
    this.#next += 1;
    this.#snapshots.set(id, { items, resourceVersion });
    for (const oldest of this.#snapshots.keys()) {
      if (this.#snapshots.size <= this.#limit) break;
      this.#snapshots.delete(oldest);
    }
    return this.#page(id, { items, resourceVersion }, 0, limit);
  }

  /** `compactedUpTo`: lists of older resourceVersions are gone. */
  next(token: string, limit: number | undefined, compactedUpTo: number): ListPage {
    const [id = '', start = ''] = Buffer.from(token, 'base64url').toString().split(' ');
    if (!/^\d+$/.test(id) || !/^\d+$/.test(start)) throw badRequest('continue key is not valid');
    const snapshot = this.#snapshots.get(id);
    if (snapshot === undefined || Number(snapshot.resourceVersion) < compactedUpTo) {
      throw gone(
        'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.',
      );
    }
    return this.#page(id, snapshot, Number(start), limit ?? snapshot.items.length);
  }

  #page(id: string, { items, resourceVersion }: Snapshot, start: number, limit: number): ListPage {
    const end = start + limit;
    const remaining = items.length - end;
    const more = remaining > 0;
    // The snapshot stays: a client may ask for the same page again when its answer got lost.
    const continueToken = more ? Buffer.from(`${id} ${end}`).toString('base64url') : undefined;
    return { items: items.slice(start, end), resourceVersion, continueToken, remaining: more ? remaining : undefined };
  }
}
