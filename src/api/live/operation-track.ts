import type { Database } from '../../db/database.ts';
import { operationEvents } from '../../db/queries/operation-events.ts';
import type { Tenant } from '../../domain/ids.ts';
import type { Operation } from '../../domain/operation.ts';
import { type FollowedEvent, type OperationEvent, stateAfter } from '../../domain/operation-event.ts';
import { type Batch, pageSize, type Step, type Track, topic } from './track.ts';

/**
 * The updates of one operation, from the one after `after` to the one that ends it. Within an operation the sequence is
 * also the order of the commits, so it is all that has to be remembered.
 */
export class OperationTrack implements Track<FollowedEvent> {
  readonly topic: string;
  readonly #database: Database;
  readonly #tenant: Tenant;
  readonly #operation: Operation;
  #last: number;

  constructor(options: {
    readonly database: Database;
    readonly tenant: Tenant;
    /** As it is now. */
    readonly operation: Operation;
    readonly after: number;
  }) {
    this.#database = options.database;
    this.#tenant = options.tenant;
    this.#operation = options.operation;
    this.#last = options.after;
    this.topic = topic.operation(options.operation.id);
  }

  async read(): Promise<Step<FollowedEvent>> {
    const { id: operationId, runtimeId, kind, state } = this.#operation;
    const events = await operationEvents({
      ...{ database: this.#database, tenant: this.#tenant, operationId, after: this.#last, limit: pageSize },
    });
    const items = events.map((event) => ({ ...event, runtimeId, kind }));
    if (items.length === 0 && state !== 'InProgress') return { items, phase: 'ended' };
    return this.#advance(items, items.length < pageSize ? 'live' : 'behind');
  }

  take({ updates }: Batch): Step<FollowedEvent> {
    const fresh = updates.filter(({ sequence }) => sequence > this.#last);
    const gap = fresh.some(({ sequence }, index) => sequence !== this.#last + 1 + index);
    if (gap) return { items: [], phase: 'behind' };
    // Also for a subscriber whose `after` lies beyond the end.
    const hasEnded = updates.some(({ type }) => stateAfter(type) !== 'InProgress');
    return this.#advance(fresh, hasEnded ? 'ended' : 'live');
  }

  #advance(items: readonly FollowedEvent[], phase: Step<FollowedEvent>['phase']): Step<FollowedEvent> {
    const last: OperationEvent | undefined = items.at(-1);
    if (last === undefined) return { items, phase };
    this.#last = last.sequence;
    return { items, phase: stateAfter(last.type) === 'InProgress' ? phase : 'ended' };
  }
}
