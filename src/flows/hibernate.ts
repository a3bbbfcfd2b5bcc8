import { hibernatingCluster } from './stages/hibernating-cluster.ts';
import { waitForHibernation } from './stages/wait-for-hibernation.ts';
import { takeUpCluster } from './take-up-again.ts';
import type { ProvisionerFlow } from './tools.ts';
import { whatIsLeft } from './what-is-left.ts';

/** Stops a cluster and keeps what is in it. A failure is not told to the Director: the Runtime works as before. */
// biome-ignore format: one line a stage, so that the order is read at a glance
export const hibernate: ProvisionerFlow = {
  kind: 'Hibernate',
  startMessage: 'Starting cluster hibernation',
  steps: [
    { stage: 'HibernatingCluster', through: 'cluster driver', deadline: 'hibernation', run: hibernatingCluster },
    { stage: 'WaitForHibernation', through: 'cluster driver', deadline: 'hibernation', run: waitForHibernation },
  ],
  onCancelled: whatIsLeft,
  onRetry: takeUpCluster,
};
