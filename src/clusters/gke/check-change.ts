import type { Problem } from '../../domain/failures.ts';
import type { GcpConfig } from '../../domain/gcp-config.ts';
import type { GkeCluster } from '../../domain/runtime.ts';
import type { CheckedChange as AnyCheckedChange } from '../cluster-driver.ts';
import { type DesiredCluster, keptVersion } from './cluster-steps.ts';
import type { GkeClusterState } from './gke-resources.ts';
import { compareVersions, isOf, isVersion, minorsBetween, tellVersions } from './versions.ts';

/** Fields of a GcpConfig that a live cluster can get another value of. */
const changeable = new Set(['kubernetesVersion', 'numberOfNodes']);

type CheckedChange = AnyCheckedChange<GkeCluster>;

export interface GkeChange {
  readonly target: GcpConfig;
  readonly fields: readonly string[];
}

/** The part of the target that was asked for. */
export function desiredBy({ target, fields }: GkeChange): DesiredCluster {
  return {
    ...(fields.includes('kubernetesVersion') && { kubernetesVersion: target.kubernetesVersion }),
    ...(fields.includes('numberOfNodes') && { numberOfNodes: target.numberOfNodes }),
  };
}

/** What can be said without asking Google. */
export function ownMistakes({ target, fields }: GkeChange): readonly Problem[] {
  const problems: Problem[] = fields
    .filter((field) => !changeable.has(field))
    .map((field) => ({ path: field, message: 'cannot be changed on a cluster of Google Kubernetes Engine' }));
  const { kubernetesVersion, numberOfNodes } = target;
  if (fields.includes('kubernetesVersion') && (kubernetesVersion === undefined || !isVersion(kubernetesVersion))) {
    const message = `"${kubernetesVersion ?? ''}" is not a version such as 1.34, 1.34.3 or 1.34.3-gke.1444000`;
    problems.push({ path: 'kubernetesVersion', message });
  }
  if (fields.includes('numberOfNodes') && !(numberOfNodes >= 1 && numberOfNodes <= 1000)) {
    problems.push({ path: 'numberOfNodes', message: `${numberOfNodes} is not between 1 and 1000` });
  }
  return problems;
}

/** What the live cluster and the versions on offer say. */
export function judgeChange({
  change,
  cluster,
  offered,
}: {
  readonly change: GkeChange;
  readonly cluster: GkeClusterState;
  readonly offered: readonly string[];
}): CheckedChange {
  const { target } = change;
  const desired = desiredBy(change);
  const kept = keptVersion(cluster, desired);
  const { kubernetesVersion } = desired;
  const current = cluster.currentMasterVersion ?? '';
  if (kept.length > 0) return { problems: [], kept, target: { ...target, kubernetesVersion: current } };
  if (kubernetesVersion === undefined || compareVersions(current, kubernetesVersion) >= 0) {
    return { problems: [], kept, target };
  }
  const wrong = (message: string): CheckedChange => ({
    problems: [{ path: 'kubernetesVersion', message }],
    kept,
    target,
  });
  const next = offered.filter(
    (version) => compareVersions(version, current) > 0 && minorsBetween(current, version) <= 1,
  );
  const reachable = `the cluster has ${current}; from there it can get ${tellVersions(next) || 'nothing newer'}`;
  if (!offered.some((version) => isOf(version, kubernetesVersion))) {
    return wrong(`${kubernetesVersion} is not offered; ${reachable}`);
  }
  if (minorsBetween(current, kubernetesVersion) > 1) {
    return wrong(`${kubernetesVersion} is more than one minor version ahead; ${reachable}`);
  }
  return { problems: [], kept, target };
}
