import { randomBytes } from 'node:crypto';
import type { Pace } from '../pace.ts';
import type { GkeFates } from './gke-fates.ts';
import type { GkeOperations, Place } from './gke-operations.ts';
import type { ClusterJson, OperationJson } from './gke-types.ts';

export interface StoredCluster extends Place {
  readonly json: ClusterJson;
  readonly technicalId: string;
  /** Reads that still do not find it. */
  hiddenReads: number;
}

/** What an operation does to a cluster. */
export interface Work {
  readonly cluster: StoredCluster;
  readonly operation: OperationJson;
  readonly steps: number;
  /** What each step takes. */
  readonly pace: 'gkeCreation' | 'gkeDeletion' | 'gkeChange';
  readonly effect: () => void;
}

interface World {
  readonly fates: GkeFates;
  readonly pace: Pace;
  readonly operations: GkeOperations;
  readonly remove: (cluster: StoredCluster) => void;
}

/** Lets an operation take its time, and then has it take effect, or fail as its cluster is fated to. */
export async function carryOut(work: Work, world: World): Promise<void> {
  const { cluster, operation, steps, pace, effect } = work;
  const { fates, pace: time, operations } = world;
  const { name } = cluster.json;
  for (let step = 0; step < steps; step++) {
    operation.progress = {
      name: 'progress',
      status: 'RUNNING',
      metrics: [
        { name: 'CLUSTER_CONFIGURING', intValue: String(step) },
        { name: 'CLUSTER_CONFIGURING_TOTAL', intValue: String(steps) },
      ],
    };
    await time.pass(pace);
    await fates.whenFree(name, operation.operationType);
  }
  // Nobody reads of an end before the thing itself can be read.
  while (cluster.hiddenReads > 0) await time.pass(pace);
  const fate = fates.of(name);
  if (fate?.kind === 'failed' && (fate.during ?? 'CREATE_CLUSTER') === operation.operationType) {
    return fail(work, world, fate);
  }
  effect();
  cluster.json.etag = randomBytes(8).toString('hex');
  operations.end(operation);
}

async function fail(
  { cluster, operation }: Work,
  { pace, operations, remove }: World,
  { code = 'GCE_STOCKOUT', message, vanishes }: { code?: string; message?: string; vanishes?: boolean },
): Promise<void> {
  const { json } = cluster;
  const words = message ?? errorWords(code, cluster);
  const whole = operation.operationType === 'CREATE_CLUSTER' || operation.operationType === 'DELETE_CLUSTER';
  json.status = whole ? 'ERROR' : 'RUNNING';
  if (whole) {
    json.statusMessage = words;
    json.conditions = [{ code, canonicalCode: 'UNAVAILABLE', message: words }];
  }
  for (const pool of json.nodePools) pool.status = whole ? 'ERROR' : 'RUNNING';
  operations.end(operation, { code: 14, message: words });
  if (vanishes !== true) return;
  await pace.pass('gkeDeletion');
  if (json.status === 'ERROR') remove(cluster);
}

function errorWords(code: string, { json, location }: StoredCluster): string {
  if (code !== 'GCE_STOCKOUT') return `${code}: an error of the landscape`;
  const zone = json.locations[0] ?? location;
  return `Google Compute Engine: The zone 'projects/my-project/zones/${zone}' does not have enough resources available to fulfill the request. '(resource type:compute)'.`;
}
