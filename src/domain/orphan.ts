import type { OwnedName } from './owned-objects.ts';

/** Where something may be left that belongs to no Runtime. */
export const orphanSources = ['gardener', 'gke', 'director'] as const;
export type OrphanSource = (typeof orphanSources)[number];

export const orphanReasons = ['RuntimeUnknown', 'RuntimeDeprovisioned', 'NotTheCluster'] as const;
/** `NotTheCluster`: its Runtime exists, and has another cluster. */
export type OrphanReason = (typeof orphanReasons)[number];

/** Something outside that this service has made, and that belongs to no Runtime. */
export interface Orphan extends OwnedName {
  readonly id: string;
  readonly source: OrphanSource;
  /** Where it is searched for. */
  readonly scope: string;
  readonly reason: OrphanReason;
  readonly createdAt: Date | undefined;
  readonly foundAt: Date;
  readonly removalRequestedAt: Date | undefined;
  readonly goneAt: Date | undefined;
  /** Why it could not be removed yet. */
  readonly problem: string | undefined;
}
