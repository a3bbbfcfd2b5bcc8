import type { Failure } from '../../domain/failures.ts';
import type { ClusterObservation } from '../cluster-driver.ts';
import { describeSize } from './cluster-request.ts';
import { gkeFailure } from './gke-failure.ts';
import type { GkeOrder } from './gke-order.ts';
import type { GkeClusterState, GkeOperationState } from './gke-resources.ts';

/** Reasons that lie with the cloud, so that another try may do. */
const ofTheCloud = /stockout|resource_pool_exhausted|does not have enough resources|internal|unavailable/i;

/**
 * What a cluster's status means.
 *
 * | status | means |
 * |---|---|
 * | RUNNING, RECONCILING | ready: GKE also reconciles when it upgrades or repairs by itself, and the cluster works |
 * | PROVISIONING, unknown ones | changing |
 * | STOPPING | deleting |
 * | ERROR | failed for good: GKE takes it up no more |
 * | DEGRADED | failed: it works in part, until somebody helps |
 */
export function judgeCluster({
  order,
  cluster,
  operation,
}: {
  readonly order: GkeOrder;
  readonly cluster: GkeClusterState;
  /** The one that GKE carries out on the cluster, or that failed on it last. */
  readonly operation?: GkeOperationState | undefined;
}): ClusterObservation {
  const { status, endpoint, masterAuth } = cluster;
  const known = endpoint === undefined ? {} : { domain: endpoint };
  switch (status) {
    case 'RUNNING':
    case 'RECONCILING':
      if (endpoint === undefined || masterAuth?.clusterCaCertificate === undefined) {
        return { ...known, state: 'changing', message: 'The cluster has no address yet' };
      }
      return { ...known, state: 'ready' };
    case 'STOPPING':
      return { ...known, state: 'deleting', ...tell('Google Kubernetes Engine deletes the cluster', operation) };
    case 'ERROR':
      return { ...known, state: 'failed', beyondRepair: true, failure: failureOf(cluster, operation) };
    case 'DEGRADED':
      return { ...known, state: 'failed', failure: failureOf(cluster, operation) };
    default:
      return {
        ...known,
        state: 'changing',
        ...tell(`Google Kubernetes Engine makes ${describeSize(order)}`, operation),
      };
  }
}

/** The words of the cluster, or else those of the operation that failed on it. */
function failureOf(cluster: GkeClusterState, operation: GkeOperationState | undefined): Failure {
  const { name, status, conditions = [], statusMessage } = cluster;
  const codes = conditions.flatMap(({ code }) => code ?? []);
  const told = conditions.flatMap(({ message }) => message ?? []);
  const words = [...new Set([...told, statusMessage ?? operation?.error?.message ?? ''])].filter(Boolean).join(' ');
  const cure =
    status === 'ERROR'
      ? 'It cannot be repaired: retry the operation, which deletes and makes it again, or deprovision the Runtime.'
      : 'It works in part; do what the message asks for in the Google Cloud project.';
  const code = ofTheCloud.test(`${codes.join()} ${words}`) ? 'CLUSTER_FAILED_PROVIDER' : 'CLUSTER_FAILED';
  const message = `cluster ${name} is in the state ${status}: ${words || 'Google Kubernetes Engine gives no reason.'} ${cure}`;
  return gkeFailure({ code, message, reason: codes.length > 0 ? codes.join(',') : undefined });
}

function tell(words: string, operation: GkeOperationState | undefined): { message: string; progress?: number } {
  const progress = progressOf(operation);
  return progress === undefined ? { message: words } : { message: `${words}, ${progress} %`, progress };
}

/** From metrics in pairs, such as CLUSTER_CONFIGURING and CLUSTER_CONFIGURING_TOTAL. */
function progressOf(operation: GkeOperationState | undefined): number | undefined {
  const metrics = new Map(
    (operation?.progress?.metrics ?? []).flatMap(({ name, intValue }) =>
      name === undefined || intValue === undefined ? [] : [[name, intValue]],
    ),
  );
  let [done, total] = [0, 0];
  for (const [name, value] of metrics) {
    const ofAll = metrics.get(`${name}_TOTAL`);
    if (ofAll === undefined) continue;
    done += value;
    total += ofAll;
  }
  return total > 0 ? Math.min(100, Math.round((100 * done) / total)) : undefined;
}
