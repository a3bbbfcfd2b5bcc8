import type { RuntimeId, Tenant } from '../domain/ids.ts';
import type { KymaInstallation, KymaInstallerKind } from '../domain/kyma-config.ts';
import type { ClusterRecord, NewRuntime, Runtime } from '../domain/runtime.ts';
import type { ColumnCipher } from './encryption.ts';
import { openKymaConfig, type SealedKymaConfig, sealKymaConfig } from './kyma-config-sealing.ts';

/** What a SELECT with `runtimeColumns` answers. */
export interface RuntimeRow extends SealedRuntimeRow {
  readonly runtime_kyma_plan: unknown;
}

/** What a SELECT with `sealedRuntimeColumns` answers. */
export interface SealedRuntimeRow {
  readonly runtime_id: string;
  readonly runtime_tenant: string;
  readonly runtime_sub_account: string | null;
  readonly runtime_name: string;
  readonly runtime_description: string | null;
  readonly runtime_labels: Record<string, unknown>;
  readonly runtime_registration: string;
  readonly runtime_driver: string;
  readonly runtime_cluster_name: string;
  readonly runtime_cluster_config: ClusterRecord['config'];
  readonly runtime_domain: string | null;
  readonly runtime_seed: string | null;
  readonly runtime_creation_settles_at: Date | null;
  readonly runtime_lost_at: Date | null;
  readonly runtime_kyma_installer: string | null;
  readonly runtime_kyma_config: SealedKymaConfig | null;
  readonly runtime_administrators: string[];
  readonly runtime_configuration_revision: number;
  readonly runtime_created_at: Date;
  readonly runtime_deleted_at: Date | null;
}

const columns = [
  ...['id', 'tenant', 'sub_account', 'name', 'description', 'labels', 'registration'],
  ...['driver', 'cluster_name', 'cluster_config', 'domain', 'seed', 'creation_settles_at'],
  ...['kyma_installer', 'kyma_config', 'administrators', 'configuration_revision', 'created_at', 'deleted_at'],
  'lost_at',
];

/** The columns of a SealedRuntime, named so that they stand beside those of an operation. */
export const sealedRuntimeColumns = columns.map((column) => `runtime.${column} AS runtime_${column}`).join(', ');
/** The columns of a Runtime. */
export const runtimeColumns = `${sealedRuntimeColumns}, runtime.kyma_plan AS runtime_kyma_plan`;

/** A Runtime to be shown: confidential entries stay sealed, and what only an installer opens is left out. */
export type SealedRuntime = Omit<Runtime, 'kyma'> & {
  readonly kymaConfig: SealedKymaConfig | undefined;
  /** Undefined without Kyma. */
  readonly kymaInstaller: KymaInstallerKind | undefined;
};

/** Opens confidential entries; throws EncryptionError when they were tampered with. */
export function runtimeFromRow(row: RuntimeRow, cipher: ColumnCipher | undefined): Runtime {
  return { ...ownColumns(row), kyma: kymaFromRow(row, cipher) };
}

export function sealedRuntimeFromRow(row: SealedRuntimeRow): SealedRuntime {
  return {
    ...ownColumns(row),
    kymaConfig: row.runtime_kyma_config ?? undefined,
    kymaInstaller: (row.runtime_kyma_installer ?? undefined) as KymaInstallerKind | undefined,
  };
}

function ownColumns(row: SealedRuntimeRow): Omit<Runtime, 'kyma'> {
  return {
    id: row.runtime_id as RuntimeId,
    tenant: row.runtime_tenant as Tenant,
    subAccount: row.runtime_sub_account ?? undefined,
    name: row.runtime_name,
    description: row.runtime_description ?? undefined,
    labels: row.runtime_labels,
    registration: row.runtime_registration as Runtime['registration'],
    // The columns belong together: a driver's configuration is written by nobody else.
    cluster: {
      driver: row.runtime_driver,
      name: row.runtime_cluster_name,
      config: row.runtime_cluster_config,
      domain: row.runtime_domain ?? undefined,
      seed: row.runtime_seed ?? undefined,
      ...(row.runtime_creation_settles_at && { settlesAt: row.runtime_creation_settles_at }),
    } as ClusterRecord,
    administrators: row.runtime_administrators,
    configurationRevision: row.runtime_configuration_revision,
    createdAt: row.runtime_created_at,
    deletedAt: row.runtime_deleted_at ?? undefined,
    ...(row.runtime_lost_at && { lostAt: row.runtime_lost_at }),
  };
}

/** The values of a new row, in the order of `newRuntimeColumns`. */
export function newRuntimeValues(runtime: NewRuntime, cipher: ColumnCipher | undefined): readonly unknown[] {
  const { cluster, kyma } = runtime;
  return [
    ...[runtime.id, runtime.tenant, runtime.subAccount ?? null, runtime.name, runtime.description ?? null],
    ...[JSON.stringify(runtime.labels), runtime.registration, cluster.driver, cluster.name],
    ...[JSON.stringify(cluster.config), cluster.config.provider, cluster.config.region],
    ...[cluster.config.kubernetesVersion ?? null, cluster.domain ?? null, cluster.seed ?? null],
    ...[kyma?.installer ?? null, kyma?.config.version ?? null],
    kyma === undefined ? null : JSON.stringify(sealKymaConfig(kyma.config, { cipher, runtimeId: runtime.id })),
    kyma?.plan === undefined ? null : JSON.stringify(kyma.plan),
    [...runtime.administrators],
  ];
}

export const newRuntimeColumns = [
  ...['id', 'tenant', 'sub_account', 'name', 'description', 'labels', 'registration', 'driver', 'cluster_name'],
  ...['cluster_config', 'provider', 'region', 'kubernetes_version', 'domain', 'seed'],
  ...['kyma_installer', 'kyma_version', 'kyma_config', 'kyma_plan', 'administrators'],
] as const;

function kymaFromRow(row: RuntimeRow, cipher: ColumnCipher | undefined): KymaInstallation | undefined {
  if (row.runtime_kyma_installer === null || row.runtime_kyma_config === null) return undefined;
  return {
    installer: row.runtime_kyma_installer as KymaInstallerKind,
    config: openKymaConfig(row.runtime_kyma_config, { cipher, runtimeId: row.runtime_id }),
    plan: row.runtime_kyma_plan ?? undefined,
  };
}
