import type { ClusterObservation } from '../clusters/cluster-driver.ts';
import { clusterOrder } from '../clusters/cluster-order.ts';
import type { ClusterWatches, Drift, SeenCluster } from '../clusters/cluster-watch.ts';
import type { StoredRuntimeStatus } from '../db/queries/read-runtime-status.ts';
import type { ClusterDrift, ClusterDriftKind, ClusterState, ClusterStatus } from './generated/schema.ts';

const states: Readonly<Record<ClusterObservation['state'] | 'hibernated', ClusterState>> = {
  absent: 'Absent',
  changing: 'Changing',
  ready: 'Ready',
  hibernated: 'Hibernated',
  deleting: 'Deleting',
  failed: 'Failed',
};
const driftKinds: Readonly<Record<Drift['kind'], ClusterDriftKind>> = { changed: 'Changed', newer: 'NewerKept' };

/** What is at hand of a Runtime's cluster; undefined when nobody can say anything of it without asking. */
export function clusterStatus({
  watches,
  status: { runtime, lastOperation },
}: {
  watches: ClusterWatches;
  status: StoredRuntimeStatus;
}): ClusterStatus | undefined {
  const { id: runtimeId, cluster, lostAt, deletedAt } = runtime;
  if (deletedAt) return { state: 'Absent' };
  const sight = watches[cluster.driver]?.look({ runtimeId, name: cluster.name });
  if (lostAt && !sight?.seen) return { state: 'Lost', lostAt, message: lossMessage };
  if (sight === undefined) return undefined;
  if (sight.seen === undefined) return { state: 'Absent' };
  const { observation, versions } = sight.seen;
  return {
    ...versions,
    state: states[observation.state],
    message: messageOf(observation),
    drift: lastOperation.state === 'InProgress' ? undefined : driftOf(sight.seen, runtime),
  };
}

const lossMessage =
  'The cluster was deleted, but not through this service. Deprovision the Runtime and provision a new one.';

function driftOf(seen: SeenCluster, runtime: StoredRuntimeStatus['runtime']): readonly ClusterDrift[] {
  return seen.drift(clusterOrder(runtime)).map(({ kind, ...drift }) => ({ ...drift, kind: driftKinds[kind] }));
}

function messageOf(observation: ClusterObservation): string | undefined {
  if (observation.state === 'failed') return observation.failure.message;
  return 'message' in observation ? observation.message : undefined;
}
