import { noClusterChange, noKymaChange } from './conditions.ts';
import { inCluster } from './stages/in-cluster.ts';
import { startingUpgrade } from './stages/starting-upgrade.ts';
import { updatingUpgradeState } from './stages/updating-upgrade-state.ts';
import { upgradingCluster } from './stages/upgrading-cluster.ts';
import { waitingForClusterUpgrade } from './stages/waiting-for-cluster-upgrade.ts';
import { waitingForUpgrade } from './stages/waiting-for-upgrade.ts';
import { takeUpUpgrade } from './take-up-again.ts';
import type { ProvisionerFlow } from './tools.ts';
import { whatIsUpgraded } from './what-is-upgraded.ts';

/**
 * To another version of Kubernetes, of Kyma, or of both. What is active changes when it is reached, not before. A failure
 * is not told to the Director: the Runtime stays connected.
 */
// biome-ignore format: one line a stage, so that the order is read at a glance
export const upgrade: ProvisionerFlow = {
  kind: 'Upgrade',
  startMessage: 'Starting Kyma upgrade',
  steps: [
    { stage: 'UpgradingCluster',         through: 'cluster driver', deadline: 'upgradeTriggering', run: upgradingCluster,             skipWhen: noClusterChange },
    { stage: 'WaitingForClusterUpgrade', through: 'cluster driver', deadline: 'shootUpgrade',      run: waitingForClusterUpgrade,     skipWhen: noClusterChange },
    { stage: 'StartingUpgrade',          through: 'Kyma installer', deadline: 'upgradeTriggering', run: inCluster(startingUpgrade),   skipWhen: noKymaChange },
    { stage: 'WaitingForInstallation',   through: 'Kyma installer', deadline: 'upgrade',           run: inCluster(waitingForUpgrade), skipWhen: noKymaChange },
    { stage: 'UpdatingUpgradeState',     through: 'database',       deadline: 'upgradeTriggering', run: updatingUpgradeState,         skipWhen: noKymaChange },
  ],
  onCancelled: whatIsUpgraded,
  onRetry: takeUpUpgrade,
};
