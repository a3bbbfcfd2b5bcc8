import type { Control } from '../../../landscape/control/control.ts';
import { ownershipAnnotations } from '../../../src/clusters/gardener/shoot/ownership.ts';
import type { RuntimeId } from '../../../src/domain/ids.ts';

/** What the outside world has of one Runtime; each is once there when it is provisioned, and not when it is gone. */
export interface WhatExists {
  readonly shoots: number;
  readonly directorEntries: number;
  /** Clusters whose agent has a Secret that names this Runtime. */
  readonly agents: number;
}

export const provisioned: WhatExists = { shoots: 1, directorEntries: 1, agents: 1 };
export const nothing: WhatExists = { shoots: 0, directorEntries: 0, agents: 0 };

/** The name is what the Runtime was ordered under: of a doubled registration only it would tell. */
export function whatExists(control: Control, { runtimeID, name }: { runtimeID: string; name: string }): WhatExists {
  const { shoots, clusters, directorRuntimes } = control.inventory();
  const [mark = ''] = Object.keys(ownershipAnnotations({ runtimeId: runtimeID as RuntimeId }));
  return {
    shoots: shoots.filter(({ annotations }) => annotations[mark] === runtimeID).length,
    directorEntries: directorRuntimes.filter((entry) => entry.id === runtimeID || entry.name === name).length,
    agents: clusters.filter(({ agentRuntimeId }) => agentRuntimeId === runtimeID).length,
  };
}
