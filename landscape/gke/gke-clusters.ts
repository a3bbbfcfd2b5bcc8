import { randomBytes } from 'node:crypto';
import type { Pace } from '../pace.ts';
import type { RuntimeClusters } from '../runtime-cluster/runtime-clusters.ts';
import type { CloudResources } from './cloud-resources.ts';
import { judgeCreateRequest, judgeLabels, judgeNodePool, judgeNodeVersion } from './create-request.ts';
import { GkeError } from './gke-error.ts';
import type { GkeFates } from './gke-fates.ts';
import { GkeOperations, kindOf, linkTo, type Place } from './gke-operations.ts';
import { checkLocation, checkMachineType, nodeLocations } from './gke-places.ts';
import type { ClusterJson, NodePoolJson, OperationJson, OperationType } from './gke-types.ts';
import { compareVersions, minorsBetween, resolveVersion } from './gke-versions.ts';
import { carryOut, type StoredCluster, type Work } from './gke-work.ts';
import type { GoogleIdentities } from './google-identities.ts';

// biome-ignore lint/suspicious/noExplicitAny: a body is judged field by field
type Json = any;

export interface GkeClustersOptions {
  readonly clusters: RuntimeClusters;
  readonly cloud: CloudResources;
  readonly identities: GoogleIdentities;
  readonly fates: GkeFates;
  readonly pace: Pace;
  /** PEM. */
  readonly authority: string;
}

const labelsOfNodes = 'cloud.google.com/gke-nodepool';

/**
 * Google Kubernetes Engine: clusters, and operations that change them one at a time.
 *
 * PROVISIONING → RUNNING ⇄ RECONCILING → STOPPING → gone; ERROR when a creation or deletion failed.
 */
export class GkeClusters {
  readonly operations = new GkeOperations();
  readonly #options: GkeClustersOptions;
  readonly #clusters = new Map<string, StoredCluster>();

  constructor(options: GkeClustersOptions) {
    this.#options = options;
    options.fates.onChange(() => {
      for (const cluster of this.#clusters.values()) this.#followFate(cluster);
    });
  }

  all(): readonly { readonly project: string; readonly technicalId: string; readonly json: ClusterJson }[] {
    return [...this.#clusters.values()];
  }

  list(place: Place): readonly ClusterJson[] {
    const found = [...this.#clusters.values()].filter(
      ({ project, location, hiddenReads }) =>
        project === place.project && (place.location === '-' || location === place.location) && hiddenReads === 0,
    );
    return found.map(({ json }) => json);
  }

  read(place: Place, name: string): ClusterJson {
    const cluster = this.#find(place, name);
    if (cluster.hiddenReads > 0) {
      cluster.hiddenReads -= 1;
      throw notFound(place, name);
    }
    return cluster.json;
  }

  create(place: Place, body: Json): OperationJson {
    checkLocation(place.location);
    const accepted = judgeCreateRequest(body, place.location);
    const { name } = body.cluster;
    const key = keyOf(place, name);
    if (this.#clusters.has(key)) {
      const message = `Already exists: projects/${place.project}/${kindOf(place.location)}/${place.location}/clusters/${name}.`;
      throw new GkeError('ALREADY_EXISTS', message);
    }
    const fate = this.#options.fates.of(name);
    const cluster: StoredCluster = {
      ...place,
      technicalId: `gke--${place.project}--${place.location}--${name}`,
      hiddenReads: fate?.kind === 'appearsLate' ? fate.reads : 0,
      json: {
        ...body.cluster,
        id: randomBytes(32).toString('hex'),
        location: place.location,
        zone: place.location,
        locations: nodeLocations(place.location),
        selfLink: linkTo(place, `clusters/${name}`),
        createTime: new Date().toISOString(),
        network: body.cluster.network ?? 'default',
        subnetwork: body.cluster.subnetwork ?? 'default',
        releaseChannel: body.cluster.releaseChannel ?? { channel: 'REGULAR' },
        initialClusterVersion: accepted.version,
        currentMasterVersion: accepted.version,
        currentNodeVersion: accepted.version,
        status: 'PROVISIONING',
        nodePools: accepted.nodePools.map((pool) => this.#newPool(place, name, pool)),
        resourceLabels: accepted.resourceLabels,
        labelFingerprint: fingerprint(),
        etag: randomBytes(8).toString('hex'),
      },
    };
    const operation = this.operations.begin(place, name, 'CREATE_CLUSTER');
    this.#clusters.set(key, cluster);
    this.#work({
      ...{ cluster, operation, steps: 4, pace: 'gkeCreation' },
      effect: () => {
        const { clusters, authority } = this.#options;
        const { external } = clusters.start(cluster.technicalId, cluster.json.currentMasterVersion);
        cluster.json.endpoint = external.replace('https://', '');
        cluster.json.masterAuth = { clusterCaCertificate: Buffer.from(authority).toString('base64') };
        cluster.json.status = 'RUNNING';
        for (const pool of cluster.json.nodePools) this.#rollOut(cluster, pool);
        this.#letIn(cluster);
        this.#options.cloud.follow(cluster.technicalId);
        this.#followFate(cluster);
      },
    });
    return operation;
  }

  delete(place: Place, name: string): OperationJson {
    const cluster = this.#find(place, name);
    const operation = this.#begin(cluster, 'DELETE_CLUSTER');
    cluster.json.status = 'STOPPING';
    this.#work({ ...{ cluster, operation, steps: 4, pace: 'gkeDeletion' }, effect: () => this.#remove(cluster) });
    return operation;
  }

  /** PUT of the cluster, one change per request; also `:updateMaster`. */
  update(place: Place, name: string, update: Json): OperationJson {
    const cluster = this.#find(place, name);
    const changes = Object.keys(update ?? {}).filter(
      (field) => field.startsWith('desired') && field !== 'desiredNodePoolId',
    );
    if (changes.length !== 1) throw invalid('Exactly one update can be applied to a cluster with each request.');
    if (update.desiredMasterVersion !== undefined) return this.#upgradeMaster(cluster, update.desiredMasterVersion);
    if (update.desiredNodeVersion === undefined) throw invalid(`${changes[0]} is not played by this landscape.`);
    const pools = cluster.json.nodePools;
    const pool = update.desiredNodePoolId ? this.#pool(cluster, update.desiredNodePoolId) : pools[0];
    if (!pool || (!update.desiredNodePoolId && pools.length > 1)) throw invalid('Node pool ID is required.');
    const version = judgeNodeVersion(update.desiredNodeVersion, cluster.json.currentMasterVersion);
    return this.#changePool(cluster, pool, 'UPGRADE_NODES', () => {
      pool.version = version;
      cluster.json.currentNodeVersion = version;
    });
  }

  setLabels(place: Place, name: string, { resourceLabels = {}, labelFingerprint }: Json): OperationJson {
    const cluster = this.#find(place, name);
    if (labelFingerprint !== cluster.json.labelFingerprint) {
      throw new GkeError('FAILED_PRECONDITION', 'Labels could not be set due to fingerprint mismatch.');
    }
    judgeLabels(resourceLabels);
    const operation = this.#begin(cluster, 'SET_LABELS');
    this.#work({
      ...{ cluster, operation, steps: 1, pace: 'gkeChange' },
      effect: () => {
        cluster.json.resourceLabels = resourceLabels;
        cluster.json.labelFingerprint = fingerprint();
      },
    });
    return operation;
  }

  nodePool(place: Place, name: string, pool: string): NodePoolJson {
    return this.#pool(this.#find(place, name), pool);
  }

  createNodePool(place: Place, name: string, { nodePool }: Json): OperationJson {
    const cluster = this.#find(place, name);
    const { location } = place;
    const accepted = judgeNodePool(nodePool, { location, masterVersion: cluster.json.currentMasterVersion });
    if (cluster.json.nodePools.some((pool) => pool.name === accepted.name)) {
      throw new GkeError('ALREADY_EXISTS', `Already exists: node pool ${accepted.name}.`);
    }
    const operation = this.#begin(cluster, 'CREATE_NODE_POOL');
    const pool = this.#newPool(place, name, accepted);
    cluster.json.nodePools.push(pool);
    this.#work({
      ...{ cluster, operation, steps: 2, pace: 'gkeChange' },
      effect: () => this.#rollOut(cluster, pool),
    });
    return operation;
  }

  deleteNodePool(place: Place, name: string, poolName: string): OperationJson {
    const cluster = this.#find(place, name);
    const pool = this.#pool(cluster, poolName);
    return this.#changePool(cluster, pool, 'DELETE_NODE_POOL', () => {
      cluster.json.nodePools = cluster.json.nodePools.filter((other) => other !== pool);
      this.#setNodes(cluster, { ...pool, initialNodeCount: 0 });
    });
  }

  /** PUT of a node pool: new machines replace the old ones. */
  updateNodePool(place: Place, name: string, poolName: string, body: Json): OperationJson {
    const cluster = this.#find(place, name);
    const pool = this.#pool(cluster, poolName);
    const { nodeVersion, machineType, diskSizeGb } = body;
    if (machineType) checkMachineType(machineType, pool.locations[0] ?? place.location);
    const version = nodeVersion ? judgeNodeVersion(nodeVersion, cluster.json.currentMasterVersion) : pool.version;
    return this.#changePool(cluster, pool, 'UPGRADE_NODES', () => {
      pool.version = version;
      pool.config = {
        ...pool.config,
        ...(machineType && { machineType }),
        ...(diskSizeGb && { diskSizeGb: Number(diskSizeGb) }),
      };
    });
  }

  setSize(place: Place, name: string, poolName: string, { nodeCount }: Json): OperationJson {
    const cluster = this.#find(place, name);
    const pool = this.#pool(cluster, poolName);
    if (!Number.isInteger(nodeCount) || nodeCount < 0)
      throw invalid(`Invalid value for field "node_count": "${nodeCount}".`);
    return this.#changePool(cluster, pool, 'SET_NODE_POOL_SIZE', () => {
      pool.initialNodeCount = nodeCount;
    });
  }

  #upgradeMaster(cluster: StoredCluster, asked: string): OperationJson {
    const { json } = cluster;
    const version = resolveVersion(asked, 'Master');
    const minors = minorsBetween(json.currentMasterVersion, version);
    if (minors < 0) throw invalid(`Master cannot be downgraded from "${json.currentMasterVersion}" to "${version}".`);
    if (minors > 1) {
      throw invalid(
        `Master cannot be upgraded to "${version}": cannot upgrade the master more than one minor version at a time.`,
      );
    }
    const oldest = json.nodePools.map((pool) => pool.version).toSorted(compareVersions)[0] ?? version;
    if (minorsBetween(oldest, version) > 2) {
      throw invalid(`Master cannot be upgraded to "${version}": node version "${oldest}" would be too old.`);
    }
    const operation = this.#begin(cluster, 'UPGRADE_MASTER');
    json.status = 'RECONCILING';
    this.#work({
      ...{ cluster, operation, steps: 2, pace: 'gkeChange' },
      effect: () => {
        json.currentMasterVersion = version;
        json.status = 'RUNNING';
        this.#options.clusters.start(cluster.technicalId, version);
        this.#followFate(cluster);
      },
    });
    return operation;
  }

  #changePool(cluster: StoredCluster, pool: NodePoolJson, type: OperationType, change: () => void): OperationJson {
    const operation = this.#begin(cluster, type);
    cluster.json.status = 'RECONCILING';
    pool.status = 'RECONCILING';
    this.#work({
      ...{ cluster, operation, steps: 2, pace: 'gkeChange' },
      effect: () => {
        change();
        cluster.json.status = 'RUNNING';
        this.#followFate(cluster);
        if (cluster.json.nodePools.includes(pool)) this.#rollOut(cluster, pool);
      },
    });
    return operation;
  }

  #begin(cluster: StoredCluster, type: OperationType): OperationJson {
    const { name } = cluster.json;
    if (cluster.json.status === 'STOPPING' && type !== 'DELETE_CLUSTER') {
      throw new GkeError('FAILED_PRECONDITION', `Cluster ${name} is being deleted.`);
    }
    if (cluster.json.status === 'ERROR' && type !== 'DELETE_CLUSTER') {
      throw new GkeError('FAILED_PRECONDITION', `Cluster ${name} is in the state ERROR, and can only be deleted.`);
    }
    if (this.#options.fates.of(name)?.kind === 'repairing' && cluster.json.status === 'RECONCILING') {
      const message = `Cluster is running incompatible operation REPAIR_CLUSTER. Please wait and try again once it is done.`;
      throw new GkeError('FAILED_PRECONDITION', message, 'CLUSTER_ALREADY_HAS_OPERATION');
    }
    return this.operations.begin(cluster, name, type);
  }

  #work(work: Work): void {
    const { fates, pace } = this.#options;
    const { operations } = this;
    void carryOut(work, { fates, pace, operations, remove: (cluster) => this.#remove(cluster) });
  }

  #remove(cluster: StoredCluster): void {
    this.#options.cloud.abandon(cluster.technicalId);
    this.#options.clusters.destroy(cluster.technicalId);
    this.#clusters.delete(keyOf(cluster, cluster.json.name));
  }

  /** What happens to a cluster at rest without anybody asking for it. */
  #followFate(cluster: StoredCluster): void {
    const { json } = cluster;
    if (this.operations.running(cluster, json.name) && json.status !== 'RUNNING') return;
    if (!['RUNNING', 'RECONCILING', 'DEGRADED'].includes(json.status)) return;
    const fate = this.#options.fates.of(json.name);
    delete json.conditions;
    if (fate?.kind === 'repairing') json.status = 'RECONCILING';
    else if (fate?.kind === 'degraded') {
      const { code = 'CA_EXPIRING', message = 'The cluster certificate authority is about to expire.' } = fate;
      json.status = 'DEGRADED';
      json.conditions = [{ code, canonicalCode: 'FAILED_PRECONDITION', message }];
    } else json.status = 'RUNNING';
  }

  /** Google's tokens are good in the cluster; whoever may change clusters may do everything in it. */
  #letIn({ technicalId }: StoredCluster): void {
    const { clusters, identities } = this.#options;
    clusters.find(technicalId)?.api.tokens.trust((token) => {
      const identity = identities.identify(token);
      const groups = ['system:authenticated'];
      return identity && { name: identity.email, groups, ...(identity.role === 'viewer' && { readOnly: true }) };
    });
  }

  #newPool(place: Place, cluster: string, pool: Omit<NodePoolJson, 'selfLink' | 'etag'>): NodePoolJson {
    const selfLink = linkTo(place, `clusters/${cluster}/nodePools/${String(pool.name)}`);
    return { ...pool, selfLink, etag: randomBytes(8).toString('hex') } as NodePoolJson;
  }

  #rollOut(cluster: StoredCluster, pool: NodePoolJson): void {
    pool.status = 'RUNNING';
    this.#setNodes(cluster, pool);
    cluster.json.currentNodeCount = cluster.json.nodePools.reduce(
      (sum, { initialNodeCount, locations }) => sum + initialNodeCount * locations.length,
      0,
    );
  }

  #setNodes({ technicalId }: StoredCluster, { name, initialNodeCount, locations }: NodePoolJson): void {
    this.#options.clusters.setNodes(technicalId, name, initialNodeCount * locations.length, labelsOfNodes);
  }

  #find(place: Place, name: string): StoredCluster {
    const found = this.#clusters.get(keyOf(place, name));
    if (!found) throw notFound(place, name);
    return found;
  }

  #pool({ json, ...place }: StoredCluster, name: string): NodePoolJson {
    const found = json.nodePools.find((pool) => pool.name === name);
    if (found) return found;
    const { project, location } = place;
    throw new GkeError(
      'NOT_FOUND',
      `Not found: projects/${project}/${kindOf(location)}/${location}/clusters/${json.name}/nodePools/${name}.`,
    );
  }
}

function notFound({ project, location }: Place, name: string): GkeError {
  return new GkeError('NOT_FOUND', `Not found: projects/${project}/${kindOf(location)}/${location}/clusters/${name}.`);
}

function keyOf({ project, location }: Place, name: string): string {
  return `${project}/${location}/${name}`;
}

function fingerprint(): string {
  return randomBytes(4).toString('hex');
}

function invalid(message: string): GkeError {
  return new GkeError('INVALID_ARGUMENT', message);
}
