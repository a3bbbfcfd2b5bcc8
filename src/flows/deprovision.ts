import { noKyma, notStraightFromGke } from './conditions.ts';
import { reportFailureToDirector } from './report-failure-to-director.ts';
import { cleanupCluster, planCleanup } from './stages/cleanup-cluster.ts';
import { deprovisionCluster, planDeletion } from './stages/deprovision-cluster.ts';
import { planRelease, releasingCloudResources } from './stages/releasing-cloud-resources.ts';
import { planUninstall, triggerKymaUninstall } from './stages/trigger-kyma-uninstall.ts';
import { planUnregistration, unregisteringRuntime } from './stages/unregistering-runtime.ts';
import { waitForClusterDeletion } from './stages/wait-for-cluster-deletion.ts';
import { waitingForKymaUninstall } from './stages/waiting-for-kyma-uninstall.ts';
import { takeUpDeprovision } from './take-up-again.ts';
import type { ProvisionerFlow } from './tools.ts';
import { whatIsLeft } from './what-is-left.ts';

/** From whatever state a Runtime is in to nothing; a cluster that no longer answers does not keep it. */
// biome-ignore format: one line a stage, so that the order is read at a glance
export const deprovision: ProvisionerFlow = {
  kind: 'Deprovision',
  startMessage: 'Deprovisioning started',
  steps: [
    { stage: 'CleanupCluster',          through: 'cluster',        deadline: 'clusterCleanup',            run: cleanupCluster,          plan: planCleanup,        goOnAfterDeadline: true },
    { stage: 'TriggerKymaUninstall',    through: 'Kyma installer', deadline: 'clusterCleanup',            run: triggerKymaUninstall,    plan: planUninstall,      skipWhen: noKyma, goOnAfterDeadline: true },
    { stage: 'WaitingForKymaUninstall', through: 'Kyma installer', deadline: 'clusterCleanup',            run: waitingForKymaUninstall,                           skipWhen: noKyma, goOnAfterDeadline: true },
    { stage: 'ReleasingCloudResources', through: 'cluster',        deadline: 'clusterCleanup',            run: releasingCloudResources, plan: planRelease,        skipWhen: notStraightFromGke, goOnAfterDeadline: true },
    { stage: 'DeprovisionCluster',      through: 'cluster driver', deadline: 'clusterDeletion',           run: deprovisionCluster,      plan: planDeletion },
    { stage: 'WaitForClusterDeletion',  through: 'cluster driver', deadline: 'waitingForClusterDeletion', run: waitForClusterDeletion },
    { stage: 'UnregisteringRuntime',    through: 'Director',       deadline: 'unregistration',            run: unregisteringRuntime,    plan: planUnregistration },
  ],
  onFailed: reportFailureToDirector,
  onCancelled: whatIsLeft,
  onRetry: takeUpDeprovision,
};
