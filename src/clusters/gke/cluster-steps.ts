import { isRecord } from '../../domain/json.ts';
import type { ClusterRevision } from '../cluster-driver.ts';
import { nodePoolName } from './cluster-request.ts';
import type { GkeClusterState } from './gke-resources.ts';
import { compareVersions, isOf } from './versions.ts';

/** What a cluster is to be like; what is absent is left alone. */
export interface DesiredCluster {
  readonly kubernetesVersion?: string | undefined;
  /** In each zone, of the pool that was made with the cluster. */
  readonly numberOfNodes?: number | undefined;
}

/** One change; GKE takes one at a time. */
export type ClusterStep =
  | { readonly kind: 'upgradeControlPlane'; readonly to: string }
  | { readonly kind: 'upgradeNodes'; readonly pool: string; readonly to: string }
  | { readonly kind: 'resize'; readonly pool: string; readonly nodeCount: number };

/**
 * What is to be done next: the control plane first, since nodes must not be newer, then pool by pool. A version that is
 * there already, or a newer one that GKE has raised by itself, is fine. Undefined: nothing is left to do.
 */
export function nextStep(
  { currentMasterVersion = '', nodePools = [] }: GkeClusterState,
  { kubernetesVersion, numberOfNodes }: DesiredCluster,
): ClusterStep | undefined {
  if (kubernetesVersion !== undefined) {
    if (compareVersions(currentMasterVersion, kubernetesVersion) < 0) {
      return { kind: 'upgradeControlPlane', to: kubernetesVersion };
    }
    const old = nodePools.find(({ version = '' }) => compareVersions(version, kubernetesVersion) < 0);
    // An abbreviated version may mean a newer one by now than when the control plane got it.
    if (old) return { kind: 'upgradeNodes', pool: old.name, to: currentMasterVersion };
  }
  if (numberOfNodes === undefined) return undefined;
  // Pools that somebody has added have sizes of their own.
  const pool = nodePools.find(({ name }) => name === nodePoolName);
  if (pool === undefined || (pool.initialNodeCount ?? 0) === numberOfNodes) return undefined;
  return { kind: 'resize', pool: pool.name, nodeCount: numberOfNodes };
}

/** The body of the request that takes the step, or what stands for it in a plan. */
export function stepRequest(step: ClusterStep): object {
  switch (step.kind) {
    case 'upgradeControlPlane':
      return { desiredMasterVersion: step.to };
    case 'upgradeNodes':
      return { desiredNodeVersion: step.to, desiredNodePoolId: step.pool };
    case 'resize':
      return { nodeCount: step.nodeCount };
  }
}

export function tellStep(step: ClusterStep): string {
  switch (step.kind) {
    case 'upgradeControlPlane':
      return `upgrades the control plane to ${step.to}`;
    case 'upgradeNodes':
      return `upgrades the nodes of ${step.pool} to ${step.to}`;
    case 'resize':
      return `resizes ${step.pool} to ${step.nodeCount} nodes in each zone`;
  }
}

/** A sentence when the cluster is newer than what was asked for, and stays so. */
export function keptVersion(
  { currentMasterVersion }: GkeClusterState,
  { kubernetesVersion }: DesiredCluster,
): readonly string[] {
  if (kubernetesVersion === undefined || currentMasterVersion === undefined) return [];
  if (isOf(currentMasterVersion, kubernetesVersion) || compareVersions(currentMasterVersion, kubernetesVersion) < 0)
    return [];
  return [`kubernetesVersion stays ${currentMasterVersion}, which is newer than ${kubernetesVersion}`];
}

/** What was asked for is its own mark: whether a cluster has got it can be seen on the cluster. */
export function revisionOf(desired: DesiredCluster): ClusterRevision {
  return JSON.stringify(desired);
}

export function readRevision(revision: ClusterRevision): DesiredCluster {
  const read: unknown = JSON.parse(revision);
  if (!isRecord(read)) throw new Error(`not a revision of a GKE cluster: ${revision}`);
  const { kubernetesVersion, numberOfNodes } = read;
  return {
    ...(typeof kubernetesVersion === 'string' && { kubernetesVersion }),
    ...(typeof numberOfNodes === 'number' && { numberOfNodes }),
  };
}
