import type { RuntimeId, Tenant } from '../../domain/ids.ts';
import type { ClusterDriverKind } from '../../domain/runtime.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

/** The part of a Runtime that tells whether its cluster is where it should be. */
export interface ExpectedCluster {
  readonly runtimeId: RuntimeId;
  readonly tenant: Tenant;
  readonly driver: ClusterDriverKind;
  /** Upstream. */
  readonly name: string;
  /** It is known to be gone. */
  readonly lost: boolean;
}

/**
 * A cluster is expected when it has been there (it had a domain or a Seed, or somebody has seen it) and nothing of ours
 * explains its absence: an operation in progress, a creation that may still take effect, a deprovisioning that got so
 * far before it failed.
 */
const isExpected = `deleted_at IS NULL AND (creation_settles_at IS NULL OR creation_settles_at < now())
    AND EXISTS (
      SELECT FROM runtime_listing
      WHERE runtime_id = runtime.id AND operation_state <> 'InProgress' AND operation_kind <> 'Deprovision'
    )`;

const expected = statement<{
  id: RuntimeId;
  tenant: Tenant;
  driver: ClusterDriverKind;
  cluster_name: string;
  lost: boolean;
}>(
  'expected-clusters',
  `SELECT id, tenant, driver, cluster_name, lost_at IS NOT NULL AS lost FROM runtime
  WHERE driver = ANY ($1) AND deleted_at IS NULL
    AND (lost_at IS NOT NULL OR (domain IS NOT NULL OR seed IS NOT NULL OR id = $2) AND ${isExpected})
    AND ($2::uuid IS NULL OR id = $2)`,
);

/** Clusters that should be there, and those that are known to be gone; of one Runtime only, whose cluster was seen. */
export async function expectedClusters(options: {
  readonly database: Database;
  readonly drivers: readonly ClusterDriverKind[];
  readonly seen?: string;
}): Promise<readonly ExpectedCluster[]> {
  const { database, drivers, seen } = options;
  const rows = await database.run(expected, [drivers, seen ?? null]);
  return rows.map(({ id, tenant, driver, cluster_name: name, lost }) => ({
    runtimeId: id,
    tenant,
    driver,
    name,
    lost,
  }));
}

/** Accepting an operation waits for this lock, so one that was accepted before is seen by what follows. */
const lock = statement<{ id: string }>(
  'lock-runtime-to-mark',
  'SELECT id FROM runtime WHERE id = $1 AND lost_at IS NULL FOR NO KEY UPDATE',
);
const mark = statement<{ lost_at: Date }>(
  'mark-lost',
  `UPDATE runtime SET lost_at = now(), updated_at = now() WHERE id = $1 AND ${isExpected} RETURNING lost_at`,
);
const unmark = statement<{ id: string }>(
  'unmark-lost',
  'UPDATE runtime SET lost_at = NULL, updated_at = now() WHERE id = $1 AND lost_at IS NOT NULL RETURNING id',
);

/** Undefined when it is marked already, or when something of ours explains the absence after all. */
export async function markLost(options: {
  readonly database: Database;
  readonly runtimeId: RuntimeId;
}): Promise<Date | undefined> {
  const { database, runtimeId } = options;
  return database.transaction(async (transaction) => {
    const [locked] = await transaction.run(lock, [runtimeId]);
    if (locked === undefined) return undefined;
    const [marked] = await transaction.run(mark, [runtimeId]);
    return marked?.lost_at;
  });
}

/** False when it was not marked. */
export async function unmarkLost(options: {
  readonly database: Database;
  readonly runtimeId: RuntimeId;
}): Promise<boolean> {
  const { database, runtimeId } = options;
  const unmarked = await database.run(unmark, [runtimeId]);
  return unmarked.length > 0;
}
