import type { OperationId, RuntimeId, Tenant } from '../../domain/ids.ts';
import type { KymaInstallation } from '../../domain/kyma-config.ts';
import type { ClusterDriverKind, ClusterRecord } from '../../domain/runtime.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';
import { openTarget, type StoredTarget } from '../stored-target.ts';

/** What an operation changed, or is to change, with what is confidential still sealed. */
export interface StoredChange {
  readonly before: StoredTarget;
  readonly after: StoredTarget;
  /** Since when the Runtime has had it, or the first part of it. */
  readonly adoptedAt: Date | undefined;
  readonly rolledBackAt: Date | undefined;
  /** Whose it is. */
  readonly cluster: Omit<ClusterRecord, 'config'>;
}

const changeOfOperation = statement<{
  before: StoredTarget;
  after: StoredTarget;
  adopted_at: Date | null;
  rolled_back_at: Date | null;
  driver: ClusterDriverKind;
  cluster_name: string;
  domain: string | null;
  seed: string | null;
}>(
  'configuration-change',
  `SELECT before, after, adopted_at, rolled_back_at, driver, cluster_name, domain, seed
  FROM configuration_change JOIN operation ON operation.id = operation_id JOIN runtime ON runtime.id = runtime_id
  WHERE operation_id = $1 AND operation.tenant = $2`,
);

/** Undefined for an operation that changes nothing of the configuration, does not exist, or is another tenant's. */
export async function findConfigurationChange(options: {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly operationId: OperationId;
}): Promise<StoredChange | undefined> {
  const { database, tenant, operationId } = options;
  const [row] = await database.run(changeOfOperation, [operationId, tenant]);
  if (row === undefined) return undefined;
  const { before, after, adopted_at, rolled_back_at, driver, cluster_name: name, domain, seed } = row;
  return {
    ...{ before, after, adoptedAt: adopted_at ?? undefined, rolledBackAt: rolled_back_at ?? undefined },
    cluster: { driver, name, domain: domain ?? undefined, seed: seed ?? undefined },
  };
}

const newestKymaChange = statement<{ after: StoredTarget }>(
  'newest-kyma-change',
  `SELECT change.after
  FROM operation JOIN configuration_change change ON change.operation_id = operation.id
  JOIN runtime ON runtime.id = operation.runtime_id
  WHERE operation.runtime_id = $1 AND change.after ? 'kyma'
    AND change.after->'kyma'->'plan' IS DISTINCT FROM runtime.kyma_plan
    AND operation.sequence = (
      SELECT max(newest.sequence)
      FROM operation newest JOIN configuration_change ON operation_id = newest.id
      WHERE newest.runtime_id = $1 AND configuration_change.after ? 'kyma'
    )`,
);

/**
 * What the newest upgrade of Kyma was to bring, when the Runtime does not have it: that one failed, or was rolled back,
 * and the cluster may have some of it.
 */
export async function findUnadoptedKyma(options: {
  readonly database: Database;
  readonly runtimeId: RuntimeId;
}): Promise<KymaInstallation | undefined> {
  const { database, runtimeId } = options;
  const [row] = await database.run(newestKymaChange, [runtimeId]);
  return row && openTarget(row.after, { cipher: database.cipher, runtimeId }).kyma;
}
