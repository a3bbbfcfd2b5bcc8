import { noAdministratorsChange, noClusterChange } from './conditions.ts';
import { creatingBindingsForOperators, planBindings } from './stages/creating-bindings-for-operators.ts';
import { inCluster } from './stages/in-cluster.ts';
import { planShootChange, updatingShoot } from './stages/updating-shoot.ts';
import { waitingForShootNewVersion } from './stages/waiting-for-shoot-new-version.ts';
import { waitingForShootUpgrade } from './stages/waiting-for-shoot-upgrade.ts';
import { takeUpCluster } from './take-up-again.ts';
import type { ProvisionerFlow } from './tools.ts';
import { whatIsChanged } from './what-is-changed.ts';

/**
 * Another configuration of a cluster, or other administrators. A failure is not told to the Director: the Runtime works
 * as before, or as well as its cluster does.
 */
// biome-ignore format: one line a stage, so that the order is read at a glance
export const upgradeShoot: ProvisionerFlow = {
  kind: 'UpgradeShoot',
  startMessage: 'Starting Gardener Shoot upgrade',
  steps: [
    { stage: 'UpdatingShoot',                through: 'cluster driver', deadline: 'shootRefresh',     run: updatingShoot,                           plan: planShootChange, skipWhen: noClusterChange },
    { stage: 'WaitingForShootNewVersion',    through: 'cluster driver', deadline: 'shootRefresh',     run: waitingForShootNewVersion,                                      skipWhen: noClusterChange },
    { stage: 'WaitingForShootUpgrade',       through: 'cluster driver', deadline: 'shootUpgrade',     run: waitingForShootUpgrade,                                         skipWhen: noClusterChange },
    { stage: 'CreatingBindingsForOperators', through: 'cluster',        deadline: 'bindingsCreation', run: inCluster(creatingBindingsForOperators), plan: planBindings,    skipWhen: noAdministratorsChange },
  ],
  onCancelled: whatIsChanged,
  onRetry: takeUpCluster,
};
