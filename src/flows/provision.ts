import { noAdministrators, noKyma, notConnectable, straightFromGke } from './conditions.ts';
import { reportFailureToDirector } from './report-failure-to-director.ts';
import { connectRuntimeAgent } from './stages/connect-runtime-agent.ts';
import { creatingBindingsForOperators, planBindings } from './stages/creating-bindings-for-operators.ts';
import { creatingCluster, mayAppearLate, planCluster } from './stages/creating-cluster.ts';
import { inCluster } from './stages/in-cluster.ts';
import { planInstallation, startingInstallation } from './stages/starting-installation.ts';
import { waitForAgentToConnect } from './stages/wait-for-agent-to-connect.ts';
import { waitingForClusterCreation } from './stages/waiting-for-cluster-creation.ts';
import { waitingForClusterDomain } from './stages/waiting-for-cluster-domain.ts';
import { waitingForInstallation } from './stages/waiting-for-installation.ts';
import { takeUpProvision } from './take-up-again.ts';
import type { ProvisionerFlow } from './tools.ts';
import { whatIsLeft } from './what-is-left.ts';

/** From nothing to a connected Runtime. */
// biome-ignore format: one line a stage, so that the order is read at a glance
export const provision: ProvisionerFlow = {
  kind: 'Provision',
  startMessage: 'Provisioning started',
  steps: [
    { stage: 'CreatingCluster',              through: 'cluster driver',           deadline: 'clusterCreation',        run: creatingCluster,                         plan: planCluster,                                  cutOff: mayAppearLate },
    { stage: 'WaitingForClusterDomain',      through: 'cluster driver, Director', deadline: 'clusterDomain',          run: waitingForClusterDomain,                                         skipWhen: straightFromGke },
    { stage: 'WaitingForClusterCreation',    through: 'cluster driver',           deadline: 'clusterCreation',        run: waitingForClusterCreation },
    { stage: 'CreatingBindingsForOperators', through: 'cluster',                  deadline: 'bindingsCreation',       run: inCluster(creatingBindingsForOperators), plan: planBindings,     skipWhen: noAdministrators },
    { stage: 'StartingInstallation',         through: 'Kyma installer',           deadline: 'installationTriggering', run: inCluster(startingInstallation),         plan: planInstallation, skipWhen: noKyma },
    { stage: 'WaitingForInstallation',       through: 'Kyma installer',           deadline: 'installation',           run: inCluster(waitingForInstallation),                               skipWhen: noKyma },
    { stage: 'ConnectRuntimeAgent',          through: 'Director, agent',          deadline: 'agentConfiguration',     run: inCluster(connectRuntimeAgent),                                  skipWhen: notConnectable },
    { stage: 'WaitForAgentToConnect',        through: 'agent, Director',          deadline: 'agentConnection',        run: inCluster(waitForAgentToConnect),                                skipWhen: notConnectable },
  ],
  onFailed: reportFailureToDirector,
  onCancelled: whatIsLeft,
  onRetry: takeUpProvision,
};
