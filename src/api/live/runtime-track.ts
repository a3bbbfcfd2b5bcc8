import type { Database } from '../../db/database.ts';
import { type Followed, type Place, type PlacedUpdate, readUpdates } from '../../db/queries/follow-updates.ts';
import { laterOf, type Snapshot, shows } from '../../db/snapshot.ts';
import type { FollowedEvent } from '../../domain/operation-event.ts';
import { type Cursor, notOurs, writeCursor } from './cursor.ts';
import { type Batch, pageSize, type Step, type Track, topic } from './track.ts';

export interface UpdateWithCursor {
  /** With it a subscription goes on after this update. */
  readonly cursor: string;
  /** None at the beginning of a subscription that goes on after nothing: it only tells the cursor. */
  readonly update: FollowedEvent | undefined;
}

/** The updates of all operations on a tenant's Runtimes, or on one of them. Without a cursor it begins now. */
export class RuntimeTrack implements Track<UpdateWithCursor> {
  readonly topic: string;
  readonly #database: Database;
  readonly #followed: Followed;
  readonly #begin: () => Promise<Snapshot>;
  #cursor: Cursor | undefined;

  constructor(options: {
    readonly database: Database;
    readonly followed: Followed;
    /** Where to begin when there is no cursor. */
    readonly begin: () => Promise<Snapshot>;
    readonly after: Cursor | undefined;
  }) {
    const { tenant, runtimeId } = options.followed;
    this.#database = options.database;
    this.#followed = options.followed;
    this.#begin = options.begin;
    this.#cursor = options.after;
    this.topic = runtimeId === undefined ? topic.tenant(tenant) : topic.runtime(runtimeId);
  }

  async read(): Promise<Step<UpdateWithCursor>> {
    if (this.#cursor === undefined) {
      const cursor = { from: await this.#begin(), rest: undefined };
      this.#cursor = cursor;
      return { items: [{ cursor: writeCursor(cursor), update: undefined }], phase: 'behind' };
    }
    const { from, rest } = this.#cursor;
    const page = await readUpdates({
      ...{ database: this.#database, followed: this.#followed, from, rest, limit: pageSize },
    });
    const { updates, snapshot, more } = page;
    // This server has never got that far: the cursor is of another one, such as before a backup was restored.
    if ((rest?.until ?? from).ceiling > snapshot.ceiling) throw notOurs();
    const until = rest?.until ?? snapshot;
    const end: Cursor = more ? { from, rest: { until, place: placeOf(updates) } } : { from: until, rest: undefined };
    this.#cursor = end;
    const caughtUp = !more && rest === undefined;
    return { items: withCursors(updates, from, until, end), phase: caughtUp ? 'live' : 'behind' };
  }

  take({ to, updates }: Batch): Step<UpdateWithCursor> {
    const from = this.#cursor?.from;
    if (from === undefined || this.#cursor?.rest !== undefined) return { items: [], phase: 'behind' };
    const fresh = updates.filter(({ transaction }) => !shows(from, transaction));
    const until = laterOf(from, to);
    const end: Cursor = { from: until, rest: undefined };
    this.#cursor = end;
    return { items: withCursors(fresh, from, until, end), phase: 'live' };
  }
}

/** The last one has the cursor at which the next read begins. */
function withCursors(
  updates: readonly PlacedUpdate[],
  from: Snapshot,
  until: Snapshot,
  end: Cursor,
): UpdateWithCursor[] {
  return updates.map((update, index) => {
    const cursor = index === updates.length - 1 ? end : { from, rest: { until, place: update } };
    return { cursor: writeCursor(cursor), update };
  });
}

function placeOf(updates: readonly PlacedUpdate[]): Place {
  const last = updates.at(-1);
  if (last === undefined) throw new Error('a page with more behind it cannot be empty');
  return last;
}
