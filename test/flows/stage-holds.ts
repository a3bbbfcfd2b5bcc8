import type { Control } from '../../landscape/control/control.ts';
import type { OperationAnswer } from './documents.ts';
import type { Changes } from './orders.ts';

/** How the landscape keeps an operation in a stage until faults and fates are lifted. */
export interface StageHold {
  readonly stage: string;
  hold(control: Control): void;
  /** What the stage needs in order not to be skipped. */
  readonly changes?: Changes;
}

const unavailable = { kind: 'status', status: 503 } as const;

export const provisionHolds: readonly StageHold[] = [
  {
    stage: 'CreatingCluster',
    hold: (control) =>
      control.addFault({ target: 'garden', method: 'POST', path: '/shoots\\?(?!.*dryRun)', action: unavailable }),
  },
  { stage: 'WaitingForClusterDomain', hold: (control) => control.setShootFate('*', { kind: 'noSeed' }) },
  {
    stage: 'WaitingForClusterCreation',
    hold: (control) => control.setShootFate('*', { kind: 'stuck', during: 'Create' }),
  },
  {
    stage: 'CreatingBindingsForOperators',
    hold: (control) => control.addFault({ target: 'cluster', path: 'clusterrolebindings', action: unavailable }),
    changes: { administrators: ['admin@example.com'] },
  },
  {
    stage: 'StartingInstallation',
    hold: (control) => control.addFault({ target: 'cluster', method: 'PATCH', action: unavailable }),
  },
  {
    stage: 'WaitingForInstallation',
    hold: (control) =>
      control.addFault({ target: 'cluster', method: 'GET', path: '/deployments', action: unavailable }),
  },
  {
    stage: 'ConnectRuntimeAgent',
    hold: (control) => control.addFault({ target: 'director', body: 'requestOneTimeToken', action: unavailable }),
  },
  {
    stage: 'WaitForAgentToConnect',
    hold: (control) => control.addFault({ target: 'cluster', path: 'compassconnections', action: unavailable }),
  },
];

export const deprovisionHolds: readonly StageHold[] = [
  {
    stage: 'CleanupCluster',
    hold: (control) => control.addFault({ target: 'cluster', path: 'servicecatalog', action: unavailable }),
  },
  {
    stage: 'TriggerKymaUninstall',
    hold: (control) => control.addFault({ target: 'cluster', method: 'DELETE', action: unavailable }),
  },
  {
    stage: 'WaitingForKymaUninstall',
    // The first look asks for the removal; the next ones see how it goes.
    hold: (control) =>
      control.addFault({ target: 'cluster', method: 'DELETE', path: 'deployments', action: unavailable }),
  },
  {
    stage: 'DeprovisionCluster',
    hold: (control) => control.addFault({ target: 'garden', method: 'PATCH', path: '/shoots', action: unavailable }),
  },
  {
    stage: 'WaitForClusterDeletion',
    hold: (control) => control.setShootFate('*', { kind: 'stuck', during: 'Delete' }),
  },
  {
    stage: 'UnregisteringRuntime',
    hold: (control) => control.addFault({ target: 'director', body: 'unregisterRuntime', action: unavailable }),
  },
];

/** It is in the stage, and has looked at least once. */
export function isHeld(seen: OperationAnswer, stage: string): boolean {
  const untouched = /^(Operation in progress|Provisioning started|Deprovisioning started)/.test(seen.message);
  return seen.stage === stage && (seen.lastError !== null || !untouched);
}
