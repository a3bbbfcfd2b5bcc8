import { type Clock, systemClock } from '../../domain/clock.ts';
import type { Logger } from '../../domain/logger.ts';
import type { WakeKey } from '../../domain/outcome.ts';
import type { GkeCluster } from '../../domain/runtime.ts';
import type { CheckedChange, ClusterDriver, ClusterObservation } from '../cluster-driver.ts';
import { clusterLost } from '../cluster-lost.ts';
import { answered, askGoogle, asProblem, nameTaken, problemOf } from './ask-google.ts';
import { desiredBy, judgeChange, ownMistakes } from './check-change.ts';
import { checkGcpConfig } from './check-gcp-config.ts';
import { ClusterPoller } from './cluster-poller.ts';
import { clusterRequest } from './cluster-request.ts';
import { keptVersion, nextStep, revisionOf, stepRequest } from './cluster-steps.ts';
import type { GkeClient } from './gke-client.ts';
import { isAlreadyExists, isNotFound } from './gke-error.ts';
import { type GkeOrder, placeOf } from './gke-order.ts';
import type { GoogleTokens } from './google/google-tokens.ts';
import { issueKubeconfig } from './issue-kubeconfig.ts';
import { judgeCluster } from './judge-cluster.ts';
import { refuseHibernation } from './no-hibernation.ts';
import { clusterObserver } from './observe-cluster.ts';
import { ownClusters } from './own-clusters.ts';
import { ownedGkeClusters } from './owned-gke-clusters.ts';
import { throwRefusal } from './refusal.ts';

export interface GkeDriverSettings {
  readonly client: GkeClient;
  readonly tokens: GoogleTokens;
  /** Between two looks at the clusters of a project that are in the making, in milliseconds. */
  readonly pollMilliseconds?: number;
  /** After a step of a change failed, before it is sent again, in milliseconds. */
  readonly retryMilliseconds?: number;
  readonly clock?: Clock;
  /** Written on each cluster, to tell it from those of other installations of this service; not when not given. */
  readonly installation?: string;
  /** Hears the wake key of each cluster whose state changed. */
  readonly onChange?: (key: WakeKey) => void;
  readonly log: Logger;
}

const clusterIs: Readonly<Record<ClusterObservation['state'], string>> = {
  absent: 'is not there',
  changing: 'is being made',
  ready: 'is ready',
  hibernated: 'is hibernated',
  deleting: 'is being deleted',
  failed: 'has failed',
};

/** A driver that is stopped looks at no cluster by itself any more. */
export interface GkeDriver extends ClusterDriver<GkeCluster> {
  stop(): Promise<void>;
}

/**
 * Clusters straight from Google Kubernetes Engine, each marked with its Runtime by a resource label. The cluster's own
 * state decides what is true; the operations that GKE carries out only explain it.
 */
export function gkeDriver({
  client,
  tokens,
  pollMilliseconds = 5_000,
  retryMilliseconds = 60_000,
  clock = systemClock,
  installation,
  onChange,
  log,
}: GkeDriverSettings): GkeDriver {
  const keyOf = (order: GkeOrder): WakeKey => {
    const { project, location } = placeOf(order);
    return `gke:${project}/${location}/${order.cluster.name}`;
  };
  const poller = new ClusterPoller({
    ...{ client, everyMilliseconds: pollMilliseconds, log },
    onChange: (order) => onChange?.(keyOf(order)),
  });

  const clusters = ownClusters({ client, log });
  const { read, isOurs, readOwn } = clusters;
  const { observe, take } = clusterObserver({ client, clusters, poller, retryMilliseconds, clock, log });

  return {
    kind: 'gke',
    complete: async ({ cluster }) => cluster,

    async check(order, signal, { mustAnswer = false } = {}) {
      const mistakes = checkGcpConfig(order.cluster.config);
      if (mistakes.length > 0) return mistakes;
      return answered(() => askGoogle(order, { client, tokens, clusters }, signal), {
        ...{ mustAnswer, log },
        otherwise: (refusal) => (refusal ? [asProblem(refusal, order)] : []),
      });
    },

    async create(order, _operationId, signal) {
      const { name } = order.cluster;
      const request = clusterRequest(order, installation);
      const made = await client.createCluster(placeOf(order), request, signal).catch((error: unknown) => {
        if (isAlreadyExists(error)) return undefined;
        return throwRefusal(error);
      });
      if (made === undefined) {
        const present = await read(order, signal);
        if (!present) throw new Error(`cluster ${name} existed a moment ago and does not any more`);
        if (!isOurs(order, present)) throw nameTaken(order);
        if (present.status === 'STOPPING') throw new Error(`cluster ${name} of this Runtime is still being deleted`);
        log.info({ cluster: name, runtimeId: order.runtimeId }, 'adopted the GKE cluster of an earlier attempt');
      }
      poller.follow(order);
    },

    async checkChange(change, signal, { mustAnswer = false } = {}): Promise<CheckedChange<GkeCluster>> {
      const order = change.order;
      const unchanged = { target: change.target, kept: [] };
      const mistakes = ownMistakes(change);
      if (mistakes.length > 0) return { ...unchanged, problems: mistakes };
      const ask = async (): Promise<CheckedChange<GkeCluster>> => {
        const [cluster, offered] = await Promise.all([
          readOwn(order, signal),
          client.masterVersions(placeOf(order), signal),
        ]);
        if (cluster) return judgeChange({ change, cluster, offered });
        return { ...unchanged, problems: [problemOf(clusterLost(order.cluster), '')] };
      };
      return answered(ask, {
        ...{ mustAnswer, log },
        otherwise: (refusal) => ({
          ...unchanged,
          problems: refusal ? [problemOf(refusal, '')] : [],
        }),
      });
    },

    async planChange(change, signal) {
      const order = change.order;
      const cluster = await readOwn(order, signal);
      if (!cluster) throw clusterLost(order.cluster);
      const desired = desiredBy(change);
      const step = nextStep(cluster, desired);
      if (!step) return [];
      const { config } = order.cluster;
      const fields = Object.entries(desired).map(([field, to]) => {
        const from = field === 'numberOfNodes' ? config.numberOfNodes : cluster.currentMasterVersion;
        return {
          field,
          from: from === undefined ? undefined : String(from),
          to: to === undefined ? undefined : String(to),
        };
      });
      const changed = fields.filter(({ from, to }) => from !== to);
      return [{ subject: `cluster ${order.cluster.name}`, manifest: { ...stepRequest(step) }, fields: changed }];
    },

    async change(change, _operationId, signal) {
      const order = change.order;
      const cluster = await readOwn(order, signal);
      if (!cluster) throw clusterLost(order.cluster);
      const desired = desiredBy(change);
      const step = nextStep(cluster, desired);
      if (step) await take(order, step, signal);
      return { revision: revisionOf(desired), kept: keptVersion(cluster, desired) };
    },

    observe: (order, signal, { since } = {}) => observe(order, signal, since),

    async requestDeletion(order, signal) {
      const cluster = await readOwn(order, signal);
      if (!cluster) return;
      if (cluster.status !== 'STOPPING') {
        await client.deleteCluster(placeOf(order), order.cluster.name, signal).catch((error: unknown) => {
          if (!isNotFound(error)) throwRefusal(error);
        });
      }
      poller.follow(order);
    },

    checkHibernation: async (_order, change) => refuseHibernation(change),
    changeHibernation: async (_order, change) => refuseHibernation(change),

    /** What failed for good has to be made anew; nothing else waits for being asked. */
    async retry() {},

    async remains(order, signal) {
      const cluster = await readOwn(order, signal);
      if (!cluster) return { cluster: false, words: [] };
      return { cluster: true, words: [`GKE cluster ${clusterIs[judgeCluster({ order, cluster }).state]}`] };
    },

    manifests: async (order) => [clusterRequest(order, installation)],

    async issueKubeconfig(request) {
      const order = request.order;
      const { signal } = request;
      const cluster = await readOwn(order, signal);
      const googleToken = await tokens.token(placeOf(order).secretName, signal).catch(throwRefusal);
      return issueKubeconfig({ request, cluster, googleToken });
    },

    wakeKey: keyOf,
    owned: ownedGkeClusters({ client }),
    stop: () => poller.stop(),
  };
}
