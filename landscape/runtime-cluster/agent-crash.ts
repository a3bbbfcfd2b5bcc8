import type { KubernetesApi } from '../kubernetes/kubernetes-api.ts';
import { agentHome, readAgentDeployment } from './agent-home.ts';
import { agentDeployment } from './application-connector.ts';
import { ensure } from './ensure.ts';

const podName = `${agentDeployment}-7c9f8d6b5-x2k4q`;

/** The one Pod that anybody sees: it ends again and again. */
export function crashAgent(cluster: KubernetesApi, { exitCode = 1, message = 'fatal error' }): void {
  const deployment = readAgentDeployment(cluster);
  if (deployment === undefined) return;
  const { namespace } = agentHome(cluster);
  ensure(cluster, 'pods', {
    metadata: { name: podName, namespace, labels: deployment.spec.template?.metadata?.labels },
    spec: deployment.spec.template?.spec ?? {},
  });
  cluster.write('pods', namespace, podName, (pod) => {
    const waiting = { reason: 'CrashLoopBackOff', message: `back-off 5m0s restarting failed container` };
    const container = { name: agentDeployment, ready: false, restartCount: 7, state: { waiting } };
    pod.status = {
      phase: 'Running',
      containerStatuses: [{ ...container, lastState: { terminated: { exitCode, reason: 'Error', message } } }],
    };
  });
  cluster.write('deployments', namespace, agentDeployment, ({ status }) => {
    status.availableReplicas = 0;
    status.readyReplicas = 0;
    status.conditions = [
      {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      },
    ];
  });
}

/** Its Deployment is rolled out anew. */
export function reviveAgent(cluster: KubernetesApi): void {
  const { namespace } = agentHome(cluster);
  if (cluster.read('pods', namespace, podName) === undefined) return;
  cluster.remove('pods', namespace, podName);
  cluster.write('deployments', namespace, agentDeployment, ({ status }) => {
    status.observedGeneration = 0;
  });
}
