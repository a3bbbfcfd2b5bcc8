import type { Migration } from 'kysely/migration';
import { runtimesAndOperations } from './0001-runtimes-and-operations.ts';
import { listing } from './0002-listing.ts';
import { liveUpdates } from './0003-live-updates.ts';
import { idempotencyKeys } from './0004-idempotency-keys.ts';
import { cancelAndRetry } from './0005-cancel-and-retry.ts';

/**
 * Every migration, applied in the order of its name and only forward. One that was released is never changed: the next
 * number corrects it. Each must leave the tables usable for the version before it, which runs on during a rollout.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-runtimes-and-operations': { up: runtimesAndOperations },
  '0002-listing': { up: listing },
  '0003-live-updates': { up: liveUpdates },
  '0004-idempotency-keys': { up: idempotencyKeys },
  '0005-cancel-and-retry': { up: cancelAndRetry },
};
