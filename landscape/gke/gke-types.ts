/** The part of the API's resources that the landscape plays, as they are on the wire. */
export interface ClusterJson {
  readonly name: string;
  readonly id: string;
  readonly location: string;
  readonly locations: readonly string[];
  readonly selfLink: string;
  readonly createTime: string;
  readonly network: string;
  readonly subnetwork: string;
  readonly initialClusterVersion: string;
  status: ClusterStatus;
  statusMessage?: string;
  conditions?: readonly { code?: string; canonicalCode?: string; message?: string }[];
  endpoint?: string;
  masterAuth?: { clusterCaCertificate: string };
  currentMasterVersion: string;
  currentNodeVersion: string;
  currentNodeCount?: number;
  nodePools: NodePoolJson[];
  resourceLabels?: Readonly<Record<string, string>>;
  labelFingerprint: string;
  etag: string;
  /** Whatever else was asked for, kept as it came. */
  [field: string]: unknown;
}

export type ClusterStatus = 'PROVISIONING' | 'RUNNING' | 'RECONCILING' | 'STOPPING' | 'ERROR' | 'DEGRADED';

export interface NodePoolJson {
  name: string;
  status: 'PROVISIONING' | 'RUNNING' | 'RUNNING_WITH_ERROR' | 'RECONCILING' | 'STOPPING' | 'ERROR';
  version: string;
  initialNodeCount: number;
  locations: readonly string[];
  config: Record<string, unknown>;
  selfLink: string;
  etag: string;
  [field: string]: unknown;
}

export type OperationType =
  | 'CREATE_CLUSTER'
  | 'DELETE_CLUSTER'
  | 'UPGRADE_MASTER'
  | 'UPGRADE_NODES'
  | 'UPDATE_CLUSTER'
  | 'SET_LABELS'
  | 'CREATE_NODE_POOL'
  | 'DELETE_NODE_POOL'
  | 'SET_NODE_POOL_SIZE'
  | 'REPAIR_CLUSTER';

export interface OperationJson {
  readonly name: string;
  readonly operationType: OperationType;
  readonly zone: string;
  readonly location: string;
  readonly selfLink: string;
  readonly targetLink: string;
  readonly startTime: string;
  status: 'PENDING' | 'RUNNING' | 'DONE' | 'ABORTING';
  endTime?: string;
  progress?: { name: string; status: string; metrics: { name: string; intValue: string }[] };
  detail?: string;
  /** Deprecated, and still filled. */
  statusMessage?: string;
  error?: { code: number; message: string };
}
