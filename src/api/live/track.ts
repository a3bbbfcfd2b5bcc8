import type { PlacedUpdate } from '../../db/queries/follow-updates.ts';
import type { Snapshot } from '../../db/snapshot.ts';

/** The updates of one topic that `to` shows and `from` does not, in their order. */
export interface Batch {
  readonly from: Snapshot;
  readonly to: Snapshot;
  readonly updates: readonly PlacedUpdate[];
}

export interface Step<Item> {
  readonly items: readonly Item[];
  /**
   * `live`: all that came before has been handed out, and what batches bring is next. `behind`: the database has more.
   * `ended`: nothing more will come.
   */
  readonly phase: 'live' | 'behind' | 'ended';
}

/** How far one subscriber has come in what it follows. Each step goes on where the one before ended. */
export interface Track<Item> {
  /** Which batches concern it. */
  readonly topic: string;
  /** From the database. What it throws as a Failure other than DATABASE_UNAVAILABLE is told to the subscriber. */
  read(): Promise<Step<Item>>;
  /** From a batch; what was handed out before is left out. */
  take(batch: Batch): Step<Item>;
}

/** The topics that an update belongs to. */
export function topicsOf({ operationId, runtimeId, tenant }: PlacedUpdate): readonly string[] {
  return [topic.operation(operationId), topic.runtime(runtimeId), topic.tenant(tenant)];
}

export const topic = {
  operation: (id: string) => `operation ${id}`,
  runtime: (id: string) => `runtime ${id}`,
  tenant: (name: string) => `tenant ${name}`,
} as const;

/** Updates of one read for one subscriber. */
export const pageSize = 200;
