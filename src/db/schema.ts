import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { RecordedError } from '../domain/failures.ts';
import type { KymaInstallerKind } from '../domain/kyma-config.ts';
import type { OperationKind, OperationState } from '../domain/operation.ts';
import type { OperationEventType } from '../domain/operation-event.ts';
import type { OrphanReason, OrphanSource } from '../domain/orphan.ts';
import type { ClusterDriverKind, ClusterRecord, Runtime } from '../domain/runtime.ts';
import type { SealedKymaConfig } from './kyma-config-sealing.ts';
import type { StoredTarget } from './stored-target.ts';

/** The tables as the migrations leave them; docs/schema.md is printed from the database itself. */
export interface Schema {
  runtime: RuntimeTable;
  runtime_listing: RuntimeListingTable;
  operation: OperationTable;
  operation_event: OperationEventTable;
  configuration_change: ConfigurationChangeTable;
  replica: ReplicaTable;
  registration_intent: RegistrationIntentTable;
  idempotency_key: IdempotencyKeyTable;
  idempotent_acceptance: IdempotentAcceptanceTable;
  kept_kubeconfig: KeptKubeconfigTable;
  kyma_artifact: KymaArtifactTable;
  kyma_catalogue: KymaCatalogueTable;
  installation: InstallationTable;
  orphan_search: OrphanSearchTable;
  orphan: OrphanTable;
}

/** Set by the database when the row is made. */
type MadeAt = ColumnType<Date, never, never>;
type MadeByTrigger<Value> = ColumnType<Value, never, never>;

interface RuntimeTable {
  id: string;
  tenant: string;
  sub_account: string | null;
  name: string;
  description: string | null;
  labels: JSONColumnType<Record<string, unknown>>;
  registration: Runtime['registration'];
  driver: ClusterDriverKind;
  cluster_name: string;
  cluster_config: JSONColumnType<ClusterRecord['config']>;
  cluster_config_version: Generated<number>;
  cluster_place: ColumnType<string, never, never>;
  provider: string;
  region: string;
  kubernetes_version: string | null;
  domain: string | null;
  seed: string | null;
  kyma_installer: KymaInstallerKind | null;
  kyma_version: string | null;
  kyma_config: JSONColumnType<SealedKymaConfig> | null;
  kyma_plan: unknown;
  administrators: string[];
  creation_settles_at: Date | null;
  lost_at: Date | null;
  configuration_revision: Generated<number>;
  created_at: MadeAt;
  updated_at: MadeAt;
  deleted_at: Date | null;
}

/** Written by triggers only. */
interface RuntimeListingTable {
  runtime_id: MadeByTrigger<string>;
  tenant: MadeByTrigger<string>;
  created_at: MadeByTrigger<Date>;
  deleted: MadeByTrigger<boolean>;
  name: MadeByTrigger<string>;
  labels: MadeByTrigger<Record<string, unknown>>;
  provider: MadeByTrigger<string>;
  region: MadeByTrigger<string>;
  kubernetes_version: MadeByTrigger<string | null>;
  kyma_version: MadeByTrigger<string | null>;
  lost: MadeByTrigger<boolean>;
  operation_kind: MadeByTrigger<OperationKind | null>;
  operation_state: MadeByTrigger<OperationState | null>;
}

interface OperationTable {
  id: string;
  sequence: ColumnType<string, never, never>;
  runtime_id: string;
  tenant: MadeByTrigger<string>;
  provider: MadeByTrigger<string>;
  region: MadeByTrigger<string>;
  kind: OperationKind;
  state: OperationState;
  stage: string;
  stage_started_at: MadeAt;
  attempt: Generated<number>;
  looks: Generated<number>;
  failures: Generated<number>;
  message: string;
  progress: number | null;
  notes: JSONColumnType<Record<string, unknown>>;
  last_error: JSONColumnType<RecordedError> | null;
  owner: string | null;
  next_look: MadeAt;
  wake_key: string | null;
  wake_seq: Generated<string>;
  revision: Generated<number>;
  event_count: Generated<number>;
  cancel_requested_at: Date | null;
  cancel_residue: string[] | null;
  retry_of: string | null;
  started_at: MadeAt;
  updated_at: MadeAt;
  ended_at: Date | null;
}

interface OperationEventTable {
  operation_id: string;
  sequence: number;
  at: MadeAt;
  type: OperationEventType;
  stage: string;
  message: string;
  progress: number | null;
  error: JSONColumnType<RecordedError> | null;
  transaction: MadeByTrigger<string | null>;
  position: MadeByTrigger<string | null>;
}

interface ConfigurationChangeTable {
  operation_id: string;
  before: JSONColumnType<StoredTarget>;
  after: JSONColumnType<StoredTarget>;
  adopted_at: Date | null;
  rolled_back_at: Date | null;
}

interface ReplicaTable {
  id: string;
  host: string;
  process: number;
  started_at: MadeAt;
  seen: MadeAt;
}

interface RegistrationIntentTable {
  id: string;
  tenant: string;
  recorded_at: MadeAt;
  claimed_until: Date | null;
}

interface IdempotencyKeyTable {
  tenant: string;
  key: string;
  request_hash: string;
  claim: string | null;
  claimed_until: Date | null;
  answer: string | null;
  created_at: Generated<Date>;
}

interface KymaArtifactTable {
  sha256: string;
  content: Buffer;
  bytes: ColumnType<number, never, never>;
  used_at: Generated<Date>;
}

interface KymaCatalogueTable {
  url: string;
  content: string;
  etag: string | null;
  fetched_at: Generated<Date>;
}

interface KeptKubeconfigTable {
  runtime_id: string;
  role: 'admin' | 'viewer';
  lifetime_seconds: number;
  version: string;
  kubeconfig: string;
  issued_at: Date;
  expires_at: Date;
}

interface InstallationTable {
  single: Generated<boolean>;
  id: Generated<string>;
}

interface OrphanSearchTable {
  source: OrphanSource;
  scope: string;
  due_at: Generated<Date>;
  searched_at: Date | null;
  problem: string | null;
}

interface OrphanTable {
  id: Generated<string>;
  source: OrphanSource;
  scope: string;
  uid: string;
  name: string;
  place: string;
  runtime_id: string;
  tenant_mark: string | null;
  reason: OrphanReason;
  created_at: Date | null;
  found_at: Generated<Date>;
  removal_requested_at: Date | null;
  gone_at: Date | null;
  problem: string | null;
}

interface IdempotentAcceptanceTable {
  tenant: string;
  key: string;
  field: string;
  request_hash: string;
  operation_id: string;
  accepted_at: Generated<Date>;
}
