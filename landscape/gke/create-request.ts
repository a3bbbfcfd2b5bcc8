import { GkeError } from './gke-error.ts';
import { checkMachineType, nodeLocations } from './gke-places.ts';
import type { NodePoolJson } from './gke-types.ts';
import { compareVersions, minorsBetween, resolveVersion } from './gke-versions.ts';

// biome-ignore lint/suspicious/noExplicitAny: what clients send is judged field by field
type Json = any;

/** Fields of the API's Cluster that a request may hold; nobody plays most of them. */
const clusterFields = new Set([
  ...['name', 'description', 'initialNodeCount', 'nodeConfig', 'masterAuth', 'loggingService', 'monitoringService'],
  ...['network', 'clusterIpv4Cidr', 'addonsConfig', 'subnetwork', 'nodePools', 'locations', 'enableKubernetesAlpha'],
  ...['resourceLabels', 'legacyAbac', 'networkPolicy', 'ipAllocationPolicy', 'masterAuthorizedNetworksConfig'],
  ...['maintenancePolicy', 'binaryAuthorization', 'autoscaling', 'networkConfig', 'defaultMaxPodsConstraint'],
  ...['privateClusterConfig', 'databaseEncryption', 'verticalPodAutoscaling', 'shieldedNodes', 'releaseChannel'],
  ...['workloadIdentityConfig', 'costManagementConfig', 'notificationConfig', 'confidentialNodes', 'autopilot'],
  ...['loggingConfig', 'monitoringConfig', 'nodePoolDefaults', 'securityPostureConfig', 'controlPlaneEndpointsConfig'],
  ...['initialClusterVersion', 'location', 'zone', 'enableTpu', 'identityServiceConfig', 'meshCertificates'],
]);
const nodePoolFields = new Set([
  ...['name', 'config', 'initialNodeCount', 'locations', 'networkConfig', 'version', 'autoscaling', 'management'],
  ...['maxPodsConstraint', 'upgradeSettings', 'placementPolicy'],
]);
const configFields = new Set([
  ...[
    'machineType',
    'diskSizeGb',
    'oauthScopes',
    'serviceAccount',
    'metadata',
    'imageType',
    'labels',
    'tags',
    'taints',
  ],
  ...['localSsdCount', 'preemptible', 'accelerators', 'diskType', 'minCpuPlatform', 'workloadMetadataConfig', 'spot'],
  ...[
    'shieldedInstanceConfig',
    'bootDiskKmsKey',
    'resourceLabels',
    'loggingConfig',
    'kubeletConfig',
    'linuxNodeConfig',
  ],
]);

const namePattern = /^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/;

export interface AcceptedCluster {
  readonly version: string;
  readonly nodePools: readonly Omit<NodePoolJson, 'selfLink' | 'etag'>[];
  readonly resourceLabels: Readonly<Record<string, string>>;
}

/** Throws what GKE would answer to the request instead of accepting it. */
export function judgeCreateRequest(body: Json, location: string): AcceptedCluster {
  onlyKnown(body, new Set(['cluster', 'parent', 'projectId', 'zone']), '');
  const cluster: Json = body?.cluster;
  if (typeof cluster !== 'object' || cluster === null) throw invalid('Cluster must be set.');
  onlyKnown(cluster, clusterFields, 'cluster');
  if (!namePattern.test(cluster.name ?? '')) {
    throw invalid(
      `Invalid value for field "cluster.name": "${cluster.name ?? ''}". Must be a match of regex '(?:[a-z](?:[-a-z0-9]{0,38}[a-z0-9])?)'`,
    );
  }
  const pools: Json[] = cluster.nodePools ?? [];
  if (pools.length > 0 && (cluster.initialNodeCount !== undefined || cluster.nodeConfig !== undefined)) {
    throw invalid('Cluster.initial_node_count and Cluster.node_config must not be set if Cluster.node_pools is set.');
  }
  if (pools.length === 0 && cluster.initialNodeCount === undefined && !cluster.autopilot?.enabled) {
    throw invalid('Cluster.initial_node_count must be greater than zero.');
  }
  const version = resolveVersion(cluster.initialClusterVersion ?? '', 'Master');
  const given = pools.length > 0 ? pools : [asDefaultPool(cluster)];
  return {
    version,
    nodePools: given.map((pool) => judgeNodePool(pool, { location, masterVersion: version })),
    resourceLabels: judgeLabels(cluster.resourceLabels ?? {}),
  };
}

export function judgeNodePool(
  pool: Json,
  { location, masterVersion }: { location: string; masterVersion: string },
): Omit<NodePoolJson, 'selfLink' | 'etag'> {
  onlyKnown(pool, nodePoolFields, 'cluster.node_pools');
  const { config = {}, initialNodeCount = 0, management, ...more } = pool;
  onlyKnown(config, configFields, 'cluster.node_pools.config');
  if (!namePattern.test(pool.name ?? ''))
    throw invalid(`Invalid value for field "node_pool.name": "${pool.name ?? ''}".`);
  if (!Number.isInteger(initialNodeCount) || initialNodeCount < 0 || initialNodeCount > 1000) {
    throw invalid(`Invalid value for field "node_pool.initial_node_count": "${initialNodeCount}".`);
  }
  const locations: readonly string[] = pool.locations ?? nodeLocations(location);
  const machineType: string = config.machineType ?? 'e2-medium';
  checkMachineType(machineType, locations[0] ?? location);
  const diskSizeGb: number = config.diskSizeGb ?? 100;
  if (diskSizeGb < 10)
    throw invalid(`Invalid value for field "node_pool.config.disk_size_gb": "${diskSizeGb}". Must be at least 10.`);
  return {
    ...more,
    name: pool.name,
    status: 'PROVISIONING',
    version: judgeNodeVersion(pool.version ?? '-', masterVersion),
    initialNodeCount,
    locations,
    config: {
      diskType: 'pd-balanced',
      imageType: 'COS_CONTAINERD',
      serviceAccount: 'default',
      oauthScopes: ['https://www.googleapis.com/auth/devstorage.read_only'],
      ...config,
      machineType,
      diskSizeGb,
    },
    management: { autoUpgrade: true, autoRepair: true, ...management },
  };
}

/** Nodes are never newer than the control plane, and at most two minor versions older. */
export function judgeNodeVersion(asked: string, masterVersion: string): string {
  const version = asked === '-' || asked === '' ? masterVersion : resolveVersion(asked, 'Node');
  if (compareVersions(version, masterVersion) > 0) {
    throw invalid(`Node version "${version}" must not be greater than master version "${masterVersion}".`);
  }
  if (minorsBetween(version, masterVersion) > 2) {
    throw invalid(`Node version "${version}" is too old for master version "${masterVersion}".`);
  }
  return version;
}

export function judgeLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [key, value] of Object.entries(labels)) {
    if (/^[a-z][a-z0-9_-]{0,62}$/.test(key) && /^[a-z0-9_-]{0,63}$/.test(value)) continue;
    throw invalid(
      `Invalid field 'cluster.resource_labels': label "${key}": "${value}" has characters that are not allowed.`,
    );
  }
  return labels;
}

/** Throws for a field that the API does not have. */
export function onlyKnown(body: Json, fields: ReadonlySet<string>, where: string): void {
  for (const name of Object.keys(body ?? {})) {
    if (fields.has(name)) continue;
    const at = where === '' ? '' : ` at '${where}'`;
    throw invalid(`Invalid JSON payload received. Unknown name "${name}"${at}: Cannot find field.`);
  }
}

function asDefaultPool({ initialNodeCount, nodeConfig }: Json): Json {
  return { name: 'default-pool', initialNodeCount, ...(nodeConfig && { config: nodeConfig }) };
}

function invalid(message: string): GkeError {
  return new GkeError('INVALID_ARGUMENT', message);
}
