import type { Logger } from '../../domain/logger.ts';
import { isOn, runningOperation } from './cluster-poller.ts';
import type { GkeClient } from './gke-client.ts';
import { type GkeOrder, ownerLabel, placeOf } from './gke-order.ts';
import type { GkeClusterState, GkeOperationState } from './gke-resources.ts';
import { throwRefusal } from './refusal.ts';

/** Reads of clusters with their owner's mark, and of what GKE does to them. What is refused is thrown as a Failure. */
export type OwnClusters = ReturnType<typeof ownClusters>;

export function ownClusters({ client, log }: { readonly client: GkeClient; readonly log: Logger }) {
  const read = (order: GkeOrder, signal: AbortSignal | undefined) =>
    client.cluster(placeOf(order), order.cluster.name, signal).catch(throwRefusal);

  function isOurs(order: GkeOrder, { resourceLabels = {} }: GkeClusterState): boolean {
    const owner = resourceLabels[ownerLabel];
    if (owner === order.runtimeId) return true;
    const { name } = order.cluster;
    log.warn(
      { cluster: name, runtimeId: order.runtimeId, owner },
      'a GKE cluster of this name belongs to somebody else',
    );
    return false;
  }

  /** The cluster of the order, never another one of its name. */
  async function readOwn(order: GkeOrder, signal: AbortSignal | undefined): Promise<GkeClusterState | undefined> {
    const cluster = await read(order, signal);
    return cluster && isOurs(order, cluster) ? cluster : undefined;
  }

  async function findOperation(
    order: GkeOrder,
    signal: AbortSignal,
    find: (operations: readonly GkeOperationState[]) => GkeOperationState | undefined,
  ): Promise<GkeOperationState | undefined> {
    return find(await client.operations(placeOf(order), signal).catch(throwRefusal));
  }

  const atWork = (order: GkeOrder, signal: AbortSignal) =>
    findOperation(order, signal, (all) => runningOperation(all, { ...placeOf(order), name: order.cluster.name }));
  const lastFailed = (order: GkeOrder, signal: AbortSignal) =>
    findOperation(order, signal, (all) =>
      all
        .filter((operation) => operation.error && isOn(operation, { ...placeOf(order), name: order.cluster.name }))
        .toSorted((one, other) => (one.startTime ?? '').localeCompare(other.startTime ?? ''))
        .at(-1),
    );

  return { read, isOurs, readOwn, atWork, lastFailed };
}
