import type { Control } from '../../landscape/control/control.ts';
import { ownershipAnnotations } from '../../src/clusters/gardener/shoot/ownership.ts';
import { ownerLabel } from '../../src/clusters/gke/gke-order.ts';
import type { RuntimeId } from '../../src/domain/ids.ts';

/** What there is outside of one Runtime; the same after an operation in which processes died as after one without. */
export interface Surroundings {
  readonly shoots: number;
  readonly gkeClusters: number;
  /** Load balancers and disks. */
  readonly cloudResources: number;
  readonly brokeredServices: number;
  /** `name condition labels` of all of them. */
  readonly directorEntries: readonly string[];
  /** Clusters whose agent has a Secret that names this Runtime. */
  readonly agents: number;
  /** Everything in every cluster. */
  readonly objects: readonly string[];
}

export function lookAround(control: Control, { runtimeId }: { runtimeId: string }): Surroundings {
  const { shoots, clusters, directorRuntimes } = control.inventory();
  const google = control.googleInventory();
  const [mark = ''] = Object.keys(ownershipAnnotations({ runtimeId: runtimeId as RuntimeId }));
  return {
    shoots: shoots.filter(({ annotations }) => annotations[mark] === runtimeId).length,
    gkeClusters: google.clusters.filter(({ labels }) => labels[ownerLabel] === runtimeId).length,
    cloudResources: google.resources.length,
    brokeredServices: control.brokeredServices().length,
    directorEntries: directorRuntimes.map(
      ({ name, condition, labels }) => `${name} ${condition} ${Object.keys(labels).toSorted()}`,
    ),
    agents: clusters.filter(({ agentRuntimeId }) => agentRuntimeId === runtimeId).length,
    objects: clusters.flatMap(({ technicalId }) => control.objectsIn(technicalId).map(withoutHash).toSorted()),
  };
}

/** Pods are named after what is different each time. */
function withoutHash(object: string): string {
  return object.replace(/-[0-9a-f]{10}$/, '-…');
}

/** Ids of every cluster that exists now. */
export function clusterIds(control: Control): readonly string[] {
  const shoots = control.inventory().shoots.map(({ uid }) => uid);
  return [...shoots, ...control.googleInventory().clusters.map(({ technicalId }) => technicalId)];
}
