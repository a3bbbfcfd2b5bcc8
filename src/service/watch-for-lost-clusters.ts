import type { ClusterDrivers } from '../clusters/cluster-driver.ts';
import { clusterOrder } from '../clusters/cluster-order.ts';
import type { ClusterWatches } from '../clusters/cluster-watch.ts';
import type { Database } from '../db/database.ts';
import { findRuntime } from '../db/queries/find-runtime.ts';
import { type ExpectedCluster, expectedClusters, markLost, unmarkLost } from '../db/queries/lost-clusters.ts';
import type { Logger } from '../domain/logger.ts';
import { orAbort } from '../domain/or-abort.ts';
import type { ClusterDriverKind } from '../domain/runtime.ts';
import { repeat } from './repeat.ts';

/** For what no event told of: clusters that went while nobody watched, or in the middle of an operation. */
const sweepEveryMilliseconds = 60_000;

export interface LossWatch {
  /** Looks after the cluster of a Runtime that somebody has seen, and that may be gone. */
  check(runtimeId: string): void;
  stop(): Promise<void>;
}

/**
 * Marks Runtimes whose cluster was deleted outside of this service, and takes the mark away when the cluster is there
 * again. What the watch does not show is looked up at the provider before anything is marked.
 */
export function watchForLostClusters({
  database,
  drivers,
  watches,
  onCount,
  log,
}: {
  database: Database;
  drivers: ClusterDrivers;
  watches: ClusterWatches;
  /** Told now and then how many Runtimes are marked. */
  onCount: (lost: number) => void;
  log: Logger;
}): LossWatch {
  const kinds = Object.keys(watches) as ClusterDriverKind[];
  const stopping = new AbortController();
  const { signal } = stopping;
  const checks = new Set<Promise<void>>();

  async function compare(cluster: ExpectedCluster): Promise<boolean> {
    const { driver, runtimeId, name, lost } = cluster;
    const sight = watches[driver]?.look(cluster);
    if (sight === undefined || lost !== (sight.seen !== undefined)) return lost;
    if (sight.seen) {
      if (await unmarkLost({ database, runtimeId })) log.info({ runtimeId, cluster: name }, 'a lost cluster is back');
      return false;
    }
    return confirmLoss(cluster);
  }

  async function confirmLoss({ driver, runtimeId, tenant, name }: ExpectedCluster): Promise<boolean> {
    const found = await findRuntime({ database, tenant, runtimeId });
    if (!found) return false;
    const { cluster } = await drivers[driver].remains(clusterOrder(found.runtime), signal);
    const lostAt = cluster ? undefined : await markLost({ database, runtimeId });
    if (lostAt) {
      log.warn(
        { runtimeId, tenant, cluster: name, lostAt },
        'the cluster of a Runtime was deleted, and not through us',
      );
    }
    return lostAt !== undefined;
  }

  async function sweep(): Promise<void> {
    await Promise.all(kinds.map((kind) => watches[kind]?.synced));
    let lost = 0;
    for (const cluster of await expectedClusters({ database, drivers: kinds })) {
      signal.throwIfAborted();
      if (await compare(cluster)) lost += 1;
    }
    onCount(lost);
  }

  async function checkOne(runtimeId: string): Promise<void> {
    for (const cluster of await expectedClusters({ database, drivers: kinds, seen: runtimeId })) await compare(cluster);
  }

  function check(runtimeId: string): void {
    if (signal.aborted) return;
    const running = checkOne(runtimeId)
      .catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error, runtimeId }, 'cannot find out whether a cluster is lost');
      })
      .finally(() => checks.delete(running));
    checks.add(running);
  }

  const stopListening = kinds.map((kind) => watches[kind]?.onGone(check));
  const sweeping = repeat({
    everyMilliseconds: sweepEveryMilliseconds,
    work: (sweepSignal) => orAbort(sweep(), sweepSignal),
    onError: (error) => log.warn({ err: error }, 'cannot look for lost clusters'),
  });
  return {
    check,
    async stop() {
      stopping.abort();
      for (const stop of stopListening) stop?.();
      await Promise.all([sweeping.stop(), ...checks]);
    },
  };
}
