import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Obstacle } from '../../domain/outcome.ts';
import type { ClusterObservation, ClusterRevision } from '../cluster-driver.ts';
import type { ClusterPoller } from './cluster-poller.ts';
import {
  type ClusterStep,
  type DesiredCluster,
  nextStep,
  readRevision,
  stepRequest,
  tellStep,
} from './cluster-steps.ts';
import type { GkeClient } from './gke-client.ts';
import { isBusy } from './gke-error.ts';
import { type GkeOrder, placeOf } from './gke-order.ts';
import type { GkeClusterState, GkeOperationState } from './gke-resources.ts';
import { judgeCluster } from './judge-cluster.ts';
import type { OwnClusters } from './own-clusters.ts';
import { throwRefusal } from './refusal.ts';

export interface ClusterObserverSettings {
  readonly client: GkeClient;
  readonly clusters: OwnClusters;
  /** Told of every cluster that is not at rest. */
  readonly poller: ClusterPoller;
  /** After a step of a change failed, before it is sent again. */
  readonly retryMilliseconds: number;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ClusterObserver {
  observe(order: GkeOrder, signal: AbortSignal, since: ClusterRevision | undefined): Promise<ClusterObservation>;
  /** Sends one change. A cluster that GKE is busy with gets it when it is looked at next. */
  take(order: GkeOrder, step: ClusterStep, signal: AbortSignal): Promise<void>;
}

/** Looks at clusters, and follows those that are in the making. */
export function clusterObserver({
  client,
  clusters: { read, isOurs, readOwn, atWork, lastFailed },
  poller,
  retryMilliseconds,
  clock,
  log,
}: ClusterObserverSettings): ClusterObserver {
  /** A read may not know yet a cluster that was asked for a moment ago; the operation that makes it is known. */
  async function observeAbsent(order: GkeOrder, signal: AbortSignal): Promise<ClusterObservation> {
    const operation = await atWork(order, signal);
    if (operation?.operationType !== 'CREATE_CLUSTER') {
      // It may have become known since, as its operation ended.
      const cluster = await readOwn(order, signal);
      return cluster ? observePlainly(order, cluster, signal) : { state: 'absent' };
    }
    poller.follow(order);
    return { state: 'changing', message: 'Google Kubernetes Engine has begun to make the cluster' };
  }

  async function observePlainly(
    order: GkeOrder,
    cluster: GkeClusterState,
    signal: AbortSignal,
  ): Promise<ClusterObservation> {
    const seen = judgeCluster({ order, cluster });
    if (seen.state === 'changing' || seen.state === 'deleting') {
      poller.follow(order);
      return judgeCluster({ order, cluster, operation: await atWork(order, signal) });
    }
    if (seen.state !== 'failed') return seen;
    return judgeCluster({ order, cluster, operation: await lastFailed(order, signal) });
  }

  async function take(order: GkeOrder, step: ClusterStep, signal: AbortSignal): Promise<void> {
    const { name } = order.cluster;
    log.info({ cluster: name, runtimeId: order.runtimeId, step }, 'changing a GKE cluster');
    const begun =
      step.kind === 'resize'
        ? client.setNodePoolSize(placeOf(order), { cluster: name, name: step.pool, nodeCount: step.nodeCount }, signal)
        : client.updateCluster(placeOf(order), name, stepRequest(step), signal);
    await begun.catch((error: unknown) => {
      if (!isBusy(error)) throwRefusal(error);
    });
    poller.follow(order);
  }

  /** GKE takes one change at a time, so whoever looks at a change sends its next part. */
  async function observeChange(
    order: GkeOrder,
    cluster: GkeClusterState,
    desired: DesiredCluster,
    signal: AbortSignal,
  ): Promise<ClusterObservation> {
    const seen = await observePlainly(order, cluster, signal);
    if (seen.state !== 'ready') return seen;
    const changing = (message: string): ClusterObservation => ({ ...seen, state: 'changing', message });
    const running = await atWork(order, signal);
    if (running || cluster.status === 'RECONCILING') {
      poller.follow(order);
      const what = running ? `${running.operationType ?? 'an operation'} (${running.name})` : 'work of its own';
      return changing(`Google Kubernetes Engine is busy on the cluster with ${what}`);
    }
    const step = nextStep(cluster, desired);
    if (!step) return seen;
    const failed = await lastFailed(order, signal);
    if (failed && clock.now() - Date.parse(failed.endTime ?? '') < retryMilliseconds) {
      return { ...changing(`${tellFailed(failed)}; trying again soon`), ...obstacleOf(failed) };
    }
    await take(order, step, signal);
    return changing(`Google Kubernetes Engine ${tellStep(step)}`);
  }

  return {
    async observe(order, signal, since) {
      const cluster = await read(order, signal);
      if (!cluster) return observeAbsent(order, signal);
      if (!isOurs(order, cluster)) return { state: 'absent' };
      if (since === undefined) return observePlainly(order, cluster, signal);
      return observeChange(order, cluster, readRevision(since), signal);
    },
    take,
  };
}

function tellFailed({ operationType = 'an operation', error }: GkeOperationState): string {
  return `${operationType} failed: ${error?.message ?? 'Google Kubernetes Engine gives no reason'}`;
}

/** Told as the cause when the time limit passes meanwhile. */
function obstacleOf({ error }: GkeOperationState): { readonly obstacle: Obstacle } {
  const reason = error?.code === undefined ? {} : { reason: `rpc code ${error.code}` };
  const nextStep = 'Do what the message asks for in the Google Cloud project; then send retryOperation.';
  return { obstacle: { code: 'CLUSTER_FAILED_PROVIDER', ...reason, nextStep } };
}
