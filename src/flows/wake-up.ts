import { waitForWakeUp } from './stages/wait-for-wake-up.ts';
import { wakingUpCluster } from './stages/waking-up-cluster.ts';
import { takeUpCluster } from './take-up-again.ts';
import type { ProvisionerFlow } from './tools.ts';
import { whatIsLeft } from './what-is-left.ts';

/** Starts a hibernated cluster. */
// biome-ignore format: one line a stage, so that the order is read at a glance
export const wakeUp: ProvisionerFlow = {
  kind: 'WakeUp',
  startMessage: 'Starting cluster wake-up',
  steps: [
    { stage: 'WakingUpCluster', through: 'cluster driver',          deadline: 'wakeUp', run: wakingUpCluster },
    { stage: 'WaitForWakeUp',   through: 'cluster driver, cluster', deadline: 'wakeUp', run: waitForWakeUp },
  ],
  onCancelled: whatIsLeft,
  onRetry: takeUpCluster,
};
