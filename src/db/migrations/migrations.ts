import type { Migration } from 'kysely/migration';
import { runtimesAndOperations } from './0001-runtimes-and-operations.ts';
import { listing } from './0002-listing.ts';
import { liveUpdates } from './0003-live-updates.ts';
import { idempotencyKeys } from './0004-idempotency-keys.ts';
import { cancelAndRetry } from './0005-cancel-and-retry.ts';
import { configurationChanges } from './0006-configuration-changes.ts';
import { lostClustersAndKubeconfigs } from './0007-lost-clusters-and-kubeconfigs.ts';
import { fairClaims } from './0008-fair-claims.ts';
import { clustersOfGke } from './0009-clusters-of-gke.ts';
import { orphans } from './0010-orphans.ts';
import { filesOfKyma } from './0011-files-of-kyma.ts';

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
  '0006-configuration-changes': { up: configurationChanges },
  '0007-lost-clusters-and-kubeconfigs': { up: lostClustersAndKubeconfigs },
  '0008-fair-claims': { up: fairClaims },
  '0009-clusters-of-gke': { up: clustersOfGke },
  '0010-orphans': { up: orphans },
  '0011-files-of-kyma': { up: filesOfKyma },
};
