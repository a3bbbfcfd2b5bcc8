import type { Failure } from '../domain/failures.ts';
import { takeUpReconnection } from './reconnection/take-up-reconnection.ts';
import { whatReconnectionLeaves } from './reconnection/what-reconnection-leaves.ts';
import { reportFailureToDirector } from './report-failure-to-director.ts';
import { agentTarget } from './stages/agent-target.ts';
import { checkingConnection } from './stages/checking-connection.ts';
import { configuringAgent } from './stages/configuring-agent.ts';
import { inCluster } from './stages/in-cluster.ts';
import { triggeringReconnect } from './stages/triggering-reconnect.ts';
import { waitForAgentToReconnect } from './stages/wait-for-agent-to-reconnect.ts';
import type { ProvisionerFlow, StageRun } from './tools.ts';

/** From whatever connection the Runtime Agent has, or from none, to a new one. */
// biome-ignore format: one line a stage, so that the order is read at a glance
export const reconnectRuntime: ProvisionerFlow = {
  kind: 'ReconnectRuntime',
  startMessage: 'Reconnecting the Runtime Agent started',
  steps: [
    { stage: 'CheckingConnection',    through: 'cluster driver, Director, agent', deadline: 'agentConfiguration', run: inCluster(checkingConnection) },
    { stage: 'ConfiguringAgent',      through: 'Director, agent',                 deadline: 'agentConfiguration', run: inCluster(configuringAgent) },
    { stage: 'TriggeringReconnect',   through: 'Director, agent',                 deadline: 'agentConnection',    run: inCluster(triggeringReconnect) },
    { stage: 'WaitForAgentToConnect', through: 'agent, Director',                 deadline: 'agentConnection',    run: inCluster(waitForAgentToReconnect) },
  ],
  onFailed: reportWhenDisconnected,
  onCancelled: whatReconnectionLeaves,
  onRetry: takeUpReconnection,
};

/** A Runtime that is connected, as before or anew, has not failed. */
async function reportWhenDisconnected(run: StageRun, failure: Failure): Promise<void> {
  const { stage } = run.operation;
  if (stage !== 'TriggeringReconnect' && stage !== 'WaitForAgentToConnect') return;
  if (!(await isConnected(run))) await reportFailureToDirector(run, failure);
}

async function isConnected(run: StageRun): Promise<boolean> {
  try {
    return (await run.agent.observe(await agentTarget(run))).state === 'connected';
  } catch (error) {
    run.log.warn({ err: error }, 'cannot find out whether the Runtime Agent is connected');
    return false;
  }
}
